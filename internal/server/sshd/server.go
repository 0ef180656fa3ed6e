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
	metrics     *metrics
	metricsAddr net.Addr
	// stopOperations ends the HTTP server for the operator; nil if there is none.
	stopOperations func()

	refusals   chan struct{}  // one element for each refusal that is being sent
	refusalLog *rate.Limiter  // of log lines about refusals
	tasks      sync.WaitGroup // the accept loop and the connections
	draining   atomic.Bool
	memory     memoryRelease
}

// Start starts a server, which runs until [Server.Drain]; ctx bounds the start only. The error is a
// [problem.Error] for the operator, or that of listening on an address.
func Start(ctx context.Context, o Options) (*Server, error) {
	s := newServer(o)
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	s.tasks.Go(s.accept)
	return s, nil
}

// newServer makes a server that has no host key and no listener yet.
func newServer(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.headerTimeout = cmp.Or(o.headerTimeout, headerTimeout)
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
	if s.key, err = loadHostKey(ctx, s.options.HostKey); err != nil {
		return startProblem(err, "Create one with `ssh-keygen -t ed25519 -N '' -f FILE`, "+
			"or leave --host-key out and the server creates its own. "+
			"It must belong to root or to the server's user, and nobody else can read it (mode 0600).")
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.options.Listen)
	if err != nil {
		return err
	}
	s.setListener(listener)
	if s.options.Metrics != "" {
		if s.stopOperations, err = s.serveOperations(ctx, s.options.Metrics); err != nil {
			_ = s.listener.Close()
		}
	}
	return err
}

// startProblem explains to the operator why the server does not start, and what to do about it.
func startProblem(err error, hint string) error {
	return problem.BadUsage("the server could not start: "+err.Error(), hint)
}

// Addr is the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Fingerprint is the fingerprint of the host key as ssh shows it, SHA256:...
func (s *Server) Fingerprint() string { return gossh.FingerprintSHA256(s.key.PublicKey()) }

// accept accepts connections until the listener is closed.
func (s *Server) accept() {
	const pause = 100 * time.Millisecond // when the system lacks file descriptors or memory
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
			time.Sleep(pause)
		}
	}
}

// serve serves a connection until it ends, or refuses it before the handshake. A panic ends only
// this connection.
func (s *Server) serve(c net.Conn) {
	defer func() {
		if r := recover(); r != nil {
			s.logPanic(s.options.Log, "connection", r)
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
	s.memory.visitorsChanged(int(s.metrics.open.Get()))
	if s.draining.Load() { // and Drain may not have seen this connection
		v.end(endDrain)
	}
	v.serve()
	s.gate.leave(v)
	s.memory.visitorsChanged(int(s.metrics.open.Get()))
}

// logPanic counts and logs a panic. It logs the type of r and the stack, but not its text, which
// may hold what a visitor typed.
func (s *Server) logPanic(log *slog.Logger, where string, r any) {
	s.metrics.panics.Inc()
	log.Error("panic", "in", where, "panic", fmt.Sprintf("%T", r), "stack", string(debug.Stack()))
}

// refuse refuses a connection and closes it. The client is told why, and the log has a line, unless
// there are too many refusals at the time.
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

// addressOf returns the IP address of a connection's peer; zero if it is not TCP.
func addressOf(c net.Conn) netip.Addr { return addressOfPeer(c.RemoteAddr()) }

// addressOfPeer returns the IP address of a peer; zero if it is not TCP.
func addressOfPeer(peer net.Addr) netip.Addr {
	tcp, ok := peer.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return tcp.AddrPort().Addr().Unmap()
}

// Drain shuts the server down and must be called only once. The server accepts no more
// connections and notifies its visitors. When all have left, after [Options.Grace] or at the end
// of ctx, the remaining connections are closed.
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
	waitFor(ctx, left, s.options.Grace)
	for _, v := range s.gate.all() {
		v.end(endDrain)
	}
	// Handlers have closeDelay to restore the terminal, and one more second to return.
	finish := max(closeDelay+time.Second, s.options.Finish)
	if !waitFor(context.Background(), left, finish) {
		s.options.Log.Error("connections did not end", "count", len(s.gate.all()))
	}
	if s.stopOperations != nil {
		s.stopOperations()
	}
	s.options.Log.Info("drained")
}

// announce notifies visitors with a session that the server is shutting down, and ends the
// other connections.
func (s *Server) announce() {
	sentence := fmt.Sprintf("The server is shutting down. This connection ends within %s.",
		human.InWords(s.options.Grace))
	for _, v := range s.gate.all() {
		if v.hasSession.Load() {
			replace(v.notices, sentence) // the handler shows it
		} else {
			v.end(endDrain)
		}
	}
}

// waitFor waits until done is closed, and reports whether it was. It gives up after the limit or
// at the end of ctx.
func waitFor(ctx context.Context, done <-chan struct{}, limit time.Duration) bool {
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	case <-time.After(limit):
		return false
	}
}
