package ui

import (
	"context"
	"errors"
	"image/color"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

func TestSigningInAgainComesBackToTheSamePlace(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("down", "4", "ctrl+r").Expect("Password")
		d.submit()
		d.Expect("not verified")
		d.Press("1").Expect("row 2 of")
	})
}

func TestAVaultThatCannotBeOpenedLeavesThreeWays(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		opened := profile(t, s)
		locked := true
		open := func(context.Context) (Opened, error) {
			if locked {
				return Opened{}, &session.VaultError{Op: "open", What: "the keyring", Err: session.ErrKeyringLocked}
			}
			return Opened{Service: session.NewService(session.ServiceOptions{Profile: opened, Vault: session.NewMemoryVault()})}, nil
		}
		unsaved := func(context.Context) (Opened, error) {
			locked = false
			return open(t.Context())
		}
		for key, want := range map[string]string{"r": "could not be opened", "m": "E-mail"} {
			locked = true
			d := start(t, Options{Open: open, OpenAgain: open, OpenUnsaved: unsaved}, 80, 24)
			d.Expect("could not be opened", "Unlock the keyring", "continue without saving")
			d.Press(key).Expect(want)
		}
		locked = true
		d := start(t, Options{Open: open, OpenAgain: open, OpenUnsaved: unsaved}, 80, 24)
		d.Expect("could not be opened")
		d.Press("q")
		d.Until("the end", func() bool { return d.Quit })
		if d.model.root.crash != nil {
			t.Errorf("ended with %v", d.model.root.crash)
		}
	})
}

func TestASessionThatEndedAsksForThePasswordAndGoesOn(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("down", "down")

		revoke(&s.Faults)
		d.Press("r").Expect("Password", "session")
		d.Press("esc").Expect("42 shares", "from 12:00:00.", "ctrl+r sign in")
		d.Press("ctrl+r").Expect("Password")
		d.submit()
		d.Expect("42 shares", "row 3 of").Gone("from 12:00:00.")
	})
}

func TestASessionThatEndedDoesNotTakeTheKeysOfAFilter(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		revoke(&s.Faults)
		d.Hurry("r", "/").Expect("from 12:00:00.")
		d.Type("board").Expect("1 of 42 shares")
	})
}

func TestEnterTypedBeforeTheStartIsAnEnter(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.Expect("E-mail")
		d.Type("ada@harbor.example").Press("ctrl+j").Type("demo").Press("ctrl+j").Expect("4 domains")
	})
}

// refusingVault takes a second to refuse to delete.
type refusingVault struct{ session.Vault }

func (refusingVault) Delete(context.Context) error {
	<-time.After(time.Second)
	return &session.VaultError{Op: "delete", What: "the session file", Err: os.ErrPermission}
}

func TestQuittingWaitsForASignOutAndTellsThatItFailed(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		var told error
		opened := session.NewService(session.ServiceOptions{Profile: profile(t, s), Vault: refusingVault{session.NewMemoryVault()}, Dial: s.Dial})
		ctx, quit := context.WithCancel(t.Context())
		r := newRoot(ctx, &Options{Late: func(err error) { told = err }})
		r.service = opened
		signOut := r.signOut()
		quit()
		signOut()
		r.close()
		if _, ok := errors.AsType[*session.StaleVaultError](told); !ok || !errors.Is(told, os.ErrPermission) {
			t.Errorf("told was %v", told)
		}
	})
}

func TestTheLastDaysOfASessionAreAnnounced(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		var days atomic.Int64
		d := openAt(t, s, 100, 24, func() time.Time { return uitest.Noon.AddDate(0, 0, int(days.Load())) })
		d.signIn("ada")
		if strings.Contains(d.Frame(), "ends for good") {
			t.Error("announced on the first day")
		}
		days.Store(28)
		d.Press("down").Expect("The session ends in 2d 0h. Press ctrl+r to sign in again.")
	})
}

func TestAskingToSignInWhileSomebodyDoesChangesNothing(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("4", "ctrl+r").Expect("Password")
		before := d.model.root.signIn()
		d.model.root.SignInAgain(nil, "It is over.", nil)
		if d.model.root.signIn() != before {
			t.Fatal("another form stands in the place of the one that somebody types into")
		}
	})
}

func TestSigningOutClosesTheListsAtOnce(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("esc", "esc").Expect("Leave Gatehouse?")
		d.model.root.key(uitest.Key(t, "o"))
		if screens := d.model.root.stack.Screens(); len(screens) != 0 {
			t.Errorf("%d screens are open while the session is being forgotten", len(screens))
		}
	})
}

func TestWhatAnotherPersonSawIsNotKept(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.signIn("ada")
		d.Press("/").Type("harbor").Press("enter", "ctrl+r").Expect("Password")
		d.Press("shift+tab", "ctrl+u").Type("ben@harbor.example").Press("tab")
		d.submit()
		d.Expect("ben@harbor.example", "2 domains")
		if strings.Contains(d.Frame(), "/ harbor") {
			t.Error("the filter is that of the person before")
		}
	})
}

func TestAPasteDoesNotGoThroughWhatLiesOverAForm(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.Expect("E-mail")
		d.Press("f1").Paste("ada@harbor.example").Press("esc").Expect("E-mail")
		if strings.Contains(strings.Split(d.Frame(), "Accounts")[0], "ada@") {
			t.Errorf("the form below took it:\n%s", d.Frame())
		}
	})
}

func TestAFormFollowsTheTheme(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.Expect("E-mail")
		d.Update(tea.BackgroundColorMsg{Color: color.White})
		got := textOf(d.model.root.frame)
		d.Resize(79, 24).Resize(80, 24)
		if want := textOf(d.model.root.frame); got != want {
			t.Error("the form keeps the colours of the theme before until something else changes")
		}
	})
}

func TestASignInBehindAClosedFormIsNoticed(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		if err := d.model.root.service.Session.SignIn(t.Context(), session.SignIn{Username: "ben@harbor.example", Password: secret.New("demo")}); err != nil {
			t.Fatal(err)
		}
		d.Expect("Domains", "2 domains")
	})
}

func TestAPastedRowLeavesItsAddressInTheForm(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.Expect("E-mail")
		d.Paste("Ada Lindqvist\tada\u200b＠HARBOR．example\t+45 12 34\r\n").Expect("ada@harbor.example", "harbor.example")
		d.Press("tab")
		d.submit()
		d.Expect("ada@harbor.example", "4 domains")
	})
}

func TestAnAddressThatCannotBeOneIsSaidByWhatIsWrong(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.Expect("E-mail")
		d.Type("ada@harbor,example").Press("enter").Expect("it contains a comma")
	})
}
