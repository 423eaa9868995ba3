// Package scanning is what scans of every format have in common: the Request that
// a storage.ScanBuilder is refined to, the Layout, which says what columns a scan
// reads of a file for it, and the Scan, which has the tasks.
//
//	func (s *Snapshot) NewScan() storage.ScanBuilder {
//		return scanning.NewBuilder(s.support, s.buildScan)
//	}
package scanning
