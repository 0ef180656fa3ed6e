package session

import (
	"errors"
	"testing"
	"time"
)

// keptVault is a vault whose session a person chose to have kept.
type keptVault struct{ Vault }

func (keptVault) Optional() bool { return true }

func (keptVault) Kind() string { return "directory" }

// While a store is away nothing is sent, so that the pauses between the attempts need not grow.
func TestAStoreThatIsBackIsFoundSoon(t *testing.T) {
	v := hooked(keptVault{NewMemoryVault()})
	a, c, s := signedIn(t, v)
	v.fail(&VaultError{Kind: "directory", Op: "read", Err: errors.New("away")}, "load")
	c.Advance(25 * time.Hour)
	for n := range 4 {
		_, err := s.Token(t.Context())
		delayed, ok := errors.AsType[*DelayedError](err)
		if !ok || delayed.RetryAt.Sub(c.Now()) != firstBackoff {
			t.Fatalf("attempt %d: %v", n+1, err)
		}
		c.Advance(firstBackoff)
	}
	v.fail(nil, "load")
	if _, err := s.Token(t.Context()); err != nil || a.refreshes() != 1 {
		t.Errorf("%v after %d requests", err, a.refreshes())
	}
}
