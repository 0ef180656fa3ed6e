package ui

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/session"
)

func TestSigningInCanFailAndBeTriedAgain(t *testing.T) {
	v := demoVariables(t)
	v["GATEHOUSE_AUTH_URL"] = "http://127.0.0.1:1"
	d := open(t, v, 100, 24)
	d.wait("E-mail")
	d.write("ada@harbor.example")
	d.press("tab")
	d.write("demo")
	d.press("enter")
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
	d.write("demo")
	d.press("enter")
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
	gate := &revocation{}
	behind(t, v, gate)
	d := open(t, v, 100, 30)
	d.goInto("ada")
	d.press("down", "down")

	gate.on.Store(true)
	d.press("r")
	d.wait("Password", "session")
	d.press("esc")
	d.wait("42 shares", "Shown as of", "S sign in")
	d.press("S")
	d.wait("Password")
	d.write("demo")
	d.press("enter")
	d.wait("42 shares", "row 3 of")
	d.gone("Shown as of")
}

func TestASessionThatEndedDoesNotTakeTheKeysOfAFilter(t *testing.T) {
	v := demoVariables(t)
	gate := &revocation{}
	behind(t, v, gate)
	d := open(t, v, 100, 30)
	d.goInto("ada")
	gate.on.Store(true)
	d.press("r", "/")
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
	gate := &refusal{}
	behind(t, v, gate)
	d := open(t, v, 120, 30)
	d.goInto("ada")
	gate.on.Store(true)
	d.press("4", "R")
	d.wait("Trying again in 30s.", "503")
}
