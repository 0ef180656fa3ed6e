package check

import (
	"context"
	"errors"
	"sync"
	"time"

	"gatehouse/api"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

// silenceLife is how long a host that was waited for in vain is not waited for again: a list of
// thousands must not wait for it thousands of times.
const silenceLife = time.Minute

// isSilence reports whether a request was waited for in vain. One that is refused at once costs
// no time, and is made again.
func (o *observation) isSilence(waited time.Duration) bool {
	isUnanswered := o.outcome == outcomeNoWay || o.outcome == outcomeSilent
	return isUnanswered && waited > Slow
}

// SilentError is a look-up that was not made, because the global service gave no answer to another
// one a short time ago. It wraps the error of that one.
type SilentError struct {
	Email  string        // that was not looked up
	Waited time.Duration // for the other look-up
	Err    *api.TransportError
}

func (e *SilentError) Error() string { return e.text() }

// Unwrap returns the error of the look-up that was made.
func (e *SilentError) Unwrap() error { return e.Err }

func (e *SilentError) text() string {
	return "did not look up the primary domain of " + e.Email + ": another look-up shortly before had no answer: " + e.Err.Answer()
}

// Explain implements [problem.Explainer].
func (e *SilentError) Explain() problem.Explanation {
	explained := e.Err.Explain()
	explained.Text = e.text()
	return explained
}

// Lookups asks the global service for primary domains, and remembers that it gave no answer. Its
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
	transport, isTransport := errors.AsType[*api.TransportError](err)
	o := &observation{outcome: outcomeAnswered}
	if isTransport {
		o = observe(transport, false)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case o.isSilence(waited):
		l.silent, l.until = &SilentError{email, waited, transport}, l.service.Now().Add(silenceLife)
	case o.outcome.answered():
		l.silent = nil
	}
}
