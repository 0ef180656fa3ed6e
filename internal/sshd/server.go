package sshd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

// The ways in which options can be wrong.
var (
	ErrNoAccess      = errors.New("nobody would be let in")
	ErrTwoWays       = errors.New("either the owners of authorized keys are let in or anyone")
	ErrNegativeLimit = errors.New("a limit is below zero")
)

// acceptPause is how long a server waits when the system has no file or memory
// for another connection.
const acceptPause = 100 * time.Millisecond

// Server is a running SSH server. [Server.Drain] ends it.
type Server struct {
	options     Options
	key         gossh.AlgorithmSigner
	keys        *keyFile // nil where anyone gets in
	gate        *gate
	listener    net.Listener
	operations  *operations
	metrics     *metrics
	metricsAddr net.Addr
	refusals    chan struct{}  // holds one element for each client that is being told why
	refusalLog  *rate.Limiter  // of lines in the log
	tasks       sync.WaitGroup // the accept loop, the visits, the refusals
	draining    atomic.Bool
	drained     chan struct{}
	memory      memoryRelease

	mu     sync.Mutex
	visits map[*visit]struct{}
}

// Start starts a server. The context is for the start alone. Errors are those of
// options that cannot be, of files and of addresses.
func Start(ctx context.Context, o Options) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{
		options:    o,
		gate:       newGate(o.Limits, o.Now),
		metrics:    newMetrics(),
		refusals:   make(chan struct{}, refusalsAtOnce),
		refusalLog: rate.NewLimiter(1, burst),
		drained:    make(chan struct{}),
		visits:     make(map[*visit]struct{}),
	}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	s.tasks.Go(s.accept)
	return s, nil
}

func (o *Options) check() error {
	l := o.Limits
	switch {
	case o.Access == Access{}:
		return ErrNoAccess
	case o.Access.Anyone && o.Access.AuthorizedKeys != "":
		return ErrTwoWays
	case min(l.Connections, l.PerAddress, l.Tries) < 0, l.PerSecond < 0, o.Grace < 0,
		min(l.Idle, l.Total, l.Authenticate, l.Stalled) < 0:
		return ErrNegativeLimit
	default:
		return nil
	}
}

// open gets what the server needs from the disk and the network.
func (s *Server) open(ctx context.Context) (err error) {
	if file := s.options.Access.AuthorizedKeys; file != "" {
		if s.keys, err = openKeyFile(file, s.options.Log); err != nil {
			return err
		}
	}
	if s.key, err = hostKey(ctx, s.options.HostKey); err != nil {
		return err
	}
	if s.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", s.options.Listen); err != nil {
		return err
	}
	if s.options.Metrics != "" {
		if s.operations, err = startOperations(ctx, s.options.Metrics, s); err != nil {
			_ = s.listener.Close()
		}
	}
	return err
}

// Addr is the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// MetricsAddr is the address of health and metrics, nil where they are not served.
func (s *Server) MetricsAddr() net.Addr { return s.metricsAddr }

// Fingerprint is that of the host's key, SHA256:... as ssh shows it.
func (s *Server) Fingerprint() string { return gossh.FingerprintSHA256(s.key.PublicKey()) }

// Wait waits until the server has been drained.
func (s *Server) Wait() { <-s.drained }

// accept accepts connections until the listener is closed.
func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		switch {
		case err == nil:
			s.admit(c, addressOf(c))
		case errors.Is(err, net.ErrClosed):
			return
		default:
			if s.refusalLog.Allow() {
				s.options.Log.Error("no connection accepted", "error", err.Error())
			}
			pause := time.NewTimer(acceptPause)
			<-pause.C
		}
	}
}

// admit serves a connection from an address, or refuses it before a handshake, at
// little cost.
func (s *Server) admit(c net.Conn, address netip.Addr) {
	slot, refused := s.gate.enter(address)
	if refused != nil {
		s.refuse(c, address, refused)
		return
	}
	v := newVisit(s, c, address, slot)
	s.metrics.began()
	s.mu.Lock()
	s.visits[v] = struct{}{}
	s.memory.connections(len(s.visits))
	late := s.draining.Load() // Drain may have told all visits already
	s.mu.Unlock()
	if late {
		v.end(endDrain())
	}
	s.tasks.Go(func() {
		defer slot.leave()
		v.serve()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.visits, v)
		s.memory.connections(len(s.visits))
	})
}

// refuse tells a client why it is refused, unless too many are being told, and the log,
// unless that was told too often of late.
func (s *Server) refuse(c net.Conn, address netip.Addr, why *refusal) {
	s.metrics.refusals.WithLabelValues(why.reason).Inc()
	if s.refusalLog.Allow() {
		s.options.Log.Warn("refused", "address", address.String(), "reason", why.reason)
	}
	select {
	case s.refusals <- struct{}{}:
		s.tasks.Go(func() {
			defer func() { <-s.refusals }()
			sendRefusal(c, why.sentence)
		})
	default:
		_ = c.Close()
	}
}

func addressOf(c net.Conn) netip.Addr {
	tcp, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return tcp.AddrPort().Addr().Unmap()
}

// Drain ends the server: no connection is accepted any more, and each visitor is told.
// When all have left, the grace time has passed or ctx ends, the rest is ended. It is
// called once.
func (s *Server) Drain(ctx context.Context) {
	defer close(s.drained)
	defer s.memory.stop()
	s.draining.Store(true)
	_ = s.listener.Close()
	left := make(chan struct{})
	go func() {
		defer close(left)
		s.tasks.Wait()
	}()
	s.options.Log.Info("draining", "grace", s.options.Grace.String())
	s.announce()
	wait(ctx, left, s.options.Grace)
	for _, v := range s.current() {
		v.end(endDrain())
	}
	// closeDelay is for handlers to put the terminal back; a second more, to be gone.
	if !wait(context.Background(), left, closeDelay+time.Second) {
		s.options.Log.Error("connections did not end", "count", len(s.current()))
	}
	if s.operations != nil {
		s.operations.close()
	}
	s.options.Log.Info("drained")
}

// announce tells those who are at work that the server goes down, and ends the
// others.
func (s *Server) announce() {
	sentence := fmt.Sprintf("The server is going down. This connection ends in %s.", spell(s.options.Grace))
	for _, v := range s.current() {
		if v.hasSession.Load() {
			v.notify(sentence)
		} else {
			v.end(endDrain())
		}
	}
}

func (s *Server) current() []*visit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.visits))
}

// wait waits for done as long as the time and the context allow, and reports
// whether it came.
func wait(ctx context.Context, done <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-ctx.Done():
	case <-timer.C:
	}
	return false
}
