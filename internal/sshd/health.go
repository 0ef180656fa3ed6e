package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// ErrNotLoopback refuses an address for metrics that others could reach.
var ErrNotLoopback = errors.New("health and metrics are served on loopback addresses alone")

// health serves /healthz, /readyz and /metrics.
type health struct {
	server *http.Server
	ended  chan struct{}
}

func startHealth(ctx context.Context, address string, s *Server) (*health, error) {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, err
	}
	if !resolved.IP.IsLoopback() {
		return nil, fmt.Errorf("%w, and %s is none", ErrNotLoopback, address)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", resolved.String())
	if err != nil {
		return nil, err
	}
	s.metricsAddr = listener.Addr()
	h := &health{ended: make(chan struct{}), server: &http.Server{
		Handler:        s.routes(),
		ReadTimeout:    5 * time.Second,
		WriteTimeout:   5 * time.Second,
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 8 << 10,
		ErrorLog:       slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn),
	}}
	go func() {
		defer close(h.ended)
		if err := h.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.options.Log.Error("metrics are no longer served", "error", err.Error())
		}
	}()
	return h, nil
}

func (h *health) close() {
	_ = h.server.Close()
	<-h.ended
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if s.draining.Load() {
			http.Error(w, "draining", http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		s.metrics.write(w)
	})
	return mux
}
