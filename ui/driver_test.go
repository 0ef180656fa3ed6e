package ui

import (
	"context"
	"io"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
	"gatehouse/ui/paint"
	"gatehouse/ui/traffic"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// driver drives the whole UI.
type driver struct {
	*uitest.Driver
	t     testing.TB
	model guard
	saved bool // somebody is signed in from the start
}

// program is the UI as a [uitest.Subject].
type program struct {
	guard
	content *string // on the screen, also once it is dropped
}

func (p program) Update(msg tea.Msg) tea.Cmd {
	_, cmd := p.guard.Update(msg)
	if p.root.dropped == 0 {
		*p.content = p.root.frame.Content
	}
	return cmd
}

// textOf is all lines of a frame.
func textOf(f paint.Frame) string { return f.Above + f.Content + f.Below }

func (p program) View() string { return p.root.frame.Above + *p.content + p.root.frame.Below }

// open starts the UI on a service, at a size.
func open(t testing.TB, s *uitest.Service, width, height int) *driver {
	t.Helper()
	return openAt(t, s, width, height, func() time.Time { return uitest.Noon })
}

// openAt is open with a clock of its own.
func openAt(t testing.TB, s *uitest.Service, width, height int, now func() time.Time) *driver {
	t.Helper()
	return openSaved(t, s, session.NewMemoryVault(), width, height, now)
}

// openSaved is openAt with a vault that may hold a session.
func openSaved(t testing.TB, s *uitest.Service, vault session.Vault, width, height int, now func() time.Time) *driver {
	t.Helper()
	requests := &traffic.Log{}
	opened := session.NewService(session.ServiceOptions{
		Profile: profile(t, s), Vault: vault, Observe: requests.Add, Now: now, Dial: s.Dial,
	})
	options := Options{
		Activity: requests,
		Now:      now,
		Open:     func(context.Context) (Opened, error) { return Opened{Service: opened}, nil },
	}
	for _, a := range demo.Accounts() {
		options.Tips = append(options.Tips, session.Tip{Account: a.Email, Shows: a.Shows, Unlisted: a.Troubled})
	}
	return start(t, options, width, height)
}

// profile is the one that the variables of a service make up.
func profile(t testing.TB, s *uitest.Service) *config.Profile {
	t.Helper()
	p, err := config.Resolve(config.Sources{LookupEnv: s.LookupEnv})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// start starts the UI.
func start(t testing.TB, o Options, width, height int) *driver {
	ctx, cancel := context.WithCancel(t.Context())
	painter := paint.Start(io.Discard, paint.Options{})
	d := &driver{Driver: uitest.NewDriver(t), t: t, model: guard{newRoot(ctx, &o)}}
	d.model.root.painter = painter
	d.model.root.setProfile(colorprofile.TrueColor)
	d.model.root.suspendable = true // whatever started the test
	d.model.root.send = d.Send
	t.Cleanup(func() {
		cancel()
		d.model.root.close()
		painter.Close(context.Background())
	})
	d.Drive(program{d.model, new(string)}, d.model.Init())
	d.Resize(width, height)
	return d
}

// signIn signs in by keys, unless somebody is, up to the list of domains.
func (d *driver) signIn(name string) {
	d.t.Helper()
	if !d.saved {
		d.Expect("E-mail").Type(name + "@harbor.example").Press("tab")
		d.submit()
	}
	d.Expect("Domains", "primary")
}

// submit types the password of the demo into the last field of a form.
func (d *driver) submit() {
	d.t.Helper()
	d.Type(demo.Password).Press("enter")
}

// deviceLogin goes to the form, whose fields but the password are filled, and
// sends it.
func (d *driver) deviceLogin() {
	d.t.Helper()
	d.Press("3").Expect("Device name").Press("enter", "tab", "tab", "tab", "tab")
	d.submit()
}

// twoResults logs two devices in, and shows the second answer.
func (d *driver) twoResults() {
	d.t.Helper()
	d.goInto("ada")
	d.deviceLogin()
	d.Expect("result 1").Press("a").Expect("Again with device id")
	d.submit()
	d.Expect("result 2")
}

// goInto signs in and goes into the primary domain, up to its shares.
func (d *driver) goInto(name string) {
	d.t.Helper()
	d.signIn(name)
	d.Press("enter").Expect("row 1 of")
}
