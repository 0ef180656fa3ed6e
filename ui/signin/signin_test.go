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

// service is one that knows each address and takes no password.
type service struct {
	in []session.SignIn
	// answer is what comes of a sign-in; nil: a wrong password.
	answer func(session.SignIn) error
	lookup error
}

func (s *service) SignIn(_ context.Context, in session.SignIn) error {
	s.in = append(s.in, in)
	if s.answer != nil {
		return s.answer(in)
	}
	return &session.WrongPasswordError{Username: in.Username, Host: "auth.harbor.example", Err: &api.TokenError{Host: "auth.harbor.example", Status: 400, Code: "invalid_grant"}}
}

func (s *service) Lookup(context.Context, string) (string, error) {
	return "harbor.example", s.lookup
}

// show opens the form in so many cells, with an address typed into it.
func show(t *testing.T, s *service, o Options, width, height int) *uitest.Stage {
	t.Helper()
	stage := uitest.NewStage(t, width, height)
	stage.Show(New(stage.Env, s, o))
	stage.Expect("E-mail").Type("ada@harbor.example")
	return stage
}

func TestWhatIsWrongWithAnAddressIsSaidInFull(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		d := show(t, &service{}, Options{}, 80, 24).Press("ctrl+u", "enter").Expect("✗ type an address such as ann@harbor.example")
		d.Type("Ann <ann@harbor.example>").Press("tab").Expect(" ann@harbor.example ").Gone("Ann <")
		d.Press("shift+tab").Paste(strings.Repeat("x", 60) + "@long.example").Expect("xx@long.example ") // where it is typed
	})
}

func TestALookUpThatWasGivenUpDoesNotSpeakForTheNextOne(t *testing.T) {
	env := &screen.Env{Context: t.Context(), Theme: styles.New(styles.Options{}), Keys: screen.DefaultKeys(), Now: time.Now}
	m := New(env, &service{lookup: errors.New("not here")}, Options{Username: "ann@harbor.example"})
	first := m.Init()
	m.Set("email", "ben@harbor.example")
	second := m.watch(true)
	first().(screen.Addressed).Take()
	if !strings.Contains(m.line(), "looking up") {
		t.Errorf("after the first answer it says %q", m.line())
	}
	second().(screen.Addressed).Take()
	if !strings.Contains(m.line(), "look-up failed") {
		t.Errorf("after the second answer it says %q", m.line())
	}
}

func TestTheFieldToTypeInIsShownBesideWhatWentWrong(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		show(t, &service{}, Options{}, 40, 8).Press("tab").Type("wrong").Press("enter").Expect("Password", "Wrong e-mail or password", "(auth.harbor.example, 400).")
	})
}

func TestTheFormKeepsItsPlaceWhenTheAddressIsLookedUp(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		for _, height := range []int{8, 21, 37} {
			stage := show(t, &service{}, Options{}, 80, height)
			_, before := stage.At("Password")
			stage.Press("tab").Expect("✓ harbor.example")
			if _, after := stage.At("Password"); after != before {
				t.Errorf("%d lines: the password moves from line %d to line %d", height, before, after)
			}
		}
	})
}

// tips are accounts to try.
var tips = []session.Tip{
	{Account: "ada@harbor.example", Shows: "four domains"}, {Account: "gus@harbor.example", Shows: "100,000 shares"},
	{Account: "wes@harbor.example", Shows: "a device to be wiped"},
	{Account: "kit@harbor.example", Shows: "a gateway that is down", Unlisted: true},
}

// demo opens the form of a demo.
func demo(t *testing.T, width, height int) *uitest.Stage {
	stage := uitest.NewStage(t, width, height)
	stage.Show(New(stage.Env, &service{}, Options{Tips: tips, Authorities: []string{"main", "domain"}}))
	stage.Expect("E-mail")
	return stage
}

func TestASmallSignInNamesThePasswordOfTheDemoInTheDemoAlone(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		d := show(t, &service{}, Options{}, 40, 8).Press("tab").Type("wrong").Press("enter").Expect("✗")
		if frame := d.Frame(); strings.Contains(frame, "demo") {
			t.Errorf("it speaks of the demo:\n%s", frame)
		}
	})
}

func TestTheNameOfADemoAccountIsEnough(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		stage := demo(t, 80, 21)
		stage.Type("gus").Press("tab").Expect("gus@harbor.example", "✓ harbor.example", "▌ gus")
		stage.Type("wrong").Press("enter").Expect("✗ Wrong e-mail or password (auth.harbor.example, 400).", "▌ gus", "wes a device")
	})
}

func TestADemoAccountIsFilledInByAKeyOrAClick(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		for _, width := range []int{80, 60} { // in two columns and in one
			stage := demo(t, width, 30)
			stage.Press("down").Expect("ada@harbor.example", "▌ ada")
			stage.Press("down", "down", "down").Expect("▌ ada")
			stage.Press("up").Expect("wes@harbor.example", "▌ wes")
			stage.Click("100,000 shares").Expect("gus@harbor.example", "▌ gus").Gone("▌ wes")
			stage.Type("demo").Expect("••••")
		}
	})
}

func TestTheSignInCardAtEverySize(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		stage := demo(t, 80, 21)
		stage.Golden("signin/demo")
		stage.Press("down").Type("wrong").Press("enter").Expect("Wrong e-mail")
		stage.Golden("signin/demo-wrong")
		stage.FitsEverySize()
		stage.Press("ctrl+o").Expect("Authority", "main authority")
		stage.Golden("signin/authority")
		stage.FitsEverySize()
	})
}
