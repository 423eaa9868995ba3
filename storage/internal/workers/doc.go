// Package workers runs parts of one piece of work at the same time.
//
//	var w workers.Group
//	for i, f := range files {
//		w.Start(func() { read[i], errs[i] = readFile(f) })
//	}
//	w.Wait()
package workers
