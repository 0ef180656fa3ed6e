// Package demo is a small copy of the file-sharing service, for trying the
// program without an installation: a token endpoint, a client gateway and a
// global service, speaking real HTTP on loopback.
//
// It is written from the interface document alone and shares no code with the
// client side. Where the interface is silent, the choice made here is stated
// at the place that makes it.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// ErrNotLoopback is wrapped by the error of [Start] for an address that other
// machines could reach: the demo speaks plain http.
var ErrNotLoopback = errors.New("not a loopback address")

// Options say how the demo runs. The zero value is ready to use.
type Options struct {
	// Listen is the loopback address to listen on, as host:port; port 0 takes
	// a free one. Empty means 127.0.0.1:0.
	Listen string
	// Now is the service's clock: tokens, refresh tokens and the Date header
	// follow it. Nil means [time.Now].
	Now func() time.Time
	// Stock is shared with other services of the process; nil is one of its own.
	Stock *Stock
	// Secrets let a caller in. The zero value of each is the demo's own, which
	// everybody knows.
	Secrets Secrets

	// Tests set these. Listener takes the place of one on Listen. Faults are what the
	// service does wrong.
	Listener net.Listener
	Faults   *Faults
}

// Server is a running demo service. Its methods may be called from several
// goroutines.
type Server struct {
	url    string
	now    func() time.Time
	stock  *Stock
	signer *signer
	tokens *tokenStore
	// secrets are those that let a caller in.
	secrets Secrets

	http        *http.Server
	served      chan error
	connections sync.WaitGroup
	close       func() error
	forget      func() bool
}

// Start listens and serves until ctx ends or [Server.Close] is called. When it
// returns, requests are answered. The signing key is made at the first sign-in
// with the stock, so that starting costs next to nothing.
//
// Errors: one that wraps [ErrNotLoopback], or the reason why the address
// cannot be listened on.
func Start(ctx context.Context, o Options) (*Server, error) {
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Stock == nil {
		o.Stock = new(Stock)
	}
	listener, err := o.listener(ctx)
	if err != nil {
		return nil, fmt.Errorf("start the demo service on %q: %w", o.Listen, err)
	}

	s := &Server{
		url:     "http://" + listener.Addr().String(),
		now:     o.Now,
		stock:   o.Stock,
		signer:  newSigner(o.Now, o.Stock),
		tokens:  newTokenStore(o.Now),
		secrets: o.Secrets.orOwn(),
		served:  make(chan error, 1),
	}
	handler := s.routes()
	if o.Faults != nil {
		handler = o.Faults.Before(handler)
	}
	s.http = &http.Server{
		Handler:           handler,
		ConnState:         s.countConnection,
		ErrorLog:          log.New(io.Discard, "", 0), // standard error belongs to the program
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	go func() { s.served <- s.http.Serve(listener) }()

	s.close = sync.OnceValue(s.shutDown)
	s.forget = context.AfterFunc(ctx, func() { _ = s.close() })
	return s, nil
}

// URL is the address of the service, without a path: "http://127.0.0.1:43211".
func (s *Server) URL() string { return s.url }

// Close ends every connection, also those in the middle of an answer, and
// returns when all goroutines of the service have ended. Later calls return
// the same result.
func (s *Server) Close() error {
	s.forget()
	return s.close()
}

func (s *Server) shutDown() error {
	err := s.http.Close()
	if served := <-s.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	// A connection accepted while the first call ran is known only now.
	err = errors.Join(err, s.http.Close())
	s.connections.Wait()
	return err
}

// countConnection lets shutDown wait for the goroutine of every connection.
func (s *Server) countConnection(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.connections.Add(1)
	case http.StateClosed, http.StateHijacked: // who took it closes it
		s.connections.Done()
	}
}

func (o Options) listener(ctx context.Context) (net.Listener, error) {
	if o.Listener != nil {
		return o.Listener, nil
	}
	return listen(ctx, o.Listen)
}

// listen resolves the address before opening it, so that a name or an empty
// host never opens a port to other machines, not even for a moment.
func listen(ctx context.Context, address string) (net.Listener, error) {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, err
	}
	if !resolved.IP.IsLoopback() {
		return nil, fmt.Errorf("%w: the demo speaks plain http, use one such as 127.0.0.1:0", ErrNotLoopback)
	}
	var config net.ListenConfig
	return config.Listen(ctx, "tcp", resolved.String())
}
