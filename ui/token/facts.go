package token

import (
	"time"

	"gatehouse/session"
)

// Fact is one thing that is known of a session: what it is called, and what it is in
// words, which a time may follow.
type Fact struct {
	Label, Text string
	// At is the time; it is zero where there is none, and to the minute if About is set.
	At    time.Time
	About bool
}

// Facts is what is known of a session besides the claims (interface sections 2.1, 2.2
// and 5).
func Facts(s session.Status, now time.Time) []Fact {
	expires := Fact{Label: "Expires", At: s.ExpiresAt}
	if s.ExpiresAt.IsZero() {
		expires.Text = "not said by the authority"
	}
	facts := []Fact{expires, renewal(s, now)}
	if !s.RefreshEndsAt.IsZero() {
		facts = append(facts, Fact{Label: "Refresh token ends", At: s.RefreshEndsAt})
	}
	facts = append(facts, Fact{Label: "User", Text: s.Username}, Fact{Label: "Authority", Text: s.Authority})
	if !s.SignedInAt.IsZero() {
		facts = append(facts, Fact{Label: "Signed in", At: s.SignedInAt})
	}
	return append(facts, Fact{Label: "Kept in", Text: kept(s)})
}

func renewal(s session.Status, now time.Time) Fact {
	f := Fact{Label: "Renewal"}
	switch {
	case s.State == session.Ended:
		f.Text = "none: the session is over"
	case !s.Renewable:
		f.Text = "none: no refresh token was issued"
	case s.State == session.Renewing:
		f.Text = "under way"
	case s.State == session.Delayed:
		f.Text, f.At = "it failed; the next try is at", s.RenewAt
	case !s.RenewAt.After(now):
		f.Text = "by itself, due now"
	default:
		f.Text, f.At, f.About = "by itself, about", s.RenewAt, true
	}
	return f
}

func kept(s session.Status) string {
	switch {
	case s.Saved:
		return s.Store
	case s.Store == "memory":
		return "memory only: gone when the program ends"
	}
	return "memory only: it could not be saved in the " + s.Store + " store"
}
