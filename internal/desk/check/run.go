package check

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"strings"
	"sync/atomic"
	"time"

	"gatehouse/internal/text/hostname"
	"gatehouse/session"
)

// Checker checks addresses with one profile. Its methods may be called from several
// goroutines. It remembers for a short time what the hosts answered, so that many
// addresses do not ask them again.
type Checker struct {
	service *session.Service
	hosts   *hostMemory
	lookups *Lookups
}

// OutsideLimit is how long a check without a password takes at most, but for a moment: people wait
// for it, and others behind them in a list.
const OutsideLimit = 9 * time.Second

// With a password, a check waits as long as the program itself would: 30 seconds for a step.
const (
	stepLimit  = 30 * time.Second
	wholeLimit = 3 * time.Minute        // of one with a password: five steps after each other
	graceLimit = 500 * time.Millisecond // for a step to say what it knows when its time is over
)

// patience is how long a check may take.
func (r Request) patience() time.Duration {
	if r.Password.IsEmpty() {
		return OutsideLimit
	}
	return wholeLimit
}

// New makes a checker. The service's session is asked for nothing but the control.
//
// It does not wait where a host is busy (429): the report says for how long, and a batch
// pauses all its addresses.
func New(service *session.Service) *Checker {
	service = service.ForBatch()
	return &Checker{service: service, hosts: newHostMemory(service.Now), lookups: NewLookups(service)}
}

// Run checks one address. Without a password it returns within 10 s whatever happens, and with one
// within some minutes; earlier if ctx ends. The report then says what is not known. progress, which may be nil, is called for every
// check when it begins (Running) and when it has ended, one call at a time. The only
// request with the person's credentials is the one sign-in, and the one device login if
// the request asks for it; both are sent once.
func (c *Checker) Run(ctx context.Context, r Request, progress func(Check)) Report {
	if progress == nil {
		progress = func(Check) {}
	}
	ctx, cancel := context.WithTimeout(ctx, r.patience())
	defer cancel()
	work := &run{Request: r.trimmed(), Checker: c, now: c.service.Now}
	started := work.now()
	report := Report{ID: cmp.Or(work.ID, newID()), Email: work.Email, At: started.UTC()}
	report.Checks = execute(ctx, work, plan(work), progress)
	for _, changed := range relate(report.Checks) {
		progress(changed)
	}
	ended := work.now()
	report.MS = ended.Sub(started).Milliseconds()
	report.Verdict = judge(newScene(work, report), report.Checks)
	return report
}

// run is one check of an address under way. A step learns from it what the steps before it,
// those that it names in after and needs, have found. A step that was given up may still find
// something.
type run struct {
	Request
	*Checker
	now   func() time.Time
	known []Check // what has ended before the control, for that alone

	looked atomic.Value                        // the primary domain of the look-up, a host name
	inside atomic.Pointer[session.Service]     // signed in as the person
	said   atomic.Pointer[session.TokenAnswer] // what the authority said beside the token
}

// primary is the primary domain of the look-up, a host name; "" if it named none.
func (r *run) primary() string {
	name, _ := r.looked.Load().(string)
	return name
}

// person is the service signed in as the person, nil if it is not.
func (r *run) person() *session.Service { return r.inside.Load() }

// trimmed is the request as a person means it.
func (r Request) trimmed() Request {
	r.Email, _ = hostname.ParseEmail(r.Email) // the look-up says what is none
	if name, err := ParseDomain(r.Domain); err == nil {
		r.Domain = name
	}
	r.DeviceName, r.DeviceID = strings.TrimSpace(r.DeviceName), strings.TrimSpace(r.DeviceID)
	return r
}

// asksOtherDomain reports whether the person asks for a domain by its name.
func (r Request) asksOtherDomain() bool { return r.Domain != "" && !isGUID(r.Domain) }

// isDiscreet reports whether the report is for people who may not know where the hosts are.
func (r *run) isDiscreet() bool { return r.Checker != nil && r.service.Discreet() }

// hasOneGateway reports whether all domains have the same gateway.
func (r *run) hasOneGateway() bool { return !strings.Contains(r.service.Profile.BaseURL, "{domain}") }

// crockford has no I, L, O and U, which are taken for others when an id is read aloud.
var crockford = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

// newID makes an id that both sides can quote: "K7QD-M2XA".
func newID() string {
	var random [5]byte
	_, _ = rand.Read(random[:]) // cannot fail
	id := crockford.EncodeToString(random[:])
	return id[:4] + "-" + id[4:]
}
