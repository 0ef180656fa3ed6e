package ui

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/testkit"
	"gatehouse/session"
	"gatehouse/ui/activity"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// noon is when the tests take place.
var noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// service is the embedded service that all tests share, which begins with the
// first of them.
var service = sync.OnceValues(func() (*demo.Server, error) {
	return demo.Start(context.Background(), demo.Options{Now: func() time.Time { return noon }})
})

// The screens show local times.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	code := m.Run()
	if server, err := service(); err == nil {
		_ = server.Close()
	}
	os.Exit(code)
}

// driver plays the part of the library and of a person: it runs commands, gives
// their messages to the root, presses keys and looks at the frame.
type driver struct {
	t        testing.TB
	model    guard
	messages chan tea.Msg
	quit     bool
	// hidden is a path that differs from run to run.
	hidden string
	saved  bool // somebody is signed in from the start
	// patience is how long a text is waited for; 0: 30 s.
	patience time.Duration
}

// variables is where a profile comes from in a test.
type variables map[string]string

func (v variables) lookup(name string) (string, bool) {
	value, ok := v[name]
	return value, ok
}

// demoVariables is what points at the embedded service.
func demoVariables(t testing.TB) variables {
	t.Helper()
	server, err := service()
	if err != nil {
		t.Fatal(err)
	}
	v := variables{"XDG_CONFIG_HOME": t.TempDir()}
	for _, e := range server.Env() {
		v[e.Name] = e.Value
	}
	return v
}

// open starts the UI on a profile at a size.
func open(t testing.TB, v variables, width, height int) *driver {
	t.Helper()
	return openAt(t, v, width, height, func() time.Time { return noon })
}

// openAt is open with a clock of its own.
func openAt(t testing.TB, v variables, width, height int, now func() time.Time) *driver {
	t.Helper()
	return openSaved(t, v, session.NewMemoryVault(), width, height, now)
}

// openSaved is openAt with a vault that may hold a session.
func openSaved(t testing.TB, v variables, vault session.Vault, width, height int, now func() time.Time) *driver {
	t.Helper()
	profile, err := config.Resolve(config.Sources{LookupEnv: v.lookup})
	if err != nil {
		t.Fatal(err)
	}
	log := &activity.Log{}
	options := Options{
		Activity: log,
		Now:      now,
		Open: func(context.Context) (Opened, error) {
			service := session.NewService(session.ServiceOptions{
				Profile: profile, Vault: vault, Observe: log.Add, Now: now,
			})
			return Opened{Service: service}, nil
		},
	}
	for _, a := range demo.Accounts() {
		options.Tips = append(options.Tips, signin.Tip{Account: a.Email, Shows: a.Shows})
	}
	return start(t, options, width, height)
}

func start(t testing.TB, o Options, width, height int) *driver {
	ctx, cancel := context.WithCancel(t.Context())
	painter := paint.Start(io.Discard, paint.Options{})
	d := &driver{t: t, model: newGuard(newRoot(ctx, o, painter)), messages: make(chan tea.Msg, 1000)}
	d.model.root.coloured(colorprofile.TrueColor)
	d.model.root.suspendable = true // whatever started the test
	d.model.root.send = func(msg tea.Msg) { d.messages <- msg }
	t.Cleanup(func() {
		cancel()
		d.model.root.close()
		painter.Close(context.Background())
	})
	d.run(d.model.Init())
	d.update(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// run starts a command; what it answers waits in messages.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		select {
		case d.messages <- cmd():
		case <-d.t.Context().Done():
		}
	}()
}

func (d *driver) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.run(cmd)
		}
		return
	case tea.QuitMsg:
		d.quit = true
		return
	}
	_, cmd := d.model.Update(msg)
	d.run(cmd)
}

// press presses keys, named as the actions name them.
func (d *driver) press(keys ...string) {
	for _, k := range keys {
		d.drain()
		d.update(keyPress(k))
	}
}

// hurry presses keys before any answer to the first can be there.
func (d *driver) hurry(keys ...string) {
	d.drain()
	for _, k := range keys {
		d.update(keyPress(k))
	}
}

// write types text, one key for each character.
func (d *driver) write(text string) {
	for _, r := range text {
		d.drain()
		d.update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// drain handles the messages that are there.
func (d *driver) drain() {
	for {
		select {
		case msg := <-d.messages:
			d.update(msg)
		default:
			return
		}
	}
}

// wait handles messages until a text stands in the frame.
func (d *driver) wait(texts ...string) {
	d.t.Helper()
	d.until(fmt.Sprintf("%q in the frame", texts), func() bool {
		frame := d.frame()
		for _, text := range texts {
			if !strings.Contains(frame, text) {
				return false
			}
		}
		return true
	})
}

func (d *driver) gone(text string) {
	d.t.Helper()
	d.until(fmt.Sprintf("no %q in the frame", text), func() bool { return !strings.Contains(d.frame(), text) })
}

func (d *driver) until(what string, done func() bool) {
	d.t.Helper()
	deadline := time.After(cmp.Or(d.patience, 30*time.Second))
	for d.drain(); !done(); {
		select {
		case msg := <-d.messages:
			d.update(msg)
		case <-deadline:
			d.t.Fatalf("waiting for %s; the frame is\n%s", what, d.frame())
		}
	}
}

// frame is what a person sees, without colours.
func (d *driver) frame() string { return ansi.Strip(d.model.frame.Content) }

// What differs from run to run: the port, and the ids that the demo draws.
var (
	loopback = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	drawn    = regexp.MustCompile(`[A-Z2-7]{26}`)
)

// golden compares the frame with its golden file, but for the spaces at the ends
// of lines.
func (d *driver) golden(name string) {
	d.t.Helper()
	d.drain()
	lines := strings.Split(d.steady(d.frame()), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	testkit.Golden(d.t, name, strings.Join(lines, "\n")+"\n")
}

// steady is a frame without what differs from run to run.
func (d *driver) steady(frame string) string {
	if d.hidden != "" {
		frame = strings.ReplaceAll(frame, d.hidden, "HIDDEN")
	}
	return drawn.ReplaceAllString(loopback.ReplaceAllString(frame, "127.0.0.1:PORT"), "RANDOM")
}

// signIn signs in by keys, unless somebody is, up to the list of domains.
func (d *driver) signIn(name string) {
	d.t.Helper()
	if !d.saved {
		d.wait("E-mail")
		d.write(name + "@harbor.example")
		d.press("tab")
		d.submit()
	}
	d.wait("Domains", "primary")
}

// submit types the password of the demo into the last field of a form.
func (d *driver) submit() {
	d.t.Helper()
	d.write(demo.Password)
	d.press("enter")
}

// deviceLogin goes to the form, whose fields but the password are filled, and
// sends it.
func (d *driver) deviceLogin() {
	d.t.Helper()
	d.press("3")
	d.wait("Device name")
	d.press("tab", "tab", "tab", "tab")
	d.submit()
}

// twoResults logs two devices in, and shows the second answer.
func (d *driver) twoResults() {
	d.t.Helper()
	d.goInto("ada")
	d.deviceLogin()
	d.wait("result 1")
	d.press("a")
	d.wait("type the password")
	d.submit()
	d.wait("result 2")
}

// goInto signs in and goes into the primary domain, up to its shares.
func (d *driver) goInto(name string) {
	d.t.Helper()
	d.signIn(name)
	d.press("enter")
	d.wait("row 1 of")
}

func keyPress(name string) tea.KeyPressMsg {
	pressed, ok := screen.Press(name)
	if !ok {
		panic("there is no key " + name)
	}
	return pressed
}
