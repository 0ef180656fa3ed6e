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

// ServiceOptions configure a [Service]. Profile and Vault are required; the zero value of every
// other field is a default.
type ServiceOptions struct {
	Profile   *config.Profile
	Vault     Vault
	UserAgent string
	Observe   func(api.Exchange)
	// Base has connections that are shared with other services, see [api.NewBase]. If nil, the
	// service makes its own, as Dial, Linger and Parallel say, and closes them.
	Base  http.RoundTripper
	Dial  api.Dialer
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
	// BodyLimit is how many bytes of a list are read, counted after decompression. A longer list
	// ends in an *[api.LimitError]. 0 stands for [api.DefaultBodyLimit], or for
	// [api.UnannouncedBodyLimit].
	BodyLimit int64
	// Discreet keeps addresses of hosts, and certificates that may belong to others, out of
	// reports: their readers must not learn about the network of this program.
	Discreet bool
	// Linger is how long an idle connection stays open. 0 stands for a default that suits one
	// session per process.
	Linger time.Duration
	// Parallel is how many requests may go to one host at the same time, and how many connections
	// to it stay open. 0 stands for a default that suits one person.
	Parallel int
	// Panicked, if set, receives the stack of a renewal that has panicked.
	Panicked func(stack string)
	// Gate is asked before each password is sent, for a sign-in or a device login, also by a
	// [Service.Aside]. If nil, every password is sent.
	Gate api.Gate
	// Waiting, if set, is called when [Service.Close] has to wait until something is saved or
	// erased.
	Waiting func()
}

// Service does everything that can be done with one profile. Its methods return the typed errors
// of package api, besides those that their comments name.
type Service struct {
	Profile *config.Profile
	Session *Session

	http   *api.Transport // adds no credential
	global *api.Global
}

// NewService returns the service of a profile, whose clients share one transport. Nobody is signed
// in until [Session.Restore] or [Session.SignIn].
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

// serviceWith returns a service with a session of its own, in which nobody is signed in.
func serviceWith(o ServiceOptions, transport *api.Transport, global *api.Global) *Service {
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

// Aside returns the same service with a separate session in memory, in which nobody is signed in.
// It tries a sign-in without touching the current session, and need not be closed.
func (s *Service) Aside() *Service {
	o := s.Session.options
	o.Vault, o.Waiting = NewMemoryVault(), nil
	return serviceWith(o, s.http, s.global)
}

// Discreet returns [ServiceOptions.Discreet].
func (s *Service) Discreet() bool { return s.Session.options.Discreet }

// Now returns the time by the clock of the options.
func (s *Service) Now() time.Time { return s.Session.options.Now() }

// How long [Service.Close] waits.
const (
	closeTimeout       = 2*lockTimeout + 2*vaultTimeout + requestTimeout + 2*commitTimeout
	closeTimeoutMemory = 5 * time.Second // nothing is saved there
)

// Close ends the service, which must not be used afterwards. It waits for renewals and erasures in
// progress, for as long as one may take, so that no token is lost or left behind when the process
// ends; it tries once more to save a session that is not saved; and it closes its own idle
// connections. Closing again does nothing.
//
// The error is one that was not reported yet: a *[StaleVaultError], or that a renewal or erasure
// did not end in time.
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
		defer s.http.CloseIdleConnections()
	}
	return files.Both(s.Session.wait(ctx), s.Session.saveAtLast(ctx))
}

// Shares requests the shares of a user (interface section 4.2) with the session's access token. An
// empty domain stands for the primary one, an empty user for the one signed in. Errors include
// those of [Session.Token], *[MissingError], *[NotReachedError] and *[UnknownDomainError].
func (s *Service) Shares(ctx context.Context, domain, userID string) (*api.Body, error) {
	gateway, err := s.sharesGateway(domain, false)
	if err != nil {
		return nil, err
	}
	return gateway.Shares(ctx, cmp.Or(userID, s.Session.Status().Username))
}

// Glance requests the shares of the signed-in user to check a gateway in the background. Other
// than [Service.Shares], it sends the request only once and does not renew a refused token. The
// list may have any length: the caller reads as much as it needs, and closes the body. latency is
// the time from having a token to the beginning of the answer, or to the failure.
func (s *Service) Glance(
	ctx context.Context, domain string,
) (body *api.Body, latency time.Duration, err error) {
	gateway, err := s.sharesGateway(domain, true)
	if err != nil {
		return nil, 0, err
	}
	if _, err := s.Session.Token(ctx); err != nil {
		return nil, 0, err
	}
	gateway.Limit = math.MaxInt64 // reading the beginning costs the same, however long the list is
	asked := s.Session.options.Now()
	body, err = gateway.Shares(ctx, s.Session.Status().Username)
	return body, s.Session.options.Now().Sub(asked), err
}

// sharesGateway returns the gateway of a domain if the session's token may be sent there. With
// once, the gateway never repeats a request.
func (s *Service) sharesGateway(domain string, once bool) (*api.Gateway, error) {
	current := s.Session.current.Load()
	if err := current.unusable(); err != nil {
		return nil, err
	}
	if err := s.reaches(current.status.Claims, domain); err != nil {
		return nil, err
	}
	base, err := s.GatewayURL(domain)
	if err != nil {
		return nil, err
	}
	return &api.Gateway{
		HTTP:    s.http,
		BaseURL: base,
		Tokens:  &ownTokens{Session: s.Session, service: s, owner: current.record, domain: domain},
		Limit:   s.Session.options.BodyLimit,
		Once:    once,
	}, nil
}

// ownTokens are the tokens for a request to a domain's gateway, as long as they are those of the
// user who is signed in when it begins, and reach that domain. A request may be repeated minutes
// later, and must not carry the token of somebody who has signed in meanwhile.
type ownTokens struct {
	*Session
	service *Service
	owner   *Record
	domain  string
}

// Token implements [api.TokenSource].
func (t *ownTokens) Token(ctx context.Context) (secret.Text, error) {
	return t.checked(t.Session.Token(ctx))
}

// Replacement implements [api.TokenSource].
func (t *ownTokens) Replacement(ctx context.Context, refused secret.Text) (secret.Text, error) {
	return t.checked(t.Session.Replacement(ctx, refused))
}

// checked returns a token if it may be sent. The error is [ErrSignedOut] if the session is that of
// another user now, or one of [Service.reaches].
func (t *ownTokens) checked(token secret.Text, err error) (secret.Text, error) {
	if err != nil {
		return secret.Text{}, err
	}
	current := t.current.Load()
	if current.record == nil || !current.record.sameOwner(t.owner) {
		return secret.Text{}, ErrSignedOut
	}
	if err := t.service.reaches(current.status.Claims, t.domain); err != nil {
		return secret.Text{}, err
	}
	return token, nil
}

// Companies requests the companies of a reseller (interface section 4.3) with an API key; the
// session's token is not sent. An empty domain stands for the primary one, an empty reseller id or
// key for the profile's. With a domain it needs no session. A *[MissingError] names a value that
// is missing.
func (s *Service) Companies(
	ctx context.Context, domain, resellerID string, key secret.Text,
) (*api.Body, error) {
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

// reaches checks that the access token is for a domain, if that domain becomes part of the
// gateway's host name. A token that names no domain is for the domain of its authority, and for
// the one that was allowed. The error is a *[NotReachedError] or an *[UnknownDomainError], or says
// that the domain is not a host name.
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

// AllowDomain allows an access token without claims to be sent to a domain: the user's primary
// domain, or one that a person has confirmed. It is for the current sign-in alone.
func (s *Service) AllowDomain(domain string) { s.Session.allowed.Store(&domain) }

// GatewayURL returns the URL of a domain's gateway ("{base_url}" of the interface). An empty
// domain stands for the primary one. The error is a *[MissingError] if the profile's URL needs a
// domain and none is known.
func (s *Service) GatewayURL(domain string) (string, error) {
	domain = cmp.Or(strings.TrimSpace(domain), s.Session.Status().Claims.PrimaryDomain)
	if domain == "" && strings.Contains(s.Profile.BaseURL, "{domain}") {
		return "", &MissingError{What: MissingDomain}
	}
	return s.Profile.GatewayURL(domain)
}

// Probe sends a host a request without a credential and reports on the host and the connection.
// Its errors are those of [api.ProbeHost].
func (s *Service) Probe(ctx context.Context, place api.Place) (api.Probe, error) {
	return api.ProbeHost(ctx, s.http, place)
}

// Lookup finds the primary domain of a user by e-mail address (interface section 4.4) and returns
// it as a host name in lower case. It needs no session. The error is an [*api.NotDomainError] if
// the service answers with anything but a host name. Other errors are those of
// [api.Global.UserDomain].
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

// ForBatch returns the same service for a caller that makes many calls at once. Lookup then does
// not wait and repeat the request when the service answers 429, but returns the
// *[api.StatusError]: the caller has to hold back all its calls.
func (s *Service) ForBatch() *Service {
	batch, global := *s, *s.global
	global.ReturnBusy = true
	batch.global = &global
	return &batch
}

// DeviceLogin logs in a device (interface section 4.5). It needs no session. The request is never
// repeated, as it may create the device. The error is an *[api.GateError] if the gate refuses to
// send the password.
func (s *Service) DeviceLogin(
	ctx context.Context, request api.DeviceLoginRequest,
) (*api.LoginResult, error) {
	return s.global.DeviceLogin(ctx, request)
}
