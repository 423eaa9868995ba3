package driver

import (
	"context"
	"log/slog"
)

// leveled gives a logger that drops what is below a level. A nil logger is
// slog.Default.
func leveled(l *slog.Logger, least slog.Level) *slog.Logger {
	if l == nil {
		l = slog.Default()
	}
	return slog.New(levelHandler{Handler: l.Handler(), least: least})
}

// levelHandler narrows the levels of a handler.
type levelHandler struct {
	slog.Handler
	least slog.Level
}

// Enabled implements slog.Handler.
func (h levelHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= h.least && h.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (h levelHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return levelHandler{Handler: h.Handler.WithAttrs(attrs), least: h.least}
}

// WithGroup implements slog.Handler.
func (h levelHandler) WithGroup(name string) slog.Handler {
	return levelHandler{Handler: h.Handler.WithGroup(name), least: h.least}
}
