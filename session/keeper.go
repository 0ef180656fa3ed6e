package session

import "context"

// Keeper is a [Vault] that saves a session only if its person chose that at the sign-in.
// Until then it holds the session in memory, and its kind is "memory".
type Keeper interface {
	Vault
	// Keep chooses for what is saved from now on, and returns the choice before. It deletes
	// nothing.
	Keep(keep bool) (before bool)
}

// CanKeep reports whether a person can choose, with [SignIn].Keep, to have the session saved.
func (s *Session) CanKeep() bool {
	_, can := s.vault.(Keeper)
	return can
}

// chooseKeeping applies the choice of a sign-in, until undo is called.
func (s *Session) chooseKeeping(choice bool) (undo func()) {
	k, can := s.vault.(Keeper)
	if !can {
		return func() {}
	}
	before := k.Keep(choice)
	return func() { k.Keep(before) }
}

// Forget deletes the saved session of a [Keeper]; the person stays signed in, in memory. The
// error is a *[NotErasedError].
func (s *Session) Forget(ctx context.Context) error {
	undo := s.chooseKeeping(false)
	if err := s.vault.Delete(ctx); err != nil {
		undo()
		return &NotErasedError{Err: err}
	}
	return nil
}
