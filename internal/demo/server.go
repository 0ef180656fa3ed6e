// Package demo is a small copy of the file-sharing service, for trying the
// program without an installation: a token endpoint, a client gateway and a
// global service, speaking real HTTP on loopback.
//
// It is written from the interface document alone and shares no code with the
// client side. Where the interface is silent, the choice made here is stated
// at the place that makes it.
package demo

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options say how the demo runs. The zero value is ready to use.
type Options struct {
	// Listen is the loopback address to listen on, as host:port; port 0 takes
	// a free one. Empty means 127.0.0.1:0.
	Listen string
	// Now is the service's clock: tokens, refresh tokens and the Date header
	// follow it. Nil means [time.Now].
	Now func() time.Time
	// Secrets let a caller in. The zero value of each is the demo's own, which
	// everybody knows.
	Secrets Secrets

	// Tests set these. Listener takes the place of one on Listen. Wrap stands before
	// the service and may answer in its place. AccessLife is the life of access tokens, if not 0.
	Listener   net.Listener
	AccessLife time.Duration
	Wrap       func(service http.Handler) http.Handler
}

// Password is the password of every account unless [Secrets] says otherwise.
const Password = "demo"

// Secrets are what callers of the service show to be let in.
type Secrets struct {
	Password     string // of every account
	ClientSecret string // of the client that [Server.Env] names
	// The keys of server-to-server use (interface section 5): a reseller key is
	// for reseller endpoints, a company key for company and share endpoints.
	ResellerKey, CompanyKey string
}

// Server is a running demo service. Its methods may be called from several
// goroutines.
type Server struct {
	url         string
	now         func() time.Time
	options     Options
	certificate tls.Certificate // of the gateway that speaks TLS

	// All sign-ins, for as long as the service runs. Those by refresh token are also by the
	// spent ones: using one again must be noticed.
	mu                  sync.Mutex
	families, byRefresh map[string]*family

	http        *http.Server
	served      chan error
	connections sync.WaitGroup
	close       func() error
}

// Start listens on a loopback address and serves until [Server.Close] is called. When it
// returns, requests are answered.
func Start(ctx context.Context, o Options) (*Server, error) {
	o.Listen = cmp.Or(o.Listen, "127.0.0.1:0")
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Secrets = Secrets{
		Password:     cmp.Or(o.Secrets.Password, Password),
		ClientSecret: cmp.Or(o.Secrets.ClientSecret, "demo-secret"),
		ResellerKey:  cmp.Or(o.Secrets.ResellerKey, "demo-reseller-key"),
		CompanyKey:   cmp.Or(o.Secrets.CompanyKey, "demo-company-key"),
	}
	if o.Listener == nil {
		var err error
		if o.Listener, err = listen(ctx, o.Listen); err != nil {
			return nil, fmt.Errorf("start the demo service on %q: %w", o.Listen, err)
		}
	}

	s := &Server{
		url:         "http://" + o.Listener.Addr().String(),
		now:         o.Now,
		options:     o,
		certificate: newCertificate(o.Now()),
		families:    map[string]*family{},
		byRefresh:   map[string]*family{},
		served:      make(chan error, 1),
	}
	handler := s.routes()
	if o.Wrap != nil {
		handler = o.Wrap(handler)
	}
	s.http = &http.Server{
		Handler: handler,
		ConnState: func(_ net.Conn, state http.ConnState) { // for shutDown to wait for the goroutine of each
			switch state {
			case http.StateNew:
				s.connections.Add(1)
			case http.StateClosed, http.StateHijacked: // who took it closes it
				s.connections.Done()
			}
		},
		ConnContext: func(ctx context.Context, conn net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, conn)
		},
		ErrorLog:          log.New(io.Discard, "", 0), // standard error belongs to the program
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	listener := eitherListener{o.Listener, &tls.Config{Certificates: []tls.Certificate{s.certificate}}}
	go func() { s.served <- s.http.Serve(listener) }()

	s.close = sync.OnceValue(s.shutDown)
	return s, nil
}

// listen resolves the address before opening it, so that a name or an empty host never
// opens a port to other machines, not even for a moment.
func listen(ctx context.Context, address string) (net.Listener, error) {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, err
	}
	if !resolved.IP.IsLoopback() {
		return nil, errors.New("not a loopback address, and the demo speaks plain http")
	}
	var config net.ListenConfig
	return config.Listen(ctx, "tcp", resolved.String())
}

// URL is the address of the service, without a path: "http://127.0.0.1:43211".
func (s *Server) URL() string { return s.url }

// Close ends every connection, also those in the middle of an answer, and
// returns when all goroutines of the service have ended. Later calls return
// the same result.
func (s *Server) Close() error { return s.close() }

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

// One listener stands for all hosts of the service; a path prefix tells them
// apart.
const (
	mainAuthorityPath  = "/auth"
	testAuthorityPath  = "/auth-test"
	localAuthorityPath = "/local/"
	gatewayPath        = "/gateway/"
	globalPath         = "/global"
)

const tokenPath = "/connect/token"

// routes send the time of the service's own clock with every answer, which a client may use to
// correct its own.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for _, authority := range []string{mainAuthorityPath, testAuthorityPath, localAuthorityPath + "{domain}"} {
		mux.HandleFunc("POST "+authority+tokenPath, s.token)
	}
	mux.Handle("GET "+gatewayPath+"{domain}/api/users/{userId}/shares", s.gateway(s.shares))
	mux.Handle("GET "+gatewayPath+"{domain}/api/resellers/{resellerId}/companies", s.gateway(s.companies))
	mux.Handle(gatewayPath+"{domain}", s.gateway(notFound))
	mux.Handle(gatewayPath+"{domain}/", s.gateway(notFound))
	mux.HandleFunc("GET "+globalPath+"/getuserdomain.aspx", s.userDomain)
	mux.HandleFunc("GET "+globalPath+"/login2.aspx", s.deviceLogin)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
		mux.ServeHTTP(w, r)
	})
}

// authenticate finds the account that an e-mail and a password belong to.
func (s *Server) authenticate(email, password string) (Account, bool) {
	a, found := findAccount(email)
	return a, found && password == s.options.Secrets.Password
}

// Env returns the variables that make up a whole profile for this service. URLs hold a literal
// {domain} where the service has one address per domain. The secrets among them open nothing but
// the demo.
func (s *Server) Env() map[string]string {
	return map[string]string{
		"GATEHOUSE_AUTHORITY":       "main",
		"GATEHOUSE_AUTH_URL":        s.url + mainAuthorityPath,
		"GATEHOUSE_DOMAIN_AUTH_URL": s.url + localAuthorityPath + "{domain}",
		"GATEHOUSE_AUTH_TEST_URL":   s.url + testAuthorityPath,
		"GATEHOUSE_BASE_URL":        s.url + gatewayPath + "{domain}",
		"GATEHOUSE_GLOBAL_URL":      s.url + globalPath,
		"GATEHOUSE_CLIENT_ID":       ClientID,
		"GATEHOUSE_CLIENT_SECRET":   s.options.Secrets.ClientSecret,
		"GATEHOUSE_API_KEY":         s.options.Secrets.ResellerKey,
		"GATEHOUSE_RESELLER_ID":     resellerID,
	}
}
