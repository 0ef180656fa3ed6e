package hostile

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Endpoint is a call of the interface that can go wrong. Each grant of the token endpoint is one.
type Endpoint string

// The calls of interface sections 4.1 to 4.5.
const (
	PasswordGrant Endpoint = "sign in"
	RefreshGrant  Endpoint = "renew"
	Shares        Endpoint = "shares"
	Companies     Endpoint = "companies"
	Lookup        Endpoint = "look up"
	DeviceLogin   Endpoint = "device login"
)

// Fault answers a request in place of the service. answer is the service: a fault may let it answer
// first, and spoil the answer.
type Fault func(w http.ResponseWriter, r *http.Request, answer http.Handler)

// Rule says which requests a fault spoils.
type Rule struct {
	Endpoint Endpoint // "" for all
	Times    int      // how many requests, from the first one on; 0 for all
	Fault    Fault

	seen int // requests at the endpoint
}

// Faults are what a service does wrong. They can be changed while it runs. The zero value does
// nothing wrong. Its methods may be called from several goroutines.
type Faults struct {
	mu    sync.Mutex
	rules []Rule
	met   int // requests that were spoiled
}

// Set replaces all rules, and begins to count again. The first rule that applies to a request
// decides. If none does, the service answers as it should.
func (f *Faults) Set(rules ...Rule) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules, f.met = slices.Clone(rules), 0
}

// Met is the number of requests that were spoiled since the rules were set.
func (f *Faults) Met() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.met
}

// Wrap returns a service with the faults.
func (f *Faults) Wrap(service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fault := f.match(w, r); fault != nil {
			fault(w, r, service)
			return
		}
		service.ServeHTTP(w, r)
	})
}

// match returns the fault of the first rule that applies to a request; nil if none does.
func (f *Faults) match(w http.ResponseWriter, r *http.Request) Fault {
	endpoint := called(w, r)
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.rules {
		rule := &f.rules[i]
		if rule.Endpoint != "" && rule.Endpoint != endpoint {
			continue
		}
		if rule.seen++; rule.Times == 0 || rule.seen <= rule.Times {
			f.met++
			return rule.Fault
		}
	}
	return nil
}

// maxForm is the length of a request for tokens that is read, in bytes.
const maxForm = 64 << 10

// called tells which call a request is; "" for none. The body of a request for tokens can still be
// read afterwards.
func called(w http.ResponseWriter, r *http.Request) Endpoint {
	path := strings.Split(r.URL.Path, "/")
	switch path[len(path)-1] {
	case "token":
		if r.Method == http.MethodGet {
			break // it checks whether the authority answers
		}
		text, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
		r.Body = io.NopCloser(bytes.NewReader(text))
		form, _ := url.ParseQuery(string(text))
		if form.Get("grant_type") == "refresh_token" {
			return RefreshGrant
		}
		return PasswordGrant
	case "shares":
		return Shares
	case "companies":
		return Companies
	case "getuserdomain.aspx":
		return Lookup
	case "login2.aspx":
		return DeviceLogin
	}
	return ""
}
