package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/human"
	"gatehouse/ui/screen"
)

// clockMsg lets the life left in the header go on.
type clockMsg struct{ number int }

// startClock lets the life left in the header run; a clock started before stops.
func (r *root) startClock() tea.Cmd {
	r.clock++
	return r.tick(clockMsg{r.clock})
}

// tick waits until the life left reads differently: by the minute while there
// is more than an hour, then by the second.
func (r *root) tick(msg clockMsg) tea.Cmd {
	if msg.number != r.clock {
		return nil
	}
	left := r.service.Session.Status().ExpiresAt.Sub(r.env.Now())
	if left <= 0 {
		return nil
	}
	wait := time.Second
	if left > time.Hour {
		wait = left%time.Minute + time.Second
	}
	return screen.After(r.env.Context, wait, msg)
}

// warnAhead is how long before its end for good a session is warned of.
const warnAhead = 72 * time.Hour

// lastDays warns that no renewal will help any more soon.
func (r *root) lastDays() string {
	if r.service == nil || r.signIn() != nil {
		return ""
	}
	end := r.service.Session.Status().RefreshEndsAt
	left := end.Sub(r.env.Now())
	if end.IsZero() || left > warnAhead {
		return ""
	}
	return "The session ends for good in " + human.Span(left) + ": sign in again before (" + r.env.Keys.Key("domains.again") + " on Domains, " + r.env.Keys.Key("token.again") + " on Token)."
}
