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

// silenceLife is how long a host that was waited for in vain is not waited for again: a list of
// thousands must not wait for it thousands of times.
const silenceLife = time.Minute

// passingStatuses are those of a host that does no work for anybody at the moment. Package api repeats
// requests that get one, which takes as long as a silence.
var passingStatuses = []int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// isSilence reports whether a request was waited for in vain. One that is refused at once costs
// no time, and is made again.
func (o *observation) isSilence(waited time.Duration) bool {
	switch o.outcome {
	case outcomeNoWay, outcomeSilent, outcomeDropped:
		return waited > Slow
	case outcomeFailing:
		return waited > Slow && slices.Contains(passingStatuses, o.probe.Status)
	}
	return false
}

// failure is a look-up that was made and had no usable answer: a [*api.TransportError] or a
// [*api.StatusError].
type failure interface {
	error
	Answer() string
}

// failureOf is the failure in an error, nil if there is none.
func failureOf(err error) failure {
	if transport, ok := errors.AsType[*api.TransportError](err); ok {
		return transport
	}
	if status, ok := errors.AsType[*api.StatusError](err); ok {
		return status
	}
	return nil
}

// SilentError is a look-up that was not made, because the global service did not answer another one a
// short time ago, or answered that it cannot. It wraps the error of that one.
type SilentError struct {
	Email  string        // that was not looked up
	Waited time.Duration // for the other look-up
	Err    failure
}

func (e *SilentError) Error() string { return e.text() }

// Unwrap returns the error of the look-up that was made.
func (e *SilentError) Unwrap() error { return e.Err }

func (e *SilentError) text() string {
	return "did not look up the primary domain of " + e.Email + ": another look-up shortly before failed: " + e.Err.Answer()
}

// Explain implements [problem.Explainer].
func (e *SilentError) Explain() problem.Explanation {
	explained := problem.Explain(e.Err)
	explained.Text = e.text()
	return explained
}

// Lookups asks the global service for primary domains, and remembers that it gave none. Its
// methods may be called from several goroutines.
type Lookups struct {
	service *session.Service

	mu     sync.Mutex
	silent *SilentError // nil: it answers, or nobody has asked
	until  time.Time    // when one caller is sent to ask again
}

// NewLookups asks through a service.
func NewLookups(service *session.Service) *Lookups { return &Lookups{service: service} }

// Ask asks for the primary domain of an address, unless the last answer was waited for in vain a
// short time ago: then the error is a [*SilentError]. The others are those of
// [session.Service.Lookup].
func (l *Lookups) Ask(ctx context.Context, email string) (domain string, err error) {
	if silent := l.silence(); silent != nil {
		return "", &SilentError{email, silent.Waited, silent.Err}
	}
	began := l.service.Now()
	domain, err = l.service.Lookup(ctx, email)
	l.note(email, err, l.service.Now().Sub(began))
	return domain, err
}

// URL is the URL of the service.
func (l *Lookups) URL() string { return l.service.Profile.GlobalURL }

// silence is what was waited for in vain, nil if the service is to be asked. When the time is over,
// one caller is sent to ask, while the others are still told.
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

// note remembers how a look-up ended, for whoever asks next.
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
