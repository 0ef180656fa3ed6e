package token

import (
	"errors"
	"strings"
	"testing"

	"gatehouse/session"
)

// keptSession is one that is kept in a database for the visitor's key.
func keptSession() *held {
	kept := active()
	kept.canKeep, kept.status.Store = true, "postgres"
	return kept
}

func TestWhetherASessionIsKeptLooksAsItShould(t *testing.T) {
	newDesk(t, keptSession()).golden("kept")
	not := keptSession()
	not.status.Saved, not.status.Store = false, "memory"
	newDesk(t, not).golden("not-kept")
	failed := keptSession()
	failed.status.Saved, failed.status.Reason = false, &session.VaultError{Op: "write", What: "the kept session", Err: errors.New("away")}
	if frame := newDesk(t, failed).frame(160, 40); !strings.Contains(frame, "not saved in the database of this server") {
		t.Errorf("why it is not kept is not there:\n%s", frame)
	}
}
