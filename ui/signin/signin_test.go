package signin

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// nobody is a service that knows no address.
type nobody struct{}

func (nobody) SignIn(context.Context, session.SignIn) error { return errors.New("not here") }

func (nobody) Lookup(ctx context.Context, _ string) (api.UserDomain, error) {
	return api.UserDomain{}, errors.Join(ctx.Err(), errors.New("not here"))
}

func TestALookUpThatWasGivenUpDoesNotSpeakForTheNextOne(t *testing.T) {
	env := &screen.Env{Context: t.Context(), Theme: styles.New(styles.Options{}), Keys: screen.DefaultKeys(), Now: time.Now}
	m := New(env, nobody{}, Options{Username: "ann@harbor.example"})
	first := m.Init()
	m.lookup.stop()
	second := m.ask("ann@harbor.example")
	m.Update(first().(screen.Addressed).Msg)
	if !strings.Contains(m.line(), "looking up") {
		t.Errorf("after the first answer it says %q", m.line())
	}
	m.Update(second().(screen.Addressed).Msg)
	if !strings.Contains(m.line(), "could not be looked up") {
		t.Errorf("after the second answer it says %q", m.line())
	}
}

// harbor is a service that knows each address and takes no password.
type harbor struct{}

func (harbor) SignIn(_ context.Context, s session.SignIn) error {
	return &session.WrongPasswordError{Username: s.Username, Err: &api.TokenError{Host: "auth.harbor.example", Code: "invalid_grant"}}
}

func (harbor) Lookup(context.Context, string) (api.UserDomain, error) {
	return api.UserDomain{PrimaryDomain: "harbor.example"}, nil
}

// show opens the form in so many cells, with an address typed into it.
func show(t *testing.T, width, height int) *uitest.Stage {
	stage := uitest.NewStage(t, width, height)
	stage.Show(New(stage.Env, harbor{}, Options{}))
	stage.Expect("E-mail").Type("ada@harbor.example")
	return stage
}

func TestTheFieldToTypeInIsShownBesideWhatWentWrong(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		show(t, 40, 8).Press("tab").Type("wrong").Press("enter").Expect("Could not sign in", "┃ Password", "Check the e-mail address", "…")
	})
}

func TestTheFormKeepsItsPlaceWhenTheAddressIsLookedUp(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		for _, height := range []int{8, 21, 37} {
			stage := show(t, 80, height)
			_, before := stage.At("Password")
			stage.Press("tab").Expect("Primary domain: harbor.example")
			if _, after := stage.At("Password"); after != before {
				t.Errorf("%d lines: the password moves from line %d to line %d", height, before, after)
			}
		}
	})
}

func TestTheFormFitsEverySize(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		stage := show(t, 80, 20)
		stage.FitsEverySize()
	})
}
