package types

import (
	"encoding/binary"
	"math"
	"time"
)

// A Moment is a program's time.Time, which is two things: an instant, and what
// the clock of its place shows then. Where it is used says which of them counts:
// MomentAs is that rule. Until it is known, a value of kind Moment has both. Its
// type has in Length the number of the argument that it comes from, so that
// those of two arguments differ, and in Precision 1 if the clock may show
// another time than midnight. A literal of nanoseconds is a Moment too, with the
// session's clock, and has in Scale the kind that it has unless nanoseconds are
// asked for. No column of a table and no plan that runs has it.

// MomentOf is the type of one time.
func MomentOf(t time.Time) Type {
	out := Type{Kind: Moment}
	if hour, minute, second := t.Clock(); hour|minute|second|t.Nanosecond() != 0 {
		out.Precision = 1
	}
	return out
}

// MomentLiteral is the literal of a TIMESTAMP or a TIMESTAMP_NTZ of nanoseconds
// in a session's zone.
func MomentLiteral(nanos int64, kind Kind, zone *time.Location) (Type, []byte) {
	at := time.Unix(0, nanos)
	clock := InstantToWall(at.UnixMicro(), zone)
	if kind == TimestampNTZ {
		clock = at.UnixMicro()
		at = time.Unix(0, nanos+(WallToInstant(clock, zone)-clock)*1000)
	}
	at = at.In(time.FixedZone("", int((clock-at.UnixMicro())/MicrosPerSecond)))
	t := MomentOf(at)
	t.Scale = uint8(kind)
	return t, EncodeMoment(at)
}

// Undecided is the kind of a Moment of which nothing else is asked.
func (t Type) Undecided() Kind {
	if t.Kind == Moment && t.Scale != 0 {
		return Kind(t.Scale)
	}
	return Timestamp
}

// momentBytes is the length of a Moment's value: seconds since 1970, then
// nanoseconds, then the seconds that its clock is ahead of UTC.
const momentBytes = 8 + 4 + 4

// EncodeMoment gives the value of kind Moment.
func EncodeMoment(t time.Time) []byte {
	_, offset := t.Zone()
	b := binary.BigEndian.AppendUint64(make([]byte, 0, momentBytes), uint64(t.Unix()))
	b = binary.BigEndian.AppendUint32(b, uint32(t.Nanosecond()))
	return binary.BigEndian.AppendUint32(b, uint32(int32(offset)))
}

// DecodeMoment is the opposite of EncodeMoment.
func DecodeMoment(b []byte) time.Time {
	seconds, nanos := int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint32(b[8:]))
	offset := int(int32(binary.BigEndian.Uint32(b[12:])))
	return time.Unix(seconds, nanos).In(time.FixedZone("", offset))
}

// MomentAs gives a time as a DATE or as one of the timestamps: a DATE and the
// timestamps without zone take the clock that it shows, the others the instant,
// and each as many digits of it as it has. ok is false beyond the type's range.
func MomentAs(t time.Time, kind Kind) (v int64, ok bool) {
	const last = math.MaxInt64/MicrosPerSecond - 86400
	if t.Unix() < -last || t.Unix() > last {
		return 0, false
	}
	seconds := t.Unix()
	if kind == Date || kind == TimestampNTZ || kind == TimestampNTZNS {
		_, offset := t.Zone()
		seconds += int64(offset)
	}
	switch micros := seconds*MicrosPerSecond + int64(t.Nanosecond()/1000); kind {
	case Date:
		days, _ := SplitMicros(micros)
		return int64(days), true
	case Timestamp, TimestampNTZ:
		return micros, true
	}
	const lastNanos = int64(math.MaxInt64)/1e9 - 1
	return seconds*1_000_000_000 + int64(t.Nanosecond()), seconds >= -lastNanos && seconds <= lastNanos
}

// WithMoments gives a type with settle of each Moment in it, in their order, in
// the place of that.
func WithMoments(t Type, settle func(Type) Type) Type {
	switch {
	case t.Kind == Moment:
		return settle(t)
	case !t.Holds(Moment):
		return t
	case t.Key != nil:
		key := *t.Key
		key.Type = WithMoments(key.Type, settle)
		t.Key = &key
	}
	if t.Elem != nil {
		elem := *t.Elem
		elem.Type = WithMoments(elem.Type, settle)
		t.Elem = &elem
	}
	fields := t.Fields
	t.Fields = nil
	for _, f := range fields {
		f.Type = WithMoments(f.Type, settle)
		t.Fields = append(t.Fields, f)
	}
	return t
}
