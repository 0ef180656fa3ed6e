package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/hostname"
	"gatehouse/session"
)

// checkProfile looks at the profile alone: whether there is what a check of this address
// needs.
func checkProfile(_ context.Context, r *run) Check {
	p := r.service.Profile
	for _, key := range []string{"client_id", "global_url", "base_url"} {
		if p.Value(key) == "" {
			return badProfile("the profile " + p.Name + " has no " + key)
		}
	}
	// Any domain shows whether the URLs hold together; the person's may not be known yet.
	const domain = "domain.example"
	authority, err := p.AuthorityURL(p.Authority, domain)
	if err != nil {
		return badProfile(err.Error())
	}
	gateway, err := p.GatewayURL(domain)
	if err != nil {
		return badProfile(err.Error())
	}
	for _, url := range []string{authority, gateway, p.GlobalURL} {
		if strings.HasPrefix(url, "http://") && !isOfThisMachine(url) {
			return badProfile(url + " is not https; only this machine may use http")
		}
	}
	c := Check{State: OK, Summary: fmt.Sprintf("%s · %s authority", p.Name, p.Authority), found: &finding{
		AuthorityURL: p.Value(authorityKeys[p.Authority]), BaseURL: p.BaseURL, GlobalURL: p.GlobalURL, ClientID: p.ClientID, CAFile: p.CAFile,
	}}
	if !r.Password.IsEmpty() && p.ClientSecret.IsEmpty() {
		c.State, c.Code = Warn, BadProfile
		c.Summary += " · no client secret, so the authority may refuse all sign-ins"
	}
	return c
}

// authorityKeys are the keys of the profile that have the URLs of its authorities.
var authorityKeys = map[string]string{
	config.AuthorityMain: "auth_url", config.AuthorityDomain: "domain_auth_url", config.AuthorityTest: "auth_test_url",
}

func badProfile(problem string) Check { return Check{State: Fail, Code: BadProfile, Summary: problem} }

func isOfThisMachine(url string) bool {
	host, _, _ := strings.Cut(hostOf(url), ":")
	return hostname.IsLoopback(host) || strings.HasPrefix(hostOf(url), "[::1]")
}

// Host looks at one host of a profile, or of a domain that the service named. kind is [Global],
// [Authority] or [Gateway], which decides the code of a host that cannot be reached, and the URL has
// no {domain} left. It sends no credential, and has five seconds.
func Host(ctx context.Context, service *session.Service, kind, baseURL string) Check {
	ctx, cancel := context.WithTimeout(ctx, hostLimit)
	defer cancel()
	tries := askHost(ctx, service.Probe, placeOf(kind, baseURL), probePause)
	c := judgeHost(kind, tries, service.Discreet())
	c.Host = hostOf(baseURL)
	return c
}

// placeOf is what a host is asked for; package api says why.
func placeOf(kind, baseURL string) api.Place {
	switch kind {
	case Authority:
		return api.TokenPlace(baseURL)
	case Gateway:
		return api.GatewayPlace(baseURL)
	}
	return api.GlobalPlace(baseURL)
}

const (
	maxTries   = 3
	probePause = 300 * time.Millisecond
)

// try is one request to a host.
type try struct {
	probe api.Probe
	err   error
}

// askHost asks a host once, and up to three times if it fails in a way that may be over in
// a moment, the last time for its base URL: that shows whether it fails for everything.
// After a 429 or a time-out it is left alone.
func askHost(ctx context.Context, ask func(context.Context, api.Place) (api.Probe, error), place api.Place, pause time.Duration) []try {
	var tries []try
	for {
		if len(tries) == maxTries-1 {
			place = place.Root()
		}
		probe, err := ask(ctx, place)
		tries = append(tries, try{probe, err})
		if len(tries) == maxTries || !tries[len(tries)-1].isWorthRepeating() {
			return tries
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		if ctx.Err() != nil {
			return tries
		}
	}
}

// passing are causes that may be over in a moment, and else mean that a host is down.
var passing = []api.Cause{api.CauseDropped, api.CauseOther, api.CauseProxy}

func (t try) isWorthRepeating() bool {
	if t.err == nil {
		return t.probe.Status >= 500
	}
	e, ok := errors.AsType[*api.TransportError](t.err)
	return ok && (slices.Contains(passing, e.Cause()) || e.Cause() == api.CauseResolution)
}
