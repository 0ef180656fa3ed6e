package sshd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
)

// Server is a running SSH server. [Server.Drain] ends it.
type Server struct {
	options     Options
	key         gossh.MultiAlgorithmSigner
	admission   *admission // nil where anyone gets in
	gate        *gate
	listener    net.Listener
	operations  func() // ends what serves the operator
	metrics     *metrics
	metricsAddr net.Addr
	refusals    chan struct{}  // one element for each refusal being sent
	refusalLog  *rate.Limiter  // limits log lines
	tasks       sync.WaitGroup // the accept loop and the connections
	draining    atomic.Bool
	memory      memoryRelease
}

// Start starts a server. ctx limits the start alone. Errors are a [problem.Error], or those
// of addresses.
func Start(ctx context.Context, o Options) (*Server, error) {
	s := newServer(o)
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	s.tasks.Go(s.accept)
	return s, nil
}

// newServer is a server without a key and a listener.
func newServer(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.headerTime = cmp.Or(o.headerTime, headerTime)
	return &Server{
		options:    o,
		gate:       newGate(o.Limits, o.Now),
		metrics:    newMetrics(),
		refusals:   make(chan struct{}, refusalsAtOnce),
		refusalLog: rate.NewLimiter(1, burst),
	}
}

// open reads the keys and opens the listeners.
func (s *Server) open(ctx context.Context) (err error) {
	if !s.options.Access.Anyone {
		if s.admission, err = openAdmission(s.options.Access, s.options.Log); err != nil {
			return err
		}
	}
	if s.key, err = hostKey(ctx, s.options.HostKey); err != nil {
		return noStart(err, "Create one with `ssh-keygen -t ed25519 -N '' -f FILE`, or leave --host-key out and the server creates its own. "+
			"It must belong to root or to the server's user, and nobody else can read it (mode 0600).")
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.options.Listen)
	if err != nil {
		return err
	}
	s.listen(listener)
	if s.options.Metrics != "" {
		if s.operations, err = s.serveOperations(ctx, s.options.Metrics); err != nil {
			_ = s.listener.Close()
		}
	}
	return err
}

// noStart explains to the operator why a server does not start.
func noStart(err error, hint string) error {
	return problem.BadUsage("the server could not start: "+err.Error(), hint)
}

// Addr is the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Fingerprint is the fingerprint of the host key, SHA256:... as ssh shows it.
func (s *Server) Fingerprint() string { return gossh.FingerprintSHA256(s.key.PublicKey()) }

// accept accepts connections until the listener is closed.
func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		switch {
		case err == nil:
			s.tasks.Go(func() { s.serve(c) })
		case errors.Is(err, net.ErrClosed):
			return
		default:
			if s.refusalLog.Allow() {
				s.options.Log.Error("no connection accepted", "error", err.Error())
			}
			time.Sleep(100 * time.Millisecond) // the system lacks file descriptors or memory
		}
	}
}

// serve serves a connection until its end, or refuses it before a handshake, at little cost. A panic
// ends this connection only.
func (s *Server) serve(c net.Conn) {
	defer func() {
		if r := recover(); r != nil {
			s.panicked(s.options.Log, "connection", r)
			_ = c.Close()
		}
	}()
	address, ok := s.clientAddress(c)
	if !ok {
		return
	}
	v := newVisit(s, c, address)
	evicted, refused := s.gate.enter(v)
	if refused != nil {
		s.refuse(c, address, refused)
		return
	}
	if evicted != nil {
		evicted.end(endEvicted)
	}
	s.metrics.open.Inc()
	s.metrics.total.Inc()
	s.memory.moved(int(s.metrics.open.Get()))
	if s.draining.Load() { // Drain may have told all others already
		v.end(endDrain)
	}
	v.serve()
	s.gate.leave(v)
	s.memory.moved(int(s.metrics.open.Get()))
}

// panicked counts and logs a panic. Its text may hold what a visitor typed, so its type and the stack
// say what it was.
func (s *Server) panicked(log *slog.Logger, where string, r any) {
	s.metrics.panics.Inc()
	log.Error("panic", "in", where, "panic", fmt.Sprintf("%T", r), "stack", string(debug.Stack()))
}

// refuse sends the reason to the client, unless too many refusals are being sent, and
// logs it, unless too many were logged recently.
func (s *Server) refuse(c net.Conn, address netip.Addr, why *ending) {
	s.metrics.refused(why.reason)
	if s.refusalLog.Allow() {
		s.options.Log.Warn("refused", "address", address.String(), "reason", why.reason)
	}
	select {
	case s.refusals <- struct{}{}:
		sendRefusal(c, why.sentence)
		<-s.refusals
	default:
		_ = c.Close()
	}
}

func addressOf(c net.Conn) netip.Addr { return addressOfPeer(c.RemoteAddr()) }

func addressOfPeer(peer net.Addr) netip.Addr {
	tcp, ok := peer.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return tcp.AddrPort().Addr().Unmap()
}

// Drain shuts the server down: it accepts no more connections and notifies each visitor.
// When all have left, the grace time has passed or ctx ends, the remaining connections
// are closed. It is called once.
func (s *Server) Drain(ctx context.Context) {
	defer s.memory.stop()
	s.draining.Store(true)
	_ = s.listener.Close()
	left := make(chan struct{})
	go func() { // ends with the last connection
		defer close(left)
		s.tasks.Wait()
	}()
	s.options.Log.Info("draining", "grace", s.options.Grace.String())
	s.announce()
	wait(ctx, left, s.options.Grace)
	for _, v := range s.gate.all() {
		v.end(endDrain)
	}
	// closeDelay is for handlers to restore the terminal; one more second to finish.
	if !wait(context.Background(), left, max(closeDelay+time.Second, s.options.Finish)) {
		s.options.Log.Error("connections did not end", "count", len(s.gate.all()))
	}
	if s.operations != nil {
		s.operations()
	}
	s.options.Log.Info("drained")
}

// announce notifies visitors with a session that the server is shutting down, and ends the
// other connections.
func (s *Server) announce() {
	sentence := fmt.Sprintf("The server is shutting down. This connection ends within %s.", human.InWords(s.options.Grace))
	for _, v := range s.gate.all() {
		if v.hasSession.Load() {
			replace(v.notices, sentence) // for the handler
		} else {
			v.end(endDrain)
		}
	}
}

// wait waits for done, up to the limit or the end of the context, and reports whether it
// was closed.
func wait(ctx context.Context, done <-chan struct{}, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}
