package domains

import (
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/human"
	"gatehouse/session"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// soon is how long before its end a sign-in is warned of.
const soon = 3 * 24 * time.Hour

// lifeWidth is how many cells the line of what is left of a token takes.
const lifeWidth = 20

// session is what is known of the session, in lines of a width.
func (m *Model) session(width int) []string {
	f := &facts{env: m.env, width: width}
	status := m.status()
	f.token(status)
	if !over(status) {
		f.add("Renews", m.renewal(status))
		f.signIn(status)
		f.store(status)
	}
	f.add("List as of", m.source(status))
	return f.lines
}

// over reports that a session can do nothing any more.
func over(s session.Status) bool { return s.State == session.Ended || s.State == session.SignedOut }

func (f *facts) token(s session.Status) {
	t := f.env.Theme
	left := s.ExpiresAt.Sub(f.env.Now())
	switch {
	case over(s):
		f.add("Token", t.Bad.Render(t.Glyphs.Bad+" the session is over"))
	case s.ExpiresAt.IsZero(): // unknown
	case left <= 0:
		f.add("Token", t.Warn.Render(t.Glyphs.Warning+" expired"))
	case s.Life <= 0:
		f.add("Token", f.env.Left(left)+" left")
	default:
		part := float64(left) / float64(s.Life)
		f.add("Token", screen.Life(t, part, min(lifeWidth, f.room()/2))+" "+f.env.Left(left)+" left")
	}
}

func (m *Model) renewal(s session.Status) string {
	t := m.env.Theme
	switch {
	case !s.Renewable:
		return t.Warn.Render(t.Glyphs.Warning + " not at all: no refresh token was issued")
	case s.State == session.Renewing:
		return "right now" + t.Glyphs.More
	case s.State == session.Delayed:
		return t.Warn.Render(t.Glyphs.Warning + " failed: next attempt at " + human.Clock(s.RenewAt, m.env.Now()))
	case !s.RenewAt.After(m.env.Now()):
		return "automatic, due now"
	}
	return "automatic, next about " + human.Clock(s.RenewAt, m.env.Now())
}

func (f *facts) signIn(s session.Status) {
	t := f.env.Theme
	if s.RefreshEndsAt.IsZero() {
		f.add("Session", "ends with the token")
		return
	}
	text := "ends " + human.Date(s.RefreshEndsAt.Local()) + ", " + human.Age(s.RefreshEndsAt, f.env.Now())
	if left := s.RefreshEndsAt.Sub(f.env.Now()); left < soon {
		text = t.Warn.Render(t.Glyphs.Warning + " " + text)
	}
	f.add("Session", text)
}

func (f *facts) store(s session.Status) {
	t := f.env.Theme
	switch {
	case s.Saved:
		f.add("Kept in", signin.StoreTitle(s.Store))
	case s.Store == "": // unknown
	case s.Store == config.StoreMemory && f.env.Remote:
		f.add("Kept in", t.Warn.Render("memory: gone when you leave"))
	case s.Store == config.StoreMemory:
		f.add("Kept in", t.Warn.Render("memory: gone when the program ends"))
	default:
		f.add("Kept in", t.Warn.Render(t.Glyphs.Warning+" memory: not saved in the "+s.Store))
	}
}

// source says how old the list is, and how to read it again.
func (m *Model) source(s session.Status) string {
	from := "the access token"
	if !s.SignedInAt.IsZero() {
		from = "the sign-in at " + human.Clock(s.SignedInAt, m.env.Now())
	}
	t := m.env.Theme
	return from + "  " + t.Key.Render(screen.ShortKeyName(m.env.Keys.Key("root.signin"))) + t.KeyText.Render(" sign in again")
}
