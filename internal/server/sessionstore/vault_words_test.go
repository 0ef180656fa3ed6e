package sessionstore

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gatehouse/internal/files"
	"gatehouse/session"
)

func TestWhatAVisitorIsToldOfAStoreThatFailed(t *testing.T) {
	for name, tt := range map[string]struct {
		err      error
		hint     string
		isWarned bool
	}{
		"changed meanwhile": {ErrNoRow, "Try again.", false},
		"claimed":           {ErrClaimed, "Try again in 90 seconds", false},
		"newer":             {&files.NewerError{Why: "x"}, "Nothing was changed. ", true},
		"too long":          {&session.RecordSizeError{}, "", false},
		"another key":       {fmt.Errorf("%w: x", ErrUnknownKey), "Nothing was deleted. ", true},
		"forged":            {ErrForged, "Sign in again to replace it.", true},
		"away":              {errors.New("canary"), "Try again in a minute. ", true},
	} {
		warned := false
		v := &Vault{o: VaultOptions{Warn: func(string, error) { warned = true }}}
		failed, ok := errors.AsType[*session.VaultError](v.fail("read", tt.err))
		if !ok || failed.Op != "read" || !strings.HasPrefix(failed.Hint, tt.hint) || (tt.hint == "") != (failed.Hint == "") {
			t.Errorf("%s: %+v", name, failed)
		}
		if warned != tt.isWarned || strings.Contains(failed.Error(), "canary") {
			t.Errorf("%s: the operator is warned: %t, and the visitor reads %v", name, warned, failed)
		}
	}
}

func TestWithoutAKeyTheTicketsOfEachNetworkAreCounted(t *testing.T) {
	d, _, _ := deskAt(t)
	first := NewCode()
	for n := range MaxTickets + 1 {
		code, network := NewCode(), "192.0.2.1/32"
		if n == 0 {
			code, network = first, "192.0.2.2/32"
		}
		if _, err := d.Leave(t.Context(), code, Owner{}, network, []byte(aResult)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Read(t.Context(), first); err != nil {
		t.Errorf("the ticket of another network: %v", err)
	}
}
