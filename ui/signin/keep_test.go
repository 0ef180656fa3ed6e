package signin

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
)

var (
	aKey         = session.Key{Fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQzP4xtGrsx1Fbh2M"}
	aCertificate = session.Key{Fingerprint: aKey.Fingerprint, KeyID: "ada@laptop", Authority: "SHA256:9Q2mTq0Oq0uHq1g8QG8m4l9m1PpS1kqM0lPzQeVbXcI"}
)

// adas is a session of hers that is kept.
var adas = KeptSession{Username: "ada@harbor.example", Since: time.Date(2026, 11, 24, 9, 30, 0, 0, time.Local)}

// keeper is a service that takes every password.
func keeper() *service {
	return &service{answer: func(session.SignIn) error { return nil }}
}

func TestASessionIsKeptOnlyWhereThePersonTicksTheBox(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		keys []string
		keep bool
	}{
		{"not ticked", Options{Key: &aKey}, []string{"enter"}, false},
		{"ticked", Options{Key: &aKey}, []string{"tab", "space", "enter"}, true},
		{"ticked before the password", Options{Key: &aKey}, []string{"tab", "space", "shift+tab", "enter"}, true},
		{"ticked and unticked", Options{Key: &aKey}, []string{"tab", "space", "space", "enter"}, false},
		{"kept before", Options{Key: &aKey, Kept: &adas}, []string{"enter"}, true},
		{"kept before, unticked", Options{Key: &aKey, Kept: &adas}, []string{"tab", "space", "enter"}, false},
		{"without a key", Options{}, []string{"tab", "space", "backspace", "enter"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			uitest.RunAlone(t, func(t *testing.T) {
				k := keeper()
				show(t, k, c.o, 80, 24).Press("tab").Type("demo").Press(c.keys...).Settle()
				if got := k.in[len(k.in)-1]; got.Keep != c.keep || got.Password.Reveal() != "demo" {
					t.Errorf("signed in with Keep %v and a password of %d characters", got.Keep, len(got.Password.Reveal()))
				}
			})
		})
	}
}

func TestItIsSaidWhoseKeptSessionASignInReplaces(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		const whose = "the session of ada@harbor.example, kept"
		stage := show(t, keeper(), Options{Key: &aKey, Kept: &adas}, 80, 24)
		if text := stage.Frame(); strings.Contains(text, whose) {
			t.Errorf("ada is told about her own session:\n%s", text)
		}
		stage.Press("shift+tab", "ctrl+u").Type("ben@harbor.example").Expect("Replaces "+whose, "2026-11-24 09:30")
		stage.Press("tab", "tab", "space").Expect("Ends " + whose)
		stage.FitsEverySize()
	})
}

func TestAStoreThatIsAwayIsSaidAndCanBeDoneWithout(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		k := &service{answer: func(in session.SignIn) error {
			if !in.Keep {
				return nil
			}
			return &session.VaultError{Op: "try", What: "the kept session", Err: errors.New("connection refused")}
		}}
		stage := show(t, k, Options{Key: &aKey}, 80, 24)
		stage.Press("tab").Type("demo").Press("tab", "space", "enter")
		stage.Expect("connection refused", "password was not sent", "untick the box", "[x] Keep me")
		stage.Type("demo").Press("tab", "space", "enter").Settle()
		if last := k.in[len(k.in)-1]; last.Keep || len(stage.Told) != 1 {
			t.Errorf("Keep is %v, and %v was told", last.Keep, stage.Told)
		}
	})
}

func TestTheKeptSessionCanBeTriedAgain(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		tried := 0
		stage := show(t, keeper(), Options{Key: &aKey, Reason: "Away.", Retry: func() tea.Cmd { tried++; return nil }}, 80, 24)
		stage.Press("ctrl+r")
		if tried != 1 {
			t.Errorf("tried %d times", tried)
		}
	})
}

func TestTheChoiceLooksAsItShould(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage := show(t, keeper(), Options{Key: &aKey}, 80, 24)
		stage.Click("Keep me").Expect("[x] Keep me").Click("Keep me").Expect("[ ] Keep me")
		stage.Press("shift+tab").Type("demo").Press("tab", "space").Expect("[x] Keep me")
		stage.Golden("signin/keep")
		stage.FitsEverySize()
	})
	uitest.RunAlone(t, func(t *testing.T) {
		stage := show(t, keeper(), Options{Key: &aCertificate}, 80, 24)
		stage.Golden("signin/keep-certificate")
	})
	uitest.RunAlone(t, func(t *testing.T) {
		stage := show(t, keeper(), Options{Key: &aKey}, 38, 8)
		stage.Press("tab").Type("demo").Press("tab", "space")
		stage.Expect("[x] Keep me signed in", "SHA256:uNiVzt")
	})
}
