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

// Checker checks addresses with one profile. Its methods may be called from several goroutines. It
// remembers for a short time what the hosts answered, so that a batch does not ask them for every
// address.
type Checker struct {
	// Face words the steps of the reports. It is set before the first check.
	Face Face

	service *session.Service
	hosts   *hostMemory
	lookups *Lookups
}

// OutsideLimit is how long a check without a password may take, apart from the grace: a person waits
// for it, or a whole batch does.
const OutsideLimit = 9 * time.Second

// The other time limits. With a password, a check waits for a step as long as the program itself
// would.
const (
	stepLimit  = 30 * time.Second
	wholeLimit = 3 * time.Minute        // of a check with a password: five steps in a row
	graceLimit = 500 * time.Millisecond // for a step to report what it knows when its time is over
)

// patience returns how long a check may take.
func (r Request) patience() time.Duration {
	if r.Password.IsEmpty() {
		return OutsideLimit
	}
	return wholeLimit
}

// New returns a checker. It uses the session of the service only for the control.
//
// If a host is busy (429), it does not wait: the report says for how long, and a batch pauses all
// its addresses.
func New(service *session.Service) *Checker {
	service = service.ForBatch()
	return &Checker{service: service, hosts: newHostMemory(service.Now), lookups: NewLookups(service)}
}

// Run checks one address. Without a password it returns within 10 s, with one within a few minutes,
// and earlier if ctx ends. The report then says what is unknown.
//
// progress, which may be nil, is called for every check when it begins (Running) and when it has
// ended, one call at a time. The person's credentials are sent in one sign-in, and in one device
// login if the request asks for that.
func (c *Checker) Run(ctx context.Context, request Request, progress func(Check)) Report {
	if progress == nil {
		progress = func(Check) {}
	}
	ctx, cancel := context.WithTimeout(ctx, request.patience())
	defer cancel()
	work := &run{Request: request.trimmed(), Checker: c, now: c.service.Now}
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

// run is the check of an address while it is being made. From it a step learns what the steps found
// that it names in needs and after. It is safe for concurrent use, as a step that was given up may
// still find something.
type run struct {
	Request
	*Checker
	now   func() time.Time
	known []Check // the checks that ended before the control, for the control alone

	looked atomic.Value                        // the primary domain of the look-up, a host name
	inside atomic.Pointer[session.Service]     // signed in as the person
	said   atomic.Pointer[session.TokenAnswer] // what the authority said beside the token
}

// primary returns the primary domain of the look-up, a host name, or "" if there is none.
func (r *run) primary() string {
	name, _ := r.looked.Load().(string)
	return name
}

// person returns the service signed in as the person, or nil before the sign-in.
func (r *run) person() *session.Service { return r.inside.Load() }

// trimmed returns the request as the person means it: the address alone, the domain as a host name,
// the device without blanks around it.
func (r Request) trimmed() Request {
	r.Email, _ = hostname.ParseEmail(r.Email) // the look-up reports what is not an address
	if name, err := ParseDomain(r.Domain); err == nil {
		r.Domain = name
	}
	r.DeviceName, r.DeviceID = strings.TrimSpace(r.DeviceName), strings.TrimSpace(r.DeviceID)
	return r
}

// asksOtherDomain reports whether the person asks for a domain by its name.
func (r Request) asksOtherDomain() bool { return r.Domain != "" && !isGUID(r.Domain) }

// isDiscreet reports whether the readers of the report must not learn where the hosts are.
func (r *run) isDiscreet() bool { return r.Checker != nil && r.service.Discreet() }

// hasOneGateway reports whether all domains have the same gateway.
func (r *run) hasOneGateway() bool {
	return !strings.Contains(r.service.Profile.BaseURL, "{domain}")
}

// crockford has no I, L, O and U, which are easily confused when an id is read aloud.
var crockford = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

// newID makes an id that both sides can quote: "K7QD-M2XA".
func newID() string {
	var random [5]byte
	_, _ = rand.Read(random[:]) // cannot fail
	id := crockford.EncodeToString(random[:])
	const half = 4
	return id[:half] + "-" + id[half:]
}
