package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
	"gatehouse/ui/traffic"
)

// meeting is a way through the screens to one where a fault is met.
type meeting struct {
	name     string
	endpoint hostile.Endpoint
	// before leads to where the next step calls the endpoint.
	before, call func(*driver)
	// again repeats the call; it then shows well, as it does where the fault can be
	// borne with.
	again func(*driver)
	well  []string
	// worse is what stands there in the place of a sentence about the fault, and part
	// what may where some of an answer came; "" if nothing does.
	worse, part string
	// once is set where the first answer counts, whatever it is, and nobody is led
	// to the sign-in.
	once bool
}

const cleo = "cleo@harbor.example"

var meetings = []meeting{
	{
		name: "Sign in", endpoint: hostile.PasswordGrant,
		before: func(d *driver) { d.Expect("E-mail"); d.Paste(cleo); d.Press("tab"); d.Settle() },
		call:   (*driver).typePassword, again: (*driver).typePassword,
		well: []string{"Domains", "@harbor.example"}, // a strange token can be another's
	},
	{
		name: "the address in Sign in", endpoint: hostile.Lookup,
		before: func(d *driver) { d.Expect("E-mail") },
		call:   func(d *driver) { d.Paste(cleo); d.Press("tab") },
		again:  func(d *driver) { d.Press("shift+tab"); d.Type("x"); d.Press("backspace", "tab") },
		well:   []string{"✓ harbor.example"},
		worse:  "look-up failed; signing in may still work",
	},
	{
		name: "Token", endpoint: hostile.RefreshGrant,
		before: func(d *driver) { d.enterDomain(); d.Press("4"); d.Expect("Session ends") },
		call:   func(d *driver) { d.Press("R") },
		again:  func(d *driver) { d.Pass(5 * time.Second); d.Press("R") },
		well:   []string{"The access token was renewed."},
	},
	{
		name: "Domains", endpoint: hostile.Shares,
		before: (*driver).enterDomains,
		call:   func(d *driver) { d.Press("r") },
		again:  func(d *driver) { d.Press("r") },
		well:   []string{"14", "● reachable"},
		part:   "B+",
		once:   true,
	},
	{
		name: "Shares", endpoint: hostile.Shares,
		before: (*driver).enterDomains,
		call:   func(d *driver) { d.Press("enter") },
		again:  func(d *driver) { d.Press("r") },
		well:   []string{"14 shares", "row 1 of 14"},
		part:   "before that are complete; r refreshes",
	},
	{
		name: "Companies", endpoint: hostile.Companies,
		before: (*driver).enterDomain,
		call:   func(d *driver) { d.Press("2") },
		again:  func(d *driver) { d.Press("r") },
		well:   []string{"25 companies", "row 1 of 25"},
		part:   "before that are complete; r refreshes",
	},
	{
		name: "Device login", endpoint: hostile.DeviceLogin,
		before: func(d *driver) {
			d.enterDomain()
			d.Press("3").Expect("Device name")
			d.Press("enter", "tab", "tab", "tab", "tab")
		},
		call: (*driver).typePassword, again: func(d *driver) { d.Press("enter"); d.typePassword() },
		well: []string{"U100"},
	},
}

// TestEveryFaultOnEveryScreen walks through all that a service can do wrong. A long run meets it at
// each endpoint, on the screen that calls it; a short run meets each fault on some of them.
func TestEveryFaultOnEveryScreen(t *testing.T) {
	for i, c := range hostile.Cases() {
		for j, m := range meetings {
			if c.On != nil && !slices.Contains(c.On, m.endpoint) || m.once && c.Times > 0 {
				continue
			}
			if !testkit.Long() && (i+j)%3 != 0 {
				continue
			}
			t.Run(c.Name+"/"+m.name, func(t *testing.T) {
				t.Parallel()
				hostile.Run(t, func(t *testing.T, w *hostile.World) { meet(t, w, c, m) })
			})
		}
	}
}

func meet(t *testing.T, w *hostile.World, c hostile.Case, m meeting) {
	d := openHostile(t, w, m.endpoint != hostile.PasswordGrant && m.endpoint != hostile.Lookup)
	m.before(d)
	d.Settle()
	w.Faults.Set(hostile.Rule{Endpoint: m.endpoint, Fault: c.Fault, Times: c.Times})
	want := c.Want(m.endpoint)
	if m.once {
		want = want.Once()
	}
	start := time.Now()
	m.call(d)
	switch {
	case want.Ending == hostile.Works:
		d.Until("the request", func() bool { return w.Faults.Met() > 0 })
		d.Expect(m.well...)
	case m.worse != "":
		d.Expect(m.worse)
	default:
		d.said(w, m, want)
	}
	if took := time.Since(start); took > want.Within+time.Second { // the clock on the screen
		t.Errorf("it took %v, which is longer than %v", took, want.Within)
	}
	most := want.Sent
	if strings.HasPrefix(c.Name, "a reset") && m.isGet() {
		most *= 2 // by net/http itself, where the connection was one that was kept open
	}
	if sent := w.Faults.Met(); sent < want.Sent || sent > most {
		t.Errorf("%d requests were sent, want %d", sent, want.Sent)
	}
	d.harmless(w)
	d.usable(w, m, want)
}

// isGet reports whether the call is one that changes nothing.
func (m meeting) isGet() bool {
	return slices.Contains([]hostile.Endpoint{hostile.Shares, hostile.Companies, hostile.Lookup}, m.endpoint)
}

// said waits for what the interface and the design make of a fault.
func (d *driver) said(w *hostile.World, m meeting, want hostile.Outcome) {
	d.t.Helper()
	parts := []string{want.Says, w.Host()}
	switch {
	case want.Ending == hostile.Over:
		parts = parts[:1]
	case m.endpoint == hostile.RefreshGrant:
		parts = append(parts, "next at")
	case m.endpoint == hostile.PasswordGrant && strings.HasPrefix(want.Says, "wrong e-mail"):
		parts[0] = "Wrong e-mail or password"
	}
	d.Until(fmt.Sprintf("a sentence with %q", parts), func() bool {
		text := flowing(d.Frame())
		return containsAll(text, parts...) || want.Partial && m.part != "" && containsAll(text, m.part)
	})
}

func containsAll(text string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

// flowing is a frame as running text; panes that stand side by side follow each other.
func flowing(frame string) string {
	var left, right []string
	for line := range strings.SplitSeq(frame, "\n") {
		first, second, _ := strings.Cut(line, "││")
		left, right = append(left, first), append(right, second)
	}
	frame = strings.Join(append(left, right...), "\n")
	return strings.Join(strings.FieldsFunc(frame, func(r rune) bool { return strings.ContainsRune(" \n│┃", r) }), " ")
}

// harmless looks for what no screen may show.
func (d *driver) harmless(w *hostile.World) {
	d.t.Helper()
	if found := w.Leaked(d.Frame()); found != "" {
		d.t.Errorf("the screen shows the secret %q", found)
	}
	if found := hostile.GoWords(d.Frame()); found != "" {
		d.t.Errorf("the screen has the word %q of a programmer:\n%s", found, d.Frame())
	}
}

// usable looks whether the keys work afterwards, and whether what failed can be
// done once the service does as it should.
func (d *driver) usable(w *hostile.World, m meeting, after hostile.Outcome) {
	d.t.Helper()
	w.Faults.Set()
	d.Press("f1").Expect("Keys on ")
	d.Press("esc").Gone("Keys on ")
	switch {
	case after.Ending == hostile.Works:
	case after.Ending == hostile.NeedsSignIn, after.Ending == hostile.Over:
		if after.Ending == hostile.Over {
			d.Press("ctrl+r")
		}
		d.Expect("Password")
		d.typePassword()
		d.Gone("Password")
	case after.Spent:
		m.again(d)
		d.Expect("The session has ended")
	default:
		m.again(d)
		d.Expect(m.well...)
	}
	d.harmless(w)
}

// openHostile starts the UI in a bubble, with a session from before or without.
func openHostile(t *testing.T, w *hostile.World, saved bool) *driver {
	t.Helper()
	log := &traffic.Log{}
	service := session.NewService(session.ServiceOptions{Profile: profile(t, w), Vault: session.NewMemoryVault(), Observe: log.Add, Dial: w.Dial, Now: time.Now})
	if saved {
		if err := service.Session.SignIn(t.Context(), session.SignIn{Username: cleo, Password: secret.New(hostile.Password)}); err != nil {
			t.Fatal(err)
		}
	}
	d := start(t, Options{Activity: log, Now: time.Now, Open: func(context.Context) (Opened, error) {
		return Opened{Service: service}, nil
	}}, 160, 30)
	d.Patience = 3 * time.Hour // which are over at once
	return d
}

func (d *driver) typePassword() {
	d.Paste(hostile.Password).Press("enter")
}

func (d *driver) enterDomains() {
	d.t.Helper()
	d.Expect("Domains", "primary")
	d.Settle()
}

func (d *driver) enterDomain() {
	d.t.Helper()
	d.enterDomains()
	d.Press("enter").Expect("row 1 of")
}
