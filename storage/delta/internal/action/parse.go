package action

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/tarndb/tarn/storage/delta/internal/jsonscan"
)

// LineError says which line of a commit is damaged.
type LineError struct {
	Line  int // from 1
	Cause error
}

// Error implements error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Cause) }

// Unwrap gives the cause.
func (e *LineError) Unwrap() error { return e.Cause }

// errNotUTF8 is about text that is no JSON, whatever it looks like.
var errNotUTF8 = errors.New("invalid UTF-8")

// ParseCommit reads a commit. As for Spark an empty file is a commit without
// actions.
func ParseCommit(body []byte) (*Commit, error) {
	c := &Commit{}
	for line := 1; len(body) > 0; line++ {
		text, rest, _ := bytes.Cut(body, []byte{'\n'})
		body = rest
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if err := c.parseLine(text); err != nil {
			return nil, &LineError{Line: line, Cause: err}
		}
	}
	return c, nil
}

func (c *Commit) parseLine(text []byte) error {
	if !utf8.Valid(text) {
		return errNotUTF8
	}
	s := jsonscan.New(text)
	err := s.Object(func(name []byte) error {
		if s.Null() {
			return nil
		}
		return c.parseAction(s, string(name))
	})
	if err != nil {
		return err
	}
	return s.End()
}

func (c *Commit) parseAction(s *jsonscan.Scanner, name string) (err error) {
	switch name {
	case "add":
		var a *Add
		if a, err = parseAdd(s); err == nil {
			c.Files = append(c.Files, FileAction{Add: a})
		}
	case "remove":
		var r *Remove
		if r, err = parseRemove(s); err == nil {
			c.Files = append(c.Files, FileAction{Remove: r})
		}
	case "metaData":
		c.Metadata, err = parseMetadata(s)
	case "protocol":
		c.Protocol, err = parseProtocol(s)
	case "commitInfo":
		c.Info, err = parseCommitInfo(s)
	case "txn":
		err = c.parseTxn(s)
	case "domainMetadata":
		err = c.parseDomain(s)
	case "sidecar":
		err = c.parseSidecar(s)
	default:
		err = s.Skip()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// fields takes an object and gives field only the values that are not null.
func fields(s *jsonscan.Scanner, field func(name string) error) error {
	return s.Object(func(name []byte) error {
		if s.Null() {
			return nil
		}
		return field(string(name))
	})
}

var errNoPath = errors.New("path is absent")

func parseAdd(s *jsonscan.Scanner) (*Add, error) {
	a := &Add{DataChange: true}
	err := fields(s, func(name string) (err error) {
		switch name {
		case "path":
			a.Path, err = s.String()
		case "partitionValues":
			a.PartitionValues, err = parsePartitionValues(s)
		case "size":
			a.Size, err = s.Int64()
		case "modificationTime":
			a.ModificationTime, err = s.Int64()
		case "dataChange":
			a.DataChange, err = s.Bool()
		case "stats":
			a.Stats, err = s.String()
		case "tags":
			a.Tags, err = s.StringMap()
		case "deletionVector":
			a.DeletionVector, err = parseDeletionVector(s)
		case "baseRowId":
			a.BaseRowID, err = int64Of(s)
		case "defaultRowCommitVersion":
			a.DefaultRowCommitVersion, err = int64Of(s)
		case "clusteringProvider":
			a.ClusteringProvider, err = s.String()
		default:
			err = s.Skip()
		}
		return err
	})
	if err == nil && a.Path == "" {
		err = errNoPath
	}
	return a, err
}

func parseRemove(s *jsonscan.Scanner) (*Remove, error) {
	r := &Remove{DataChange: true}
	err := fields(s, func(name string) (err error) {
		switch name {
		case "path":
			r.Path, err = s.String()
		case "deletionTimestamp":
			r.DeletionTimestamp, err = s.Int64()
		case "dataChange":
			r.DataChange, err = s.Bool()
		case "extendedFileMetadata":
			r.ExtendedFileMetadata, err = s.Bool()
		case "partitionValues":
			r.PartitionValues, err = parsePartitionValues(s)
		case "size":
			r.Size, err = s.Int64()
		case "deletionVector":
			r.DeletionVector, err = parseDeletionVector(s)
		default:
			err = s.Skip()
		}
		return err
	})
	if err == nil && r.Path == "" {
		err = errNoPath
	}
	return r, err
}

func parsePartitionValues(s *jsonscan.Scanner) ([]PartitionValue, error) {
	var out []PartitionValue
	err := s.Object(func(name []byte) (err error) {
		v := PartitionValue{Column: string(name)}
		if s.Null() {
			v.IsNull = true
		} else {
			v.Value, err = s.String()
		}
		out = append(out, v)
		return err
	})
	return out, err
}

func parseDeletionVector(s *jsonscan.Scanner) (*DeletionVector, error) {
	d := &DeletionVector{}
	err := fields(s, func(name string) (err error) {
		var n int64
		switch name {
		case "storageType":
			d.StorageType, err = s.String()
		case "pathOrInlineDv":
			d.PathOrInlineDV, err = s.String()
		case "offset":
			n, err = s.Int64()
			d.Offset = new(int32)
			*d.Offset = int32(n)
		case "sizeInBytes":
			n, err = s.Int64()
			d.SizeInBytes = int32(n)
		case "cardinality":
			d.Cardinality, err = s.Int64()
		default:
			return s.Skip()
		}
		if err == nil && n != int64(int32(n)) {
			err = fmt.Errorf("%s %d of a deletion vector is out of range", name, n)
		}
		return err
	})
	return d, err
}

func int64Of(s *jsonscan.Scanner) (*int64, error) {
	n, err := s.Int64()
	return &n, err
}

func parseMetadata(s *jsonscan.Scanner) (*Metadata, error) {
	m := &Metadata{}
	err := fields(s, func(name string) (err error) {
		switch name {
		case "id":
			m.ID, err = s.String()
		case "name":
			m.Name, err = s.String()
		case "description":
			m.Description, err = s.String()
		case "format":
			m.Format, err = parseFormat(s)
		case "schemaString":
			m.SchemaString, err = s.String()
		case "partitionColumns":
			m.PartitionColumns, err = s.Strings()
		case "configuration":
			m.Configuration, err = s.StringMap()
		case "createdTime":
			m.CreatedTime, err = int64Of(s)
		default:
			err = s.Skip()
		}
		return err
	})
	return m, err
}

func parseFormat(s *jsonscan.Scanner) (Format, error) {
	f := Format{}
	err := fields(s, func(name string) (err error) {
		switch name {
		case "provider":
			f.Provider, err = s.String()
		case "options":
			f.Options, err = s.StringMap()
		default:
			err = s.Skip()
		}
		return err
	})
	return f, err
}

func parseProtocol(s *jsonscan.Scanner) (*Protocol, error) {
	p := &Protocol{}
	err := fields(s, func(name string) (err error) {
		var n int64
		switch name {
		case "minReaderVersion":
			n, err = s.Int64()
			p.MinReaderVersion = int(n)
		case "minWriterVersion":
			n, err = s.Int64()
			p.MinWriterVersion = int(n)
		case "readerFeatures":
			p.ReaderFeatures, err = s.Strings()
		case "writerFeatures":
			p.WriterFeatures, err = s.Strings()
		default:
			err = s.Skip()
		}
		return err
	})
	if err == nil && (p.MinReaderVersion < 1 || p.MinWriterVersion < 1) {
		err = errors.New("minReaderVersion or minWriterVersion is absent")
	}
	return p, err
}

func parseCommitInfo(s *jsonscan.Scanner) (*CommitInfo, error) {
	c := &CommitInfo{}
	err := fields(s, func(name string) (err error) {
		// Anybody may put anything here, so a value of another kind is only not
		// understood.
		switch k := s.Peek(); {
		case name == "timestamp" && isNumber(k):
			var n *int64
			if n, err = wholeNumber(s); n != nil {
				c.Timestamp = *n
			}
		case name == "inCommitTimestamp" && isNumber(k):
			c.InCommitTimestamp, err = wholeNumber(s)
		case name == "operation" && k == '"':
			c.Operation, err = s.String()
		case name == "isBlindAppend" && (k == 't' || k == 'f'):
			c.IsBlindAppend, err = s.Bool()
		case name == "engineInfo" && k == '"':
			c.EngineInfo, err = s.String()
		case name == "txnId" && k == '"':
			c.TxnID, err = s.String()
		default:
			err = s.Skip()
		}
		return err
	})
	return c, err
}

// wholeNumber takes a number and gives nil for one that is not whole.
func wholeNumber(s *jsonscan.Scanner) (*int64, error) {
	text, err := s.Number()
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return nil, nil
	}
	return &n, nil
}

func isNumber(c byte) bool { return c == '-' || c >= '0' && c <= '9' }

func (c *Commit) parseTxn(s *jsonscan.Scanner) error {
	t := Txn{}
	err := fields(s, func(name string) (err error) {
		switch name {
		case "appId":
			t.AppID, err = s.String()
		case "version":
			t.Version, err = s.Int64()
		case "lastUpdated":
			t.LastUpdated, err = int64Of(s)
		default:
			err = s.Skip()
		}
		return err
	})
	c.Txns = append(c.Txns, t)
	return err
}

func (c *Commit) parseDomain(s *jsonscan.Scanner) error {
	d := DomainMetadata{}
	err := fields(s, func(name string) (err error) {
		switch name {
		case "domain":
			d.Domain, err = s.String()
		case "configuration":
			d.Configuration, err = s.String()
		case "removed":
			d.Removed, err = s.Bool()
		default:
			err = s.Skip()
		}
		return err
	})
	c.Domains = append(c.Domains, d)
	return err
}

func (c *Commit) parseSidecar(s *jsonscan.Scanner) error {
	f := Sidecar{}
	err := fields(s, func(name string) (err error) {
		switch name {
		case "path":
			f.Path, err = s.String()
		case "sizeInBytes":
			f.SizeInBytes, err = s.Int64()
		default:
			err = s.Skip()
		}
		return err
	})
	if err == nil && f.Path == "" {
		err = errNoPath
	}
	c.Sidecars = append(c.Sidecars, f)
	return err
}
