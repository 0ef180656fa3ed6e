package ui

import (
	"context"
	"image/color"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/config"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

func TestSigningInCanFailAndBeTriedAgain(t *testing.T) {
	v := demoVariables(t)
	v["GATEHOUSE_AUTH_URL"] = "http://127.0.0.1:1"
	d := open(t, v, 100, 24)
	d.wait("E-mail")
	d.write("ada@harbor.example")
	d.press("tab")
	d.submit()
	d.wait("127.0.0.1:1", "Password")
	if strings.Contains(d.frame(), "%!") {
		t.Error("the sentence shows a formatting mistake")
	}
}

func TestSigningInAgainComesBackToTheSamePlace(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.goInto("ada")
	d.press("down", "4", "S")
	d.wait("Password")
	d.submit()
	d.wait("not verified")
	d.press("1")
	d.wait("row 2 of")
}

func TestAVaultThatCannotBeOpenedLeavesThreeWays(t *testing.T) {
	v := demoVariables(t)
	profile, err := config.Resolve(config.Sources{LookupEnv: v.lookup})
	if err != nil {
		t.Fatal(err)
	}
	locked := true
	open := func(context.Context) (Opened, error) {
		if locked {
			return Opened{}, &session.VaultError{Kind: "keyring", Op: "open", Err: session.ErrKeyringLocked}
		}
		return Opened{Service: session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault()})}, nil
	}
	unsaved := func(context.Context) (Opened, error) {
		locked = false
		return open(t.Context())
	}
	for key, want := range map[string]string{"r": "could not be opened", "m": "E-mail"} {
		locked = true
		d := start(t, Options{Open: open, OpenAgain: open, OpenUnsaved: unsaved}, 80, 24)
		d.wait("could not be opened", "Unlock the keyring", "go on without saving")
		d.press(key)
		d.wait(want)
	}
	locked = true
	d := start(t, Options{Open: open, OpenAgain: open, OpenUnsaved: unsaved}, 80, 24)
	d.wait("could not be opened")
	d.press("q")
	d.until("the end", func() bool { return d.quit })
	if d.model.root.crash != nil {
		t.Errorf("ended with %v", d.model.root.crash)
	}
}

func TestASessionThatEndedAsksForThePasswordAndGoesOn(t *testing.T) {
	v := demoVariables(t)
	faults := behind(t, v)
	d := open(t, v, 100, 30)
	d.goInto("ada")
	d.press("down", "down")

	revoke(faults)
	d.press("r")
	d.wait("Password", "session")
	d.press("esc")
	d.wait("42 shares", "Shown as of", "S sign in")
	d.press("S")
	d.wait("Password")
	d.submit()
	d.wait("42 shares", "row 3 of")
	d.gone("Shown as of")
}

func TestASessionThatEndedDoesNotTakeTheKeysOfAFilter(t *testing.T) {
	v := demoVariables(t)
	faults := behind(t, v)
	d := open(t, v, 100, 30)
	d.goInto("ada")
	revoke(faults)
	d.hurry("r", "/")
	d.wait("Shown as of")
	d.write("board")
	d.wait("1 of 42 shares")
}

func TestEnterTypedBeforeTheStartIsAnEnter(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.wait("E-mail")
	d.write("ada@harbor.example")
	d.press("ctrl+j")
	d.write("demo")
	d.press("ctrl+j")
	d.wait("4 domains")
}

func TestQuittingSaysWhatBecomesOfTheSession(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.signIn("ada")
	d.press("esc")
	d.wait("the session ends, for it is in memory only")
}

func TestTheLastDaysOfASessionAreAnnounced(t *testing.T) {
	var days atomic.Int64
	d := openAt(t, demoVariables(t), 100, 24, func() time.Time { return noon.AddDate(0, 0, int(days.Load())) })
	d.signIn("ada")
	if strings.Contains(d.frame(), "ends for good") {
		t.Error("announced on the first day")
	}
	days.Store(28)
	d.press("down")
	d.wait("ends for good in 2d 0h")
}

func TestTheTokenCanBeRenewedByHand(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.goInto("ada")
	d.press("4", "R")
	d.wait("The access token was renewed.")
}

func TestADelayedRenewalSaysWhenItIsTriedAgain(t *testing.T) {
	v := demoVariables(t)
	faults := behind(t, v)
	d := open(t, v, 120, 30)
	d.goInto("ada")
	faults.Set(busy())
	d.press("4", "R")
	d.wait("Trying again in 30s.", "503")
}

func TestASessionThatEndedDoesNotTakeTheKeysOfAnotherTab(t *testing.T) {
	v := demoVariables(t)
	faults := behind(t, v)
	d := open(t, v, 100, 30)
	d.goInto("ada")
	revoke(faults)
	d.hurry("r", "3")
	d.until("the failure", func() bool { return strings.Contains(d.frame(), "session") })
	d.wait("Device name")
	d.write("x")
	d.wait("ada@harbor.examplex")
}

func TestAskingToSignInWhileSomebodyDoesChangesNothing(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.goInto("ada")
	d.press("4", "S")
	d.wait("Password")
	before := d.model.root.signIn()
	replayed := false
	d.model.root.SignInAgain(nil, "It is over.", func() tea.Cmd {
		replayed = true
		return nil
	})
	if d.model.root.signIn() != before {
		t.Fatal("another form stands in the place of the one that somebody types into")
	}
	d.submit()
	d.wait("not verified")
	if !replayed {
		t.Error("what could not be done before is not done")
	}
}

func TestSigningOutClosesTheListsAtOnce(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.goInto("ada")
	d.press("esc", "esc")
	d.wait("Leave Gatehouse?")
	d.model.root.key(keyPress("o"))
	if screens := d.model.root.stacks(); len(screens) != 0 {
		t.Errorf("%d screens are open while the session is being forgotten", len(screens))
	}
}

func TestWhatAnotherPersonSawIsNotKept(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.signIn("ada")
	d.press("/")
	d.write("harbor")
	d.press("enter", "S")
	d.wait("Password")
	d.press("shift+tab", "ctrl+u")
	d.write("ben@harbor.example")
	d.press("tab")
	d.submit()
	d.wait("ben@harbor.example", "2 domains")
	if strings.Contains(d.frame(), "filter harbor") {
		t.Error("the filter is that of the person before")
	}
}

func TestAPasteDoesNotGoThroughWhatLiesOverAForm(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.wait("E-mail")
	d.press("f1")
	d.update(tea.PasteMsg{Content: "ada@harbor.example"})
	d.press("esc")
	d.wait("E-mail")
	if strings.Contains(strings.Split(d.frame(), "Accounts")[0], "ada@") {
		t.Errorf("the form below took it:\n%s", d.frame())
	}
}

func TestHiddenCharactersOfAPasteAreLeftOut(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.wait("E-mail")
	d.update(tea.PasteMsg{Content: "ada\u202e@harbor\u2066.example\n"})
	d.wait("ada@harbor.example")
	d.press("tab")
	d.submit()
	d.wait("4 domains")
	d.press("/")
	d.update(tea.PasteMsg{Content: "har\u202ebor"})
	d.wait("filter: harbor")
}

func TestAFormFollowsTheTheme(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.wait("E-mail")
	d.update(tea.BackgroundColorMsg{Color: color.White})
	got := d.model.View().Content
	d.update(tea.WindowSizeMsg{Width: 79, Height: 24})
	d.update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if want := d.model.View().Content; got != want {
		t.Error("the form keeps the colours of the theme before until something else changes")
	}
}

func TestASignInBehindAClosedFormIsNoticed(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.goInto("ada")
	if err := d.model.root.service.Session.SignIn(t.Context(), session.SignIn{Username: "ben@harbor.example", Password: secret.New("demo")}); err != nil {
		t.Fatal(err)
	}
	d.wait("Domains", "2 domains")
}

func TestTheFieldToTypeInIsShownBesideWhatWentWrong(t *testing.T) {
	d := open(t, demoVariables(t), 40, 10)
	d.wait("E-mail")
	d.write("ada@harbor.example")
	d.press("tab")
	d.write("wrong")
	d.press("enter")
	d.wait("Could not sign in", "┃ Password", "Check the e-mail address", "…")
}

func TestTheFormKeepsItsPlaceWhenTheAddressIsLookedUp(t *testing.T) {
	for _, height := range []int{10, 24, 40} {
		d := open(t, demoVariables(t), 80, height)
		d.wait("E-mail")
		d.write("ada@harbor.example")
		_, before := d.at("Password")
		d.press("tab")
		d.wait("Primary domain: harbor.example")
		if _, after := d.at("Password"); after != before {
			t.Errorf("%d lines: the password moves from line %d to line %d", height, before, after)
		}
	}
}
