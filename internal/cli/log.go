package cli

import (
	"context"
	"log/slog"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
)

// openLog opens the log file of the profile for appending: a regular file for its
// owner alone, and no link. Without one, nothing is logged.
func openLog(p *config.Profile) (log *slog.Logger, closeLog func(), err error) {
	if p.LogFile == "" {
		return slog.New(slog.DiscardHandler), func() {}, nil
	}
	file, err := files.Append(p.LogFile)
	if err != nil {
		return nil, nil, &config.Error{
			Origin: p.Origin("log_file"),
			Key:    "log_file",
			Value:  p.LogFile,
			Want:   "want a file of your own that can be written, no link",
			Err:    err,
		}
	}
	return slog.New(slog.NewTextHandler(file, nil)), func() { _ = file.Close() }, nil
}

// logExchange logs exchanges with the service: never a query, a header or a body.
func logExchange(log *slog.Logger) func(api.Exchange) {
	return func(e api.Exchange) {
		fields := []slog.Attr{
			slog.String("method", e.Method),
			slog.String("host", e.Host),
			slog.String("path", e.Path),
			slog.Int("status", e.Status),
			slog.Duration("duration", e.Duration),
			slog.Int64("bytes", e.Bytes),
		}
		level := slog.LevelInfo
		if e.Err != nil {
			level = slog.LevelWarn
			fields = append(fields, slog.String("error", e.Err.Error()))
		}
		log.LogAttrs(context.Background(), level, "exchange", fields...)
	}
}
