package linemode

import (
	"context"
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
	"gatehouse/ui"
)

// visiting are the options of a visitor whose session can be kept.
func (v variables) visiting(t *testing.T, k *uitest.Keeper) Options {
	t.Helper()
	o := v.options(t)
	o.Key = &session.Key{Fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQzP4xtGrsx1Fbh2M"}
	profile := v.profile(t)
	o.Open = func(context.Context) (ui.Opened, error) {
		return ui.Opened{Service: session.NewService(session.ServiceOptions{Profile: profile, Vault: k.Connect(profile), Now: o.Now})}, nil
	}
	return o
}

func TestAVisitorIsAskedWhetherToKeepTheSession(t *testing.T) {
	v, k := demoVariables(t), uitest.NewKeeper(t)
	said := talk(t, v.visiting(t, k), "ada@harbor.example", "demo", "perhaps", "", "quit")
	for _, want := range []string{"Keep me signed in with this key SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQzP4xtGrsx1Fbh2M? Type \"yes\" or \"no\" (press enter for no)", "Type \"yes\" or \"no\".", "You are signed in as ada"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said:\n%s", want, said)
		}
	}
	if k.Kept() {
		t.Fatal("kept though nobody said yes")
	}
	talk(t, v.visiting(t, k), "ada@harbor.example", "demo", "yes", "quit")
	if !k.Kept() {
		t.Fatal("not kept")
	}
	said = talk(t, v.visiting(t, k), "token", "back", "quit")
	for _, want := range []string{"You are signed in as ada", "Kept for: key SHA256:uNiV"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said:\n%s", want, said)
		}
	}
	if strings.Contains(said, "Password") {
		t.Errorf("a password was asked for:\n%s", said)
	}
}
