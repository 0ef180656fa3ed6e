package linemode

import (
	"errors"
	"slices"
	"sync"

	"gatehouse/internal/problem"
	"gatehouse/session"
)

// news is what the session did since the last question. It is filled by the
// session, from any goroutine.
type news struct {
	mu     sync.Mutex
	events []session.Event
}

// add takes an event. One of the same kind as the last one replaces it, for
// hours may pass between two questions.
func (n *news) add(e session.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if last := len(n.events) - 1; last >= 0 && n.events[last].Kind == e.Kind {
		n.events = n.events[:last]
	}
	n.events = append(n.events, e)
}

// take returns the events and forgets them.
func (n *news) take() []session.Event {
	n.mu.Lock()
	defer n.mu.Unlock()
	events := n.events
	n.events = nil
	return slices.Clone(events)
}

// sayNews says what the session did by itself.
func (c *conversation) sayNews() {
	for _, e := range c.news.take() {
		switch e.Kind {
		case session.EventRenewed:
			c.say("The access token was renewed.")
		case session.EventDelayed:
			if delay, ok := errors.AsType[*session.DelayedError](e.Err); ok {
				c.say("Renewing the access token is tried again in %s.", span(delay.RetryAt.Sub(c.options.Now())))
			}
		case session.EventSignedIn:
			c.say("You are signed in as %s.", c.service.Session.Status().Username)
		case session.EventSignedOut:
			c.say("You are signed out.")
		}
		if e.Err != nil {
			p := problem.Describe(e.Err, problem.Screen)
			c.say("%s", p.Sentence)
			if e.Kind == session.EventEnded {
				c.say("%s", p.Hint)
			}
		}
	}
}
