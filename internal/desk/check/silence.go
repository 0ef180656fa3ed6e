package check

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"gatehouse/api"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

// silenceLife is how long a silent host is not asked again, so that a batch of thousands does not
// wait for it thousands of times.
const silenceLife = time.Minute

// passingStatuses are the statuses of a host that works for nobody at the moment. Package api repeats
// requests that get one, which takes as long as a silence.
var passingStatuses = []int{
	http.StatusBadGateway,
	http.StatusServiceUnavailable,
	http.StatusGatewayTimeout,
}

// isSilence reports whether people waited in vain for a request. A request that fails at once costs
// no time, so it is not a silence and is made again.
func (o *observation) isSilence(waited time.Duration) bool {
	switch o.outcome {
	case outcomeNoWay, outcomeSilent, outcomeDropped:
		return waited > Slow
	case outcomeFailing:
		return waited > Slow && slices.Contains(passingStatuses, o.probe.Status)
	}
	return false
}

// failure is the error of a look-up that got no usable answer: a [*api.TransportError] or a
// [*api.StatusError].
type failure interface {
	error
	Answer() string
}

// failureOf returns the failure that an error wraps, or nil.
func failureOf(err error) failure {
	if transport, ok := errors.AsType[*api.TransportError](err); ok {
		return transport
	}
	if status, ok := errors.AsType[*api.StatusError](err); ok {
		return status
	}
	return nil
}

// SilentError means that a look-up was not made, because another one a short time ago was waited for
// in vain. It wraps the error of that one.
type SilentError struct {
	Email  string        // the address that was not looked up
	Waited time.Duration // how long the other look-up took
	Err    failure       // of the other look-up
}

func (e *SilentError) Error() string { return e.text() }

// Unwrap returns the error of the look-up that was made.
func (e *SilentError) Unwrap() error { return e.Err }

func (e *SilentError) text() string {
	return "did not look up the primary domain of " + e.Email +
		": another look-up shortly before failed: " + e.Err.Answer()
}

// Explain implements [problem.Explainer].
func (e *SilentError) Explain() problem.Explanation {
	explained := problem.Explain(e.Err)
	explained.Text = e.text()
	return explained
}

// Lookups asks the global service for primary domains, and remembers if the service is silent. Its
// methods may be called from several goroutines.
type Lookups struct {
	service *session.Service

	mu     sync.Mutex
	silent *SilentError // nil: the service answers, or nobody has asked yet
	until  time.Time    // then one caller may ask again
}

// NewLookups returns look-ups with a service.
func NewLookups(service *session.Service) *Lookups { return &Lookups{service: service} }

// Ask asks for the primary domain of an address. If the service was silent a short time ago, the
// error is a [*SilentError]. All other errors come from [session.Service.Lookup].
func (l *Lookups) Ask(ctx context.Context, email string) (domain string, err error) {
	if silent := l.silence(); silent != nil {
		return "", &SilentError{email, silent.Waited, silent.Err}
	}
	began := l.service.Now()
	domain, err = l.service.Lookup(ctx, email)
	l.note(email, err, l.service.Now().Sub(began))
	return domain, err
}

// URL returns the URL of the global service.
func (l *Lookups) URL() string { return l.service.Profile.GlobalURL }

// silence returns the error for a caller while the service is silent, or nil if the caller may ask.
// When the time is over, one caller may ask while the others still get the error.
func (l *Lookups) silence() *SilentError {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.service.Now()
	if l.silent == nil || now.Before(l.until) {
		return l.silent
	}
	l.until = now.Add(silenceLife)
	return nil
}

// note remembers how a look-up ended.
func (l *Lookups) note(email string, err error, waited time.Duration) {
	o := &observation{outcome: outcomeAnswered}
	failed := failureOf(err)
	if failed != nil {
		o = observe(failed, false)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case o.isSilence(waited):
		l.silent, l.until = &SilentError{email, waited, failed}, l.service.Now().Add(silenceLife)
	case o.outcome.answered():
		l.silent = nil
	}
}
