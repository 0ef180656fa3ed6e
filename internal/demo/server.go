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
	// Secrets let a caller in. The zero value of each is the demo's own, which
	// everybody knows.
	Secrets Secrets

	// Tests set these. Listener takes the place of one on Listen. Wrap stands before
	// the service and may answer in its place. AccessLife is that of access tokens, if not 0.
	Listener   net.Listener
	AccessLife time.Duration
	Wrap       func(service http.Handler) http.Handler
}

// Server is a running demo service. Its methods may be called from several
// goroutines.
type Server struct {
	url    string
	now    func() time.Time
	tokens *tokenStore
	// certificate is that of the gateway that speaks TLS. It is made when it is first needed.
	certificate func() (*tls.Certificate, error)
	// secrets are those that let a caller in.
	secrets    Secrets
	accessLife time.Duration // 0: that of the account

	http        *http.Server
	served      chan error
	connections sync.WaitGroup
	close       func() error
	forget      func() bool
}

// Start listens and serves until ctx ends or [Server.Close] is called. When it
// returns, requests are answered.
//
// Errors: one that wraps [ErrNotLoopback], or the reason why the address
// cannot be listened on.
func Start(ctx context.Context, o Options) (*Server, error) {
	o.Listen = cmp.Or(o.Listen, "127.0.0.1:0")
	if o.Now == nil {
		o.Now = time.Now
	}
	listener, err := o.listener(ctx)
	if err != nil {
		return nil, fmt.Errorf("start the demo service on %q: %w", o.Listen, err)
	}

	s := &Server{
		url:     "http://" + listener.Addr().String(),
		now:     o.Now,
		tokens:  newTokenStore(o.Now),
		secrets: o.Secrets.orOwn(),
		served:  make(chan error, 1),

		accessLife:  o.AccessLife,
		certificate: sync.OnceValues(func() (*tls.Certificate, error) { return newCertificate(o.Now()) }),
	}
	handler := s.routes()
	if o.Wrap != nil {
		handler = o.Wrap(handler)
	}
	s.http = &http.Server{
		Handler:           handler,
		ConnState:         s.countConnection,
		ConnContext:       withConn,
		ErrorLog:          log.New(io.Discard, "", 0), // standard error belongs to the program
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	secured := &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.certificate() }}
	go func() { s.served <- s.http.Serve(eitherListener{listener, secured}) }()

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

// listener resolves the address before opening it, so that a name or an empty host never
// opens a port to other machines, not even for a moment.
func (o Options) listener(ctx context.Context) (net.Listener, error) {
	if o.Listener != nil {
		return o.Listener, nil
	}
	resolved, err := net.ResolveTCPAddr("tcp", o.Listen)
	if err != nil {
		return nil, err
	}
	if !resolved.IP.IsLoopback() {
		return nil, fmt.Errorf("%w: the demo speaks plain http, use one such as 127.0.0.1:0", ErrNotLoopback)
	}
	var config net.ListenConfig
	return config.Listen(ctx, "tcp", resolved.String())
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

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(mainAuthorityPath+"/connect/token", only(http.MethodPost, s.token))
	mux.Handle(testAuthorityPath+"/connect/token", only(http.MethodPost, s.token))
	mux.Handle(localAuthorityPath+"{domain}/connect/token", only(http.MethodPost, s.token))
	mux.Handle(gatewayPath+"{domain}/api/users/{userId}/shares", s.gateway(only(http.MethodGet, s.shares)))
	mux.Handle(gatewayPath+"{domain}/api/resellers/{resellerId}/companies", s.gateway(only(http.MethodGet, s.companies)))
	mux.Handle(gatewayPath+"{domain}", s.gateway(http.HandlerFunc(notFound)))
	mux.Handle(gatewayPath+"{domain}/", s.gateway(http.HandlerFunc(notFound)))
	mux.Handle(globalPath+"/getuserdomain.aspx", only(http.MethodGet, s.userDomain))
	mux.Handle(globalPath+"/login2.aspx", only(http.MethodGet, s.deviceLogin))
	mux.HandleFunc("/", notFound)
	return s.dated(mux)
}

// dated sends the time of the service's own clock, which a client may use to
// correct its own.
func (s *Server) dated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
		next.ServeHTTP(w, r)
	})
}

func only(method string, next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			w.Header().Set("Allow", method)
			refuse(w, &refusal{status: http.StatusMethodNotAllowed, message: "Use " + method + " for this address."})
			return
		}
		next(w, r)
	})
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	refuse(w, &refusal{status: http.StatusNotFound, message: "There is nothing at this address."})
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

// orOwn fills in the demo's own secrets.
func (s Secrets) orOwn() Secrets {
	return Secrets{
		Password:     cmp.Or(s.Password, Password),
		ClientSecret: cmp.Or(s.ClientSecret, "demo-secret"),
		ResellerKey:  cmp.Or(s.ResellerKey, "demo-reseller-key"),
		CompanyKey:   cmp.Or(s.CompanyKey, "demo-company-key"),
	}
}

// authenticate finds the account that an e-mail and a password belong to.
func (s *Server) authenticate(email, password string) (account, bool) {
	a, found := findAccount(email)
	return a, found && password == s.secrets.Password
}

// EnvVar is one environment variable of the program and its value.
type EnvVar struct {
	Name, Value string
}

// Env returns the variables that make up a whole profile for this service, in
// a stable order. URLs hold a literal {domain} where the service has one
// address per domain. The secrets among them open nothing but the demo.
func (s *Server) Env() []EnvVar {
	return []EnvVar{
		{"GATEHOUSE_AUTHORITY", "main"},
		{"GATEHOUSE_AUTH_URL", s.url + mainAuthorityPath},
		{"GATEHOUSE_DOMAIN_AUTH_URL", s.url + localAuthorityPath + "{domain}"},
		{"GATEHOUSE_AUTH_TEST_URL", s.url + testAuthorityPath},
		{"GATEHOUSE_BASE_URL", s.url + gatewayPath + "{domain}"},
		{"GATEHOUSE_GLOBAL_URL", s.url + globalPath},
		{"GATEHOUSE_CLIENT_ID", ClientID},
		{"GATEHOUSE_CLIENT_SECRET", s.secrets.ClientSecret},
		{"GATEHOUSE_API_KEY", s.secrets.ResellerKey},
		{"GATEHOUSE_RESELLER_ID", resellerID},
	}
}
