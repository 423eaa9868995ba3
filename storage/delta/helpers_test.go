package delta

import "errors"

func isError(err, kind error) bool { return errors.Is(err, kind) }
