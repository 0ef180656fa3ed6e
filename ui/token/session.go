package token

import (
	"time"

	"gatehouse/internal/text/human"
	"gatehouse/session"
	"gatehouse/ui/explain"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

// soon is how long before the end of a session its time is a warning.
const soon = 3 * 24 * time.Hour

// Lasting are the fields that say how long a session lasts: when it is renewed, when it ends, where
// it is kept, and how old its list of domains is. canKeep means that it can be kept for a key, which
// is nil if it is not known.
func Lasting(env *screen.Env, s session.Status, canKeep bool, key *session.Key) []fields.Field {
	list := append(make([]fields.Field, 0, 5), renewal(env, s))
	switch end := s.RefreshEndsAt; {
	case over(s):
	case !end.IsZero():
		f := about("session ends", moment(env, "Session ends", end))
		if end.Sub(env.Now()) < soon {
			f.Text, f.Role = env.Theme.Glyphs.Warning+" "+f.Text, fields.Warn
		}
		list = append(list, f)
	case !s.Renewable:
		list = append(list, about("session ends", fields.Fact("Session ends", "with the token")))
	}
	list = append(list, kept(env, s, canKeep)...)
	if s.Saved && canKeep && key != nil {
		list = append(list, about("kept for", fields.Fact("Kept for", key.Kind()+" "+key.Name())))
	}
	if s.Claims.Present && !s.SignedInAt.IsZero() {
		made := about("domains from", fields.Fact("Domains read", "at sign-in, "+human.Clock(s.SignedInAt, env.Now())))
		made.Behind = []string{env.Keys.Key(screen.RootSignIn) + " reloads"}
		list = append(list, made)
	}
	return list
}

// about gives a field its meaning, by the key of [explain.Session].
func about(key string, f fields.Field) fields.Field {
	f.Meaning, _ = explain.Field(explain.Session, key)
	return f
}

// over reports whether a session has ended, so that it has no token any more.
func over(s session.Status) bool { return s.State == session.Ended || s.State == session.SignedOut }

// renewal says when the token is renewed next, or why it is not.
func renewal(env *screen.Env, s session.Status) fields.Field {
	f := about("renewal", fields.Fact("Renewal", "automatic, due now"))
	switch {
	case over(s):
		f.Text, f.Role = "none: the session has ended", fields.Bad
	case !s.Renewable:
		f.Text, f.Role = "none: no refresh token was issued", fields.Warn
	case s.State == session.Renewing:
		f.Text = "in progress"
	case s.State == session.Delayed:
		f.Text, f.Role = "failed; next at "+human.Clock(s.RenewAt, env.Now()), fields.Warn
		f.Meaning = screen.Describe(s.Reason).Sentence
	case s.RenewAt.After(env.Now()):
		f.Text, f.Behind = "automatic, next at "+human.Time(s.RenewAt, time.Local), []string{away(env, s.RenewAt)}
	}
	f.Copied = f.Text
	return f
}

// kept says where a session is kept, or that it is not; nil if that is not known.
func kept(env *screen.Env, s session.Status, canKeep bool) []fields.Field {
	f := about("kept in", fields.Fact("Kept in", ""))
	f.Role = fields.Warn
	switch {
	case s.State == session.SignedOut:
		return nil
	case s.Saved && canKeep:
		f.Text, f.Role = session.StoreTitle(s.Store)+", sealed", fields.Plain
	case s.Saved:
		f.Text, f.Role = session.StoreTitle(s.Store), fields.Plain
	case canKeep && s.Reason != nil && s.Store != session.StoreMemory:
		f.Text = "memory only; not saved in " + session.StoreTitle(s.Store) + ", lost when you leave"
	case canKeep:
		f.Text = "memory only, lost when you leave; sign in again to keep it"
	case s.Store == "":
		return nil
	case s.Store == session.StoreMemory && env.Remote:
		f.Text = "memory only; lost when you leave"
	case s.Store == session.StoreMemory:
		f.Text = "memory only; lost when you quit"
	default:
		f.Text = "memory only; not saved in the " + s.Store + " store"
	}
	f.Copied = f.Text
	return []fields.Field{f}
}

// moment is a field with a time and its age.
func moment(env *screen.Env, label string, at time.Time) fields.Field {
	f := fields.Fact(label, human.Moment(at.Local()))
	f.Behind = []string{away(env, at)}
	return f
}

// away is how far away a time is: "in 2d 1h" or "3 h ago".
func away(env *screen.Env, at time.Time) string {
	if left := at.Sub(env.Now()); left > 0 {
		return "in " + env.Left(left)
	}
	return env.Age(at)
}

// The width of the bar in cells that shows the life of the token.
const minLife, maxLife = 5, 30

// Life draws the remaining life of the token as a bar and in words, in width cells. The bar is left
// out if there is no room for it.
func Life(env *screen.Env, s session.Status, width int) string {
	t, left := env.Theme, s.ExpiresAt.Sub(env.Now())
	text := TimeLeft(env, s)
	switch {
	case over(s), !s.ExpiresAt.IsZero() && left <= 0:
		return t.Bad.Render(t.Glyphs.Bad + " " + text)
	case s.ExpiresAt.IsZero(), s.Life <= 0:
		return text
	}
	cells := min(maxLife, width-len(text)-1)
	if cells < minLife || t.Options.Spoken {
		return text
	}
	return screen.Life(t, float64(left)/float64(s.Life), cells) + " " + text
}

// TimeLeft says in words how long the token is still valid.
func TimeLeft(env *screen.Env, s session.Status) string {
	left, whole := s.ExpiresAt.Sub(env.Now()), human.Span
	if env.Theme.Options.Spoken {
		whole = human.InWords
	}
	switch {
	case over(s):
		return "none: the session has ended"
	case s.ExpiresAt.IsZero():
		return "unknown, the authority does not say"
	case left <= 0:
		return "none: expired " + env.Age(s.ExpiresAt)
	case s.Life <= 0:
		return env.Left(left)
	}
	return env.Left(left) + " of " + whole(s.Life)
}
