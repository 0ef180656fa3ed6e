package session

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/text/secret"
)

// ServiceOptions are what a [Service] works with: Profile and Vault are needed, and the zero value
// of every other field is a default.
type ServiceOptions struct {
	Profile   *config.Profile
	Vault     Vault
	UserAgent string
	Observe   func(api.Exchange)
	// Base has connections that are shared with others, see [api.NewBase]; nil makes some for
	// this service, as Dial, Linger and Parallel say, which end with it.
	Base  http.RoundTripper
	Dial  api.Dialer
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
	// BodyLimit is how many bytes of a list are read, after decompression; 0 is
	// [api.DefaultBodyLimit] or [api.UnannouncedBodyLimit]. A longer one ends in an *[api.LimitError].
	BodyLimit int64
	// Discreet leaves the addresses of hosts, and certificates that may belong to others, out of
	// reports: their readers are not to learn about the network of this program.
	Discreet bool
	// Linger is how long an idle connection is kept open; 0 is a default for one session
	// per process.
	Linger time.Duration
	// Parallel is how many requests may go to one host at the same time: as many connections
	// are kept open. 0 is a default for a person.
	Parallel int
	// Panicked, if set, receives the stack of a renewal that has panicked.
	Panicked func(stack string)
	// Gate is asked before each password is sent, for a sign-in or a device login, also by a
	// [Service.Aside]; nil: every password is sent.
	Gate api.Gate
	// Waiting is called when [Service.Close] has to wait for something that is to be saved or
	// erased; nil for nobody.
	Waiting func()
}

// Service is everything that can be done with one profile. Its methods return the typed
// errors of package api, besides those named with them.
type Service struct {
	Profile *config.Profile
	Session *Session

	http   http.RoundTripper // without a credential of its own
	global *api.Global
}

// NewService makes the clients of a profile, which share one transport.
func NewService(o ServiceOptions) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	transport := api.NewTransport(api.Options{
		UserAgent: o.UserAgent,
		Base:      o.Base,
		Dial:      o.Dial,
		Roots:     o.Profile.Roots,
		Linger:    o.Linger,
		Parallel:  o.Parallel,
		Gate:      o.Gate,
		Observe:   o.Observe,
		Discreet:  o.Discreet,
		Now:       o.Now,
	})
	return serviceWith(o, transport, &api.Global{HTTP: transport, URL: o.Profile.GlobalURL})
}

// serviceWith makes a service with a session that is signed out until [Session.Restore] or
// [Session.SignIn].
func serviceWith(o ServiceOptions, transport http.RoundTripper, global *api.Global) *Service {
	session := &Session{
		options:    o,
		http:       transport,
		global:     global,
		signInSlot: make(chan struct{}, 1),
		jitter:     rand.Float64(),
	}
	session.current.Store(session.signedOut(nil))
	return &Service{Profile: o.Profile, Session: session, http: transport, global: global}
}

// Aside is the same service with a session of its own, in memory, with which nobody is
// signed in: to try a sign-in without touching the current one. It need not be closed.
func (s *Service) Aside() *Service {
	o := s.Session.options
	o.Vault, o.Waiting = NewMemoryVault(), nil
	return serviceWith(o, s.http, s.global)
}

// Discreet reports [ServiceOptions.Discreet].
func (s *Service) Discreet() bool { return s.Session.options.Discreet }

// Now is the time by the clock of the service's options.
func (s *Service) Now() time.Time { return s.Session.options.Now() }

// closeTimeout and closeTimeoutMemory limit how long [Service.Close] waits: as long as a
// renewal may take, or briefly where nothing is saved.
const (
	closeTimeout       = 2*lockTimeout + 2*vaultTimeout + requestTimeout + 2*commitTimeout
	closeTimeoutMemory = 5 * time.Second
)

// Close waits for renewals and erasures in progress, as long as one may take, so that no
// tokens are lost or left behind when the process ends, retries saving a session that is
// not saved, and closes idle connections that are its own. No requests may be made afterwards.
// The error is one that nobody has been told of: a *[StaleVaultError], or that
// the time ended during a renewal or erasure. Closing again does nothing.
func (s *Service) Close() error {
	if s.Session.closed.Swap(true) {
		return nil
	}
	timeout := closeTimeout
	if s.Session.options.Vault.Kind() == StoreMemory {
		timeout = closeTimeoutMemory
	} else if s.Session.options.Waiting != nil && s.Session.unfinished() {
		s.Session.options.Waiting()
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if s.Session.options.Base == nil {
		defer (&http.Client{Transport: s.http}).CloseIdleConnections()
	}
	return files.Both(s.Session.wait(ctx), s.Session.saveAtLast(ctx))
}

// Shares requests the shares of a user (interface section 4.2) with the session's access
// token. An empty domain is the primary one, an empty user the one signed in. Errors
// include those of [Session.Token], *[MissingError], *[NotReachedError] and
// *[UnknownDomainError].
func (s *Service) Shares(ctx context.Context, domain, userID string) (*api.Body, error) {
	gateway, err := s.sharesGateway(domain, false)
	if err != nil {
		return nil, err
	}
	return gateway.Shares(ctx, cmp.Or(userID, s.Session.Status().Username))
}

// Glance requests the shares of the signed-in user as [Service.Shares] does, to check a
// gateway in the background: the request is sent once, and a refused token is not
// renewed. A list may have any length: the caller reads as much as it has room for, and
// closes the body. The latency is the time from having a token to the beginning of the answer, or
// the failure.
func (s *Service) Glance(ctx context.Context, domain string) (body *api.Body, latency time.Duration, err error) {
	gateway, err := s.sharesGateway(domain, true)
	if err != nil {
		return nil, 0, err
	}
	if _, err := s.Session.Token(ctx); err != nil {
		return nil, 0, err
	}
	gateway.Limit = math.MaxInt64 // a look at its beginning costs the same, however long the list is
	asked := s.Session.options.Now()
	body, err = gateway.Shares(ctx, s.Session.Status().Username)
	return body, s.Session.options.Now().Sub(asked), err
}

// sharesGateway is the gateway of a domain, if the session's token is for that domain.
// once is for requests that must not be repeated.
func (s *Service) sharesGateway(domain string, once bool) (*api.Gateway, error) {
	if err := s.Session.current.Load().unusable(); err != nil {
		return nil, err
	}
	if err := s.reaches(s.Session.Status().Claims, domain); err != nil {
		return nil, err
	}
	base, err := s.GatewayURL(domain)
	if err != nil {
		return nil, err
	}
	return &api.Gateway{
		HTTP: s.http, BaseURL: base, Tokens: s.Session, Limit: s.Session.options.BodyLimit, Once: once,
	}, nil
}

// Companies requests the companies of a reseller (interface section 4.3) with an API key;
// the session's token is not sent. An empty domain is the primary one, an empty reseller
// id or key the profile's. With a domain it needs no session; a *[MissingError] says what
// is missing.
func (s *Service) Companies(ctx context.Context, domain, resellerID string, key secret.Text) (*api.Body, error) {
	resellerID = cmp.Or(strings.TrimSpace(resellerID), s.Profile.ResellerID)
	if resellerID == "" {
		return nil, &MissingError{What: MissingReseller}
	}
	if key = cmp.Or(key, s.Profile.APIKey); key.IsEmpty() {
		return nil, &MissingError{What: MissingAPIKey}
	}
	base, err := s.GatewayURL(domain)
	if err != nil {
		return nil, err
	}
	gateway := &api.Gateway{HTTP: s.http, BaseURL: base, Limit: s.Session.options.BodyLimit}
	return gateway.Companies(ctx, key, resellerID)
}

// reaches checks that the access token is for a domain, if the domain becomes part of the
// gateway's host name. A token that names no domain is for the domain of its authority, and for
// one that was allowed.
func (s *Service) reaches(claims Claims, domain string) error {
	domain = strings.TrimSpace(domain)
	if domain == "" || !strings.Contains(s.Profile.BaseURL, "{domain}") {
		return nil
	}
	name, err := config.CheckDomain(domain)
	switch {
	case err != nil:
		return err
	case claims.Has(name):
		return nil
	case len(claims.AllDomains()) > 0:
		return &NotReachedError{Domain: name, Unread: claims.Unread}
	}
	if allowed := s.Session.allowed.Load(); allowed != nil && *allowed == name {
		return nil
	}
	if r := s.Session.current.Load().record; r != nil && r.AuthorityDomain == name {
		return nil
	}
	return &UnknownDomainError{Domain: name}
}

// AllowDomain lets an access token without claims be sent to a domain: the user's primary
// one, or one that a person has confirmed.
func (s *Service) AllowDomain(domain string) { s.Session.allowed.Store(&domain) }

// GatewayURL is the URL of a domain's gateway ("{base_url}" of the interface); an empty
// domain is the primary one. It is a *[MissingError] if the profile's URL needs a domain
// and none is known.
func (s *Service) GatewayURL(domain string) (string, error) {
	domain = cmp.Or(strings.TrimSpace(domain), s.Session.Status().Claims.PrimaryDomain)
	if domain == "" && strings.Contains(s.Profile.BaseURL, "{domain}") {
		return "", &MissingError{What: MissingDomain}
	}
	return s.Profile.GatewayURL(domain)
}

// Probe sends a host a request without a credential, and reports on the host and the
// connection. It has the errors of [api.ProbeHost].
func (s *Service) Probe(ctx context.Context, place api.Place) (api.Probe, error) {
	return api.ProbeHost(ctx, s.http, place)
}

// Lookup finds the primary domain of a user by e-mail address (interface section 4.4), a host name
// in lower case. It needs no session. What the service names and is no host name is an
// [*api.NotDomainError].
func (s *Service) Lookup(ctx context.Context, email string) (string, error) {
	return primaryDomain(ctx, s.global, email)
}

// primaryDomain asks the global service for the primary domain of a user.
func primaryDomain(ctx context.Context, global *api.Global, email string) (string, error) {
	named, err := global.UserDomain(ctx, email)
	if err != nil {
		return "", err
	}
	domain, err := config.CheckDomain(strings.TrimSuffix(named, "."))
	if err != nil {
		host := global.URL
		if u, err := url.Parse(global.URL); err == nil {
			host = u.Host
		}
		return "", &api.NotDomainError{Email: email, Host: host, Value: named}
	}
	return domain, nil
}

// ForBatch is the same service for a caller who makes many calls at once: where it answers
// 429, Lookup does not wait and repeat the request, but returns the *[api.StatusError], as
// all the calls have to wait.
func (s *Service) ForBatch() *Service {
	batch, global := *s, *s.global
	global.ReturnBusy = true
	batch.global = &global
	return &batch
}

// DeviceLogin logs in a device (interface section 4.5). It needs no session, and is never
// repeated: it may create the device. A password that the gate has not let pass is a
// *[api.GateError].
func (s *Service) DeviceLogin(
	ctx context.Context, request api.DeviceLoginRequest,
) (*api.LoginResult, error) {
	return s.global.DeviceLogin(ctx, request)
}
