package setup

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/check"
	"gatehouse/internal/config"
	"gatehouse/session"
)

// Part is a part of an installation: a key of the profile whose URL can be tried.
type Part struct {
	// Key is that of the profile file, Title the name for people.
	Key, Title string
	kind       string // as [check.Host] takes it
	otherwise  string // what an answer means that is not the part's
}

var (
	// Global and Gateway are the parts that each profile has, beside an authority.
	Global  = Part{"global_url", "Global service", check.Global, "no look-up"}
	Gateway = Part{"base_url", "Client gateway", check.Gateway, "not known to be a gateway"}

	authorities = map[string]Part{
		config.AuthorityMain:   {"auth_url", "Main authority", check.Authority, "no token endpoint"},
		config.AuthorityDomain: {"domain_auth_url", "Authority of the domain", check.Authority, "no token endpoint"},
		config.AuthorityTest:   {"auth_test_url", "Development authority", check.Authority, "no token endpoint"},
	}
)

// Example is the usual URL of the part, of an installation that nobody has.
func (p Part) Example() string { return config.Proposal("example.com")[p.Key] }

// AuthorityTitle names an authority of the profile for people.
func AuthorityTitle(authority string) string { return authorities[authority].Title }

// AuthorityPart is the part that is the authority to sign in at.
func (d *Draft) AuthorityPart() Part { return authorities[d.Authority()] }

// Parts are the parts of the profile, in the order in which they are asked for.
func (d *Draft) Parts() []Part { return []Part{Global, d.AuthorityPart(), Gateway} }

const placeholder = "{domain}"

// NeedsDomain reports whether a URL can be tried only for a domain.
func NeedsDomain(address string) bool { return strings.Contains(address, placeholder) }

// Answered reports whether a host is good to be used, as far as [Draft.Try] has found out.
func Answered(found check.Check) bool {
	switch found.State {
	case check.OK, check.Info, check.Warn, check.Skipped:
		return true
	}
	return false
}

// limit is how long a part may take to answer.
const limit = 10 * time.Second

// Try asks a part without a credential: what its host is like, and whether it answers as the
// part does. domain takes the place of {domain}; while that is not known the outcome is
// skipped. The text of an answer is not safe on a terminal.
func (d *Draft) Try(ctx context.Context, p Part, address, domain string) check.Check {
	if NeedsDomain(address) {
		if domain == "" {
			return check.Check{State: check.Skipped, Summary: "depends on the domain: tried at the sign-in"}
		}
		address = strings.ReplaceAll(address, placeholder, domain)
	}
	globalURL := ""
	if p.kind == check.Global {
		globalURL = address
	}
	service, err := d.service(globalURL)
	if err != nil {
		return check.Check{State: check.Fail, Summary: err.Error()}
	}
	defer func() { _ = service.Close() }() // nobody is signed in
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	found := check.Host(ctx, service, p.kind, address)
	if !Answered(found) {
		return found
	}
	if err := p.ask(ctx, service, address); err != nil {
		p.judge(&found, err)
	}
	return found
}

// nobody is the user about whom a part is asked. No service has to know the address.
const nobody = "nobody@example.com"

// ask asks what the part is for. It returns nil if the answer is one that the interface shows.
func (p Part) ask(ctx context.Context, service *session.Service, address string) error {
	switch p.kind {
	case check.Authority:
		return service.TryAuthority(ctx, address)
	case check.Global:
		_, err := service.Lookup(ctx, nobody)
		if _, unknown := errors.AsType[*api.NoDomainError](err); unknown {
			return nil
		}
		return err
	}
	body, err := service.TryGateway(ctx, address, nobody)
	if err == nil {
		body.Close()
		return errNoToken
	}
	refused, ok := errors.AsType[*api.StatusError](err)
	if ok && (refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden || refused.Status == http.StatusBadRequest && refused.Message != "") {
		return nil
	}
	return err
}

var errNoToken = errors.New("answered without a token")

// judge says what an error means of the part. Only 401 is documented of a gateway that gets
// no token, so another answer proves nothing.
func (p Part) judge(found *check.Check, err error) {
	what := err.Error()
	if _, after, ok := strings.Cut(what, found.Host); ok { // without the operation and the host
		what = strings.TrimLeft(after, ": ")
	}
	_, failed := errors.AsType[*api.TransportError](err)
	switch {
	case failed, errors.Is(err, api.ErrServer), errors.Is(err, api.ErrRateLimited):
		found.State = check.Unknown
	case p.kind == check.Gateway:
		found.State, what = check.Unknown, p.otherwise+": "+what
	default:
		found.State, what = check.Fail, p.otherwise+": "+what
	}
	found.Summary = found.Host + " · " + what
}

// PrimaryDomain asks a global service for the primary domain of a person.
func (d *Draft) PrimaryDomain(ctx context.Context, globalURL, email string) (string, error) {
	service, err := d.service(globalURL)
	if err != nil {
		return "", err
	}
	defer func() { _ = service.Close() }() // nobody is signed in
	answer, err := service.Lookup(ctx, email)
	if err != nil {
		return "", err
	}
	return config.CheckDomain(answer.PrimaryDomain) // it becomes part of a URL
}

// service is the service of the profile as far as trying needs it. No other host is asked.
func (d *Draft) service(globalURL string) (*session.Service, error) {
	const unknown = "https://unknown.invalid"
	d.mu.Lock()
	authorities := d.before["ca_file"]
	d.mu.Unlock()
	values := map[string]string{
		"auth_url": unknown, "base_url": unknown, "global_url": unknown, "client_id": "unknown", "profile": "setup", "store": config.StoreMemory,
		"ca_file": authorities,
	}
	if globalURL != "" {
		values["global_url"] = globalURL
	}
	profile, err := config.Resolve(config.Sources{File: os.DevNull, LookupEnv: func(name string) (string, bool) {
		value, ok := values[strings.ToLower(strings.TrimPrefix(name, "GATEHOUSE_"))]
		return value, ok
	}})
	if err != nil {
		return nil, err
	}
	return d.options.Service(profile), nil
}
