package signin

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
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
	env := &screen.Env{Context: t.Context(), Theme: styles.New(styles.Options{}), Now: time.Now}
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
