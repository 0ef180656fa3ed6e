package check

import (
	"os"
	"path/filepath"
	"testing"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
)

func TestAnEmptyFormTakesAnAddressAtOnce(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		stage.Show(New(stage.Env, s.options(""))).Golden("check/form")
		stage.FitsEverySize()
		stage.Press("enter").Expect("type the person's e-mail address").Type("finn@harbor.example")
		s.report <- wrongDomain()
		stage.Press("enter").Expect("Wrong domain")
		if s.last() != (check.Request{Email: "finn@harbor.example"}) {
			t.Errorf("checked %+v", s.last())
		}
		stage.Press("n").Type("eli@harbor.example").Expect("eli@harbor.example")
		s.report <- wrongDomain()
		stage.Press("enter").Expect("Wrong domain").Press("esc").Expect("Who cannot get in?").Type("eli").Expect("E-mail eli")
	})
}

func TestADeviceLoginNeedsThePasswordAndSaysWhatItDoes(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		stage.Show(New(stage.Env, s.options(""))).Press("enter").Type("finn@harbor.example").Press("ctrl+o", "tab").Type("/").Press("enter").
			Expect("type a domain such as").Press("backspace", "tab").Type("laptop")
		stage.Expect("creates the device \"laptop\"").Golden("check/form-device")
		stage.Press("tab", "tab", "tab", "enter").Expect("a device login needs the password")
		s.report <- wrongDomain()
		stage.Type("demo").Press("enter").Expect("Wrong domain")
		if r := s.last(); r.DeviceName != "laptop" || r.Password.Reveal() != "demo" || r.Control {
			t.Errorf("checked %+v", r)
		}
	})
}

func TestTheControlIsForThoseWhoAreSignedIn(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		s.report <- looksFine()
		stage.Show(New(stage.Env, s.options(""))).Press("enter").Type("finn@harbor.example").Press("ctrl+o", "tab", "tab", "tab", "tab", "right", "tab", "enter").Expect("No fault seen from outside")
		if !s.last().Control {
			t.Errorf("checked %+v", s.last())
		}
		o := s.options("")
		o.Status = func() session.Status { return session.Status{} }
		if m := New(stage.Env, o); m.signedIn() || m.reaches("harbor.example") {
			t.Error("nobody is signed in")
		}
	})
}

func TestWhatIsNoAddressIsRefusedAtTheField(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		stage.Show(New(stage.Env, s.options("")))
		for _, typed := range []string{"nonsense", "ann@", "@harbor.example", "ann@harbor"} {
			stage.Press("ctrl+u").Type(typed).Press("enter").Expect("✗", "Who cannot get in?")
		}
		file := filepath.Join(t.TempDir(), "customers.csv")
		if err := os.WriteFile(file, []byte("ann@harbor.example\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		stage.Press("ctrl+u").Type(file[:len(file)-len("omers.csv")]).Press("tab").Gone("✗")
		stage.Expect("customers.csv")
	})
}
