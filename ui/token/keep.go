package token

import (
	"gatehouse/session"
	"gatehouse/ui/signin"
)

// keeping tells how a session is kept that could be, for a key that is nil where it is not known.
func (w *writer) keeping(s session.Status, key *signin.Key) {
	if !s.Saved {
		w.fact("Kept", notKept(s))
		return
	}
	w.fact("Kept in", signin.StoreTitle(s.Store)+", sealed")
	if key != nil {
		w.fact("Kept for", key.Kind()+" "+key.Names()[0])
	}
	w.moment("Kept since", "", s.SignedInAt)
	w.moment("Kept until", "", s.RefreshEndsAt)
}

func notKept(s session.Status) string {
	if s.Reason != nil && s.Store != "memory" {
		return "no: it could not be saved in " + signin.StoreTitle(s.Store) + ". It ends with this connection."
	}
	return "no: it ends with this connection. Sign in again to keep it."
}
