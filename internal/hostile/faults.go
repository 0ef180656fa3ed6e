package hostile

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// maxForm is how much of a form is read, in bytes.
const maxForm = 64 << 10

// Endpoint is a call of the interface that can go wrong. The two grants of the
// token endpoint are two.
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

// The requests without credentials that find out whether a host answers. The interface has
// no such calls; these are the addresses below that of a host that belong to none of them.
const (
	AuthorityProbe Endpoint = "does the authority answer"
	GatewayProbe   Endpoint = "does the gateway answer"
	GlobalProbe    Endpoint = "does the global service answer"
)

// Fault answers a request instead of the service. Answer is what the service
// would have done; a fault may ask it first and spoil what it says.
type Fault func(w http.ResponseWriter, r *http.Request, answer http.Handler)

// Rule says which requests a fault spoils.
type Rule struct {
	Endpoint Endpoint // "": every one
	// Account is the e-mail address that the request names, in any letter case; "":
	// everybody's. A renewal and the companies of a reseller name none.
	Account string
	From    int // the first of the requests that fit, from 1; 0: the first
	Times   int // how many from there on; 0: all
	Fault   Fault
}

// Faults are what a service does wrong, which can be changed while it runs. The
// zero value does nothing wrong. Its methods may be called from several
// goroutines.
type Faults struct {
	mu    sync.Mutex
	rules []*countedRule
	met   int
}

type countedRule struct {
	Rule
	seen int // requests that fitted
}

// Set replaces all rules and counts anew. Of several rules that fit a request the
// first decides. Without a rule the service does as it should.
func (f *Faults) Set(rules ...Rule) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules, f.met = nil, 0
	for _, rule := range rules {
		f.rules = append(f.rules, &countedRule{Rule: rule})
	}
}

// Met is how many requests were spoiled since the rules were set.
func (f *Faults) Met() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.met
}

// Wrap stands before a service, the demo or one that leads to it.
func (f *Faults) Wrap(service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fault := f.match(w, r); fault != nil {
			fault(w, r, service)
			return
		}
		service.ServeHTTP(w, r)
	})
}

// match returns the fault of the first rule that fits a request, nil if none does.
func (f *Faults) match(w http.ResponseWriter, r *http.Request) Fault {
	f.mu.Lock()
	idle := len(f.rules) == 0
	f.mu.Unlock()
	if idle {
		return nil
	}
	endpoint, account := called(w, r)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, rule := range f.rules {
		if rule.spoils(endpoint, account) {
			f.met++
			return rule.Fault
		}
	}
	return nil
}

// spoils counts a request that fits, and reports whether its turn has come.
func (r *countedRule) spoils(endpoint Endpoint, account string) bool {
	if r.Endpoint != "" && r.Endpoint != endpoint || r.Account != "" && !strings.EqualFold(r.Account, account) {
		return false
	}
	r.seen++
	from := max(r.From, 1)
	return r.seen >= from && (r.Times == 0 || r.seen < from+r.Times)
}

// called tells which call a request is, and the account that it names. The form
// of a token request can still be read afterwards.
func called(w http.ResponseWriter, r *http.Request) (endpoint Endpoint, account string) {
	path := strings.Split(r.URL.Path, "/")
	switch path[len(path)-1] {
	case "token":
		if r.Method == http.MethodGet {
			return AuthorityProbe, ""
		}
		text, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
		r.Body = io.NopCloser(bytes.NewReader(text))
		form, _ := url.ParseQuery(string(text))
		if form.Get("grant_type") == "refresh_token" {
			return RefreshGrant, ""
		}
		return PasswordGrant, form.Get("username")
	case "shares":
		return Shares, path[len(path)-2]
	case "companies":
		return Companies, ""
	case "getuserdomain.aspx":
		return Lookup, r.URL.Query().Get("useremail")
	case "login2.aspx":
		return DeviceLogin, r.URL.Query().Get("useremail")
	}
	return probed(path[1]), ""
}

// probed is the host that the first part of a path belongs to, "" if none.
func probed(first string) Endpoint {
	switch first {
	case "auth", "local":
		return AuthorityProbe
	case "gateway":
		return GatewayProbe
	case "global":
		return GlobalProbe
	}
	return ""
}
