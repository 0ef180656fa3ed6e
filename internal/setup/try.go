package setup

import (
	"context"
	"os"
	"strings"

	"gatehouse/internal/check"
	"gatehouse/internal/config"
	"gatehouse/session"
)

// Part is a part of an installation: a key of the profile whose URL can be tried.
type Part struct {
	// Key is that of the profile file, Title the name for people.
	Key, Title string
	kind       string // as [check.Host] takes it
}

var (
	// Global and Gateway are the parts that each profile has, beside an authority.
	Global  = Part{"global_url", "Global service", check.Global}
	Gateway = Part{"base_url", "Client gateway", check.Gateway}

	authorities = map[string]Part{
		config.AuthorityMain:   {"auth_url", "Main authority", check.Authority},
		config.AuthorityDomain: {"domain_auth_url", "Authority of the domain", check.Authority},
		config.AuthorityTest:   {"auth_test_url", "Development authority", check.Authority},
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

// Try asks the host of a part without a credential, for at most five seconds. domain takes
// the place of {domain}; while it is not known, "", such a URL is skipped. The summary of the
// answer is not safe on a terminal.
func (d *Draft) Try(ctx context.Context, p Part, address, domain string) check.Check {
	if NeedsDomain(address) {
		if domain == "" {
			return check.Check{State: check.Skipped, Summary: "depends on the domain: tried at the sign-in"}
		}
		address = strings.ReplaceAll(address, placeholder, domain)
	}
	service, err := d.service("")
	if err != nil {
		return check.Check{State: check.Fail, Summary: err.Error()}
	}
	defer func() { _ = service.Close() }() // nobody is signed in
	return check.Host(ctx, service, p.kind, address)
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
