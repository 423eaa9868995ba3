// Package action holds the actions of a Delta log (protocol, "Actions") and
// reads and writes commits, which have one action in JSON on each line.
//
// Unknown actions and fields are ignored, as the protocol asks for; a required
// field that is absent is an error, as is anything that is not JSON. Paths stay
// as the log has them, percent-encoded.
//
//	commit, err := action.ParseCommit(body)
//	for _, f := range commit.Files {
//		if f.Add != nil { … }
//	}
package action
