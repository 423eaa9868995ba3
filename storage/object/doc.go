// Package object is the one way to the bytes of a lakehouse: a [Store] is a
// namespace of objects that are written once and read many times.
//
// It promises:
//
//  1. An object is visible whole or not at all. [Writer].Close, Store.Put and
//     Store.PutIfAbsent return nil only after the object, its name and the
//     directories it needed are durable.
//  2. Of any number of concurrent PutIfAbsent calls on one path exactly one
//     returns nil; a call that finds an object there returns [ErrExists].
//     This is the whole basis of the commit protocols above.
//  3. Listings come in byte order and show what was written before they
//     started.
//  4. Every error wraps a sentinel of this package or is the context's own,
//     and names the operation and the path. None contains a credential.
//
// An error of Put, PutIfAbsent or Close other than ErrExists and
// [ErrInvalidPath] leaves the outcome open: the object may have become visible
// before the call failed. Whoever must know reads it back.
//
// It leaves to others: retries, caching of contents, and what the objects
// mean. Cloud stores live in packages of their own that [Register] a scheme
// when they are imported.
//
//	store, err := object.Open("file:///data/lake")
//	if err != nil {
//		return err
//	}
//	err = store.PutIfAbsent(ctx, "t/_delta_log/00000000000000000000.json", body)
//	if errors.Is(err, object.ErrExists) {
//		// somebody else committed this version
//	}
//
// [Trace] records the calls to a store and [Fault] makes chosen ones fail; both
// wrap any store and each other. Package objecttest holds the suite that every
// implementation passes.
package object
