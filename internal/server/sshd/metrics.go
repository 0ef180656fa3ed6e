package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	metricset "github.com/VictoriaMetrics/metrics"

	"gatehouse/internal/text/problem"
)

// metrics count what one server does.
type metrics struct {
	set            *metricset.Set
	open           *metricset.Gauge   // connections that are open now
	total          *metricset.Counter // connections
	received, sent *metricset.Counter // bytes
	panics         *metricset.Counter
	seconds        *metricset.FloatCounter // how long connections were open, in all
}

func newMetrics() *metrics {
	metricset.ExposeMetadata(true)
	set := metricset.NewSet()
	return &metrics{
		set:      set,
		open:     set.NewGauge("gatehouse_ssh_connections_open", nil),
		total:    set.NewCounter("gatehouse_ssh_connections_total"),
		seconds:  set.NewFloatCounter("gatehouse_ssh_connection_seconds_total"),
		received: set.NewCounter("gatehouse_ssh_received_bytes_total"),
		sent:     set.NewCounter("gatehouse_ssh_sent_bytes_total"),
		panics:   set.NewCounter("gatehouse_ssh_panics_total"),
	}
}

// count adds one to the counter of a name, with a label of this value.
func (m *metrics) count(name, label, value string) {
	m.set.GetOrCreateCounter(fmt.Sprintf("%s{%s=%q}", name, label, value)).Inc()
}

func (m *metrics) refused(reason string)       { m.count("gatehouse_ssh_refusals_total", "reason", reason) }
func (m *metrics) authenticated(result string) { m.count("gatehouse_ssh_auth_total", "result", result) }

// ended counts a connection that has ended, with its bytes, its duration and the reason.
func (m *metrics) ended(v *visit) {
	m.open.Dec()
	m.received.AddInt64(v.conn.in.Load())
	m.sent.AddInt64(v.conn.out.Load())
	m.seconds.Add(time.Since(v.started).Seconds())
	m.count("gatehouse_ssh_ends_total", "reason", v.why().reason)
}

// serveOperations serves /healthz, /readyz and /metrics on a loopback address until end is
// called. The error is a [problem.Error] for another address, or that of listening.
func (s *Server) serveOperations(ctx context.Context, address string) (end func(), err error) {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil || !resolved.IP.IsLoopback() {
		return nil, problem.BadUsage(
			fmt.Sprintf("flag --metrics is %q: health and metrics are for this machine only", address),
			"Use a loopback address such as 127.0.0.1:9100.")
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", resolved.String())
	if err != nil {
		return nil, err
	}
	s.metricsAddr = listener.Addr()
	server := s.newOperations(hostOf(address))
	var serving sync.WaitGroup
	serving.Go(func() { s.runOperations(server, listener) })
	return func() {
		_ = server.Close()
		serving.Wait() // the goroutine closes a listener that the server has not taken over yet
	}, nil
}

// runOperations runs the HTTP server for the operator until it is closed. If its listener fails
// before, the log says so.
func (s *Server) runOperations(server *http.Server, listener net.Listener) {
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		s.options.Log.Error("metrics are no longer served", "error", err.Error())
	}
}

// newOperations returns the HTTP server for the operator, which the listener was given by the name
// of a host. It waits for no client for long.
func (s *Server) newOperations(host string) *http.Server {
	return &http.Server{
		Handler:        forHosts(host, s.routes()),
		ReadTimeout:    5 * time.Second,
		WriteTimeout:   5 * time.Second,
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 8 << 10,
		ErrorLog:       slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn),
	}
}

// forHosts lets only requests pass whose Host header names a loopback address or the host that the
// listener was given. Otherwise a page in a browser on this machine could point its own name at the
// machine (DNS rebinding) and read the answers.
func forHosts(given string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostOf(r.Host)
		if !isLoopback(host) && host != given {
			http.Error(w, "this server answers for a loopback address only", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostOf returns the host of an address with or without a port: in lower case, without brackets and
// without a dot at its end.
func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// isLoopback reports whether a host is this machine whatever a name server says. So is no host at
// all, as in HTTP/1.0, which no browser sends.
func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "" || host == "localhost" || err == nil && address.Unmap().IsLoopback()
}

// routes answers that the server runs (healthz), whether it accepts connections (readyz), and
// with its metrics in the text format of Prometheus.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if s.draining.Load() {
			http.Error(w, "draining", http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		s.metrics.set.WritePrometheus(w)
		metricset.WriteGoMetrics(w)
		for _, write := range s.options.OtherMetrics {
			write(w)
		}
	})
	return mux
}
