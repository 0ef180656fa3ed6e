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

	// These are for tests. Listener is used in place of one on Listen. AccessLife is the life of
	// access tokens if it is not 0. Wrap returns a handler that may answer in place of the service.
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

	// families are all sign-ins since the service began, by their ids. byRefresh has them by all of
	// their refresh tokens, also those that were used, so that a second use is noticed.
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
		Handler:   handler,
		ConnState: s.count,
		ConnContext: func(ctx context.Context, conn net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, conn)
		},
		ErrorLog:          log.New(io.Discard, "", 0), // standard error belongs to the program
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	config := &tls.Config{Certificates: []tls.Certificate{s.certificate}}
	listener := eitherListener{o.Listener, config}
	go func() { s.served <- s.http.Serve(listener) }()

	s.close = sync.OnceValue(s.shutDown)
	return s, nil
}

// count counts the connections, for shutDown to wait until the goroutines of all have ended. A
// hijacked connection is closed by whoever has taken it.
func (s *Server) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.connections.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.connections.Done()
	}
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

// shutDown closes the server twice: a connection that is accepted during the first time is not
// known before the second.
func (s *Server) shutDown() error {
	err := s.http.Close()
	if served := <-s.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	err = errors.Join(err, s.http.Close())
	s.connections.Wait()
	return err
}

// The paths of the hosts of the service, which have one listener.
const (
	mainAuthorityPath  = "/auth"
	testAuthorityPath  = "/auth-test"
	localAuthorityPath = "/local/"
	gatewayPath        = "/gateway/"
	globalPath         = "/global"
)

// tokenPath is the path of the token endpoint within an authority.
const tokenPath = "/connect/token"

// routes answers all requests. Each answer has the time of the service's clock, with which a client
// may correct its own.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	authorities := []string{mainAuthorityPath, testAuthorityPath, localAuthorityPath + "{domain}"}
	for _, authority := range authorities {
		mux.HandleFunc("POST "+authority+tokenPath, s.token)
	}
	const gateway = gatewayPath + "{domain}"
	mux.Handle("GET "+gateway+"/api/users/{userId}/shares", s.gateway(s.shares))
	mux.Handle("GET "+gateway+"/api/resellers/{resellerId}/companies", s.gateway(s.companies))
	mux.Handle(gateway, s.gateway(notFound))
	mux.Handle(gateway+"/", s.gateway(notFound))
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
