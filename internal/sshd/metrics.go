package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	runtimemetrics "runtime/metrics"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// ErrNotLoopback means that others could reach the address for metrics.
var ErrNotLoopback = errors.New("health and metrics are served on loopback addresses only")

// metrics count what one server does.
type metrics struct {
	registry                                 *prometheus.Registry
	open                                     prometheus.Gauge
	total, seconds, received, sent, panics   prometheus.Counter
	refusals, auth, refusedRequests, endings *prometheus.CounterVec // with one label
}

func newMetrics(lists func() Lists, collectors ...prometheus.Collector) *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
		m.registry.MustRegister(c)
		return c
	}
	family := func(name, help, label string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
		m.registry.MustRegister(c)
		return c
	}
	gauge := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
	}
	m.open = prometheus.NewGauge(prometheus.GaugeOpts{Name: "gatehouse_ssh_connections_open", Help: "Connections that are open."})
	m.registry.MustRegister(m.open)
	m.total = counter("gatehouse_ssh_connections_total", "Connections that were let in.")
	m.refusals = family("gatehouse_ssh_refusals_total", "Connections that were refused at the door.", "reason")
	m.auth = family("gatehouse_ssh_auth_total", "Attempts to authenticate.", "result")
	m.refusedRequests = family("gatehouse_ssh_refused_requests_total", "Requests of clients that were refused.", "kind")
	m.endings = family("gatehouse_ssh_ends_total", "Connections that have ended.", "reason")
	m.seconds = counter("gatehouse_ssh_connection_seconds_total", "How long connections lasted that have ended.")
	m.received = counter("gatehouse_ssh_received_bytes_total", "Bytes of connections that have ended, from clients.")
	m.sent = counter("gatehouse_ssh_sent_bytes_total", "Bytes of connections that have ended, to clients.")
	m.panics = counter("gatehouse_ssh_panics_total", "Connections that ended with a panic.")
	m.registry.MustRegister(collectors...)
	// The library's own collector of the runtime would add thirty more.
	if lists != nil {
		gauge("gatehouse_ssh_lists_bytes", "Bytes of memory that the lists of all connections take.", func() float64 { return float64(lists().Bytes) })
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "gatehouse_ssh_lists_refused_total", Help: "Lists for which there was no memory.",
		}, func() float64 { return float64(lists().Refused) }))
	}
	gauge("go_goroutines", "Goroutines that exist.", func() float64 { return float64(runtime.NumGoroutine()) })
	gauge("go_memstats_heap_alloc_bytes", "Bytes of memory that are in use, or not yet collected.", func() float64 { return memory("objects") })
	gauge("go_memstats_heap_inuse_bytes", "Bytes of memory that are set apart for what is in use.", func() float64 { return memory("objects", "unused") })
	gauge("go_memstats_stack_inuse_bytes", "Bytes of memory of the stacks of goroutines.", func() float64 { return memory("stacks") })
	return m
}

// memory is how much memory the runtime has for some classes.
func memory(classes ...string) (bytes float64) {
	samples := make([]runtimemetrics.Sample, len(classes))
	for i, class := range classes {
		samples[i].Name = "/memory/classes/heap/" + class + ":bytes"
	}
	runtimemetrics.Read(samples)
	for _, sample := range samples {
		bytes += float64(sample.Value.Uint64())
	}
	return bytes
}

func (m *metrics) began() {
	m.open.Inc()
	m.total.Inc()
}

func (m *metrics) ended(v *visit) {
	m.open.Dec()
	m.received.Add(float64(v.conn.in.Load()))
	m.sent.Add(float64(v.conn.out.Load()))
	m.seconds.Add(time.Since(v.began).Seconds())
	m.endings.WithLabelValues(v.why().reason).Inc()
}

// operations serves /healthz, /readyz and /metrics to the operator.
type operations struct {
	server *http.Server
	ended  chan struct{}
}

func startOperations(ctx context.Context, address string, s *Server) (*operations, error) {
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
	o := &operations{ended: make(chan struct{}), server: &http.Server{
		Handler:        s.routes(),
		ReadTimeout:    5 * time.Second,
		WriteTimeout:   5 * time.Second,
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 8 << 10,
		ErrorLog:       slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn),
	}}
	go func() {
		defer close(o.ended)
		if err := o.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.options.Log.Error("metrics are no longer served", "error", err.Error())
		}
	}()
	return o, nil
}

func (o *operations) close() {
	_ = o.server.Close()
	<-o.ended
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
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	return mux
}
