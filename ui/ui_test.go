package ui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/config"
	"gatehouse/session"
	"gatehouse/ui/action"
)

// sizes are those of the golden frames.
var sizes = []struct{ width, height int }{{80, 24}, {120, 40}}

func TestEveryScreenLooksAsItShould(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden := func(d *driver, name string) {
				t.Helper()
				d.golden(fmt.Sprintf("ui/%s-%dx%d", name, size.width, size.height))
			}
			d := open(t, demoVariables(t), size.width, size.height)
			d.wait("E-mail")
			golden(d, "signin")
			d.write("ada@harbor.example")
			d.press("tab")
			d.wait("Primary domain: harbor.example")
			golden(d, "signin-domain")
			d.write("wrong")
			d.press("enter")
			d.wait("wrong e-mail")
			golden(d, "signin-wrong")
			d.write("demo")
			d.press("enter")
			d.wait("4 domains")
			golden(d, "domains")
			d.press("?")
			golden(d, "help")
			d.press("esc", "enter")
			d.wait("shares", "row 1 of")
			golden(d, "shares")
			d.press("/")
			d.write("board")
			d.wait("1 of 42 shares")
			golden(d, "shares-filter")
			d.press("enter", "esc", "enter")
			golden(d, "shares-detail")
			d.press("esc", "2")
			d.wait("companies", "row 1 of")
			golden(d, "companies")
			d.press("3")
			golden(d, "device-form")
			d.press("tab", "tab", "tab", "tab")
			d.write("demo")
			d.press("enter")
			d.wait("U100")
			golden(d, "device-result")
			d.press("4")
			golden(d, "token")
		})
	}
}

func TestTheFrameFitsEverySize(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.signIn("ada")
	check := func(name string) {
		t.Helper()
		for _, w := range []int{1, 2, 5, 12, 20, 40, 79, 80, 132, 250} {
			for _, h := range []int{1, 2, 3, 4, 5, 7, 8, 10, 14, 24, 70} {
				d.update(tea.WindowSizeMsg{Width: w, Height: h})
				requireBox(t, fmt.Sprintf("%s at %dx%d", name, w, h), d.model.View().Content, w, h)
			}
		}
		d.update(tea.WindowSizeMsg{Width: 80, Height: 24})
	}
	check("domains")
	d.press("?")
	check("help")
	d.press("esc", "esc")
	check("leave")
	d.press("esc", "enter")
	d.wait("row 1 of")
	check("shares")
	d.press("enter")
	check("detail")
	d.press("esc", "2")
	d.wait("companies", "row 1 of")
	check("companies")
	d.press("i")
	check("companies form")
	d.press("esc", "3")
	check("device form")
	d.press("ctrl+o")
	check("device form unfolded")
	d.press("esc", "4")
	check("token")
	d.press("5")
	check("activity")
}

func requireBox(t *testing.T, what, frame string, width, height int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Errorf("%s: %d lines", what, len(lines))
	}
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("%s: a line of %d cells: %q", what, w, ansi.Strip(line))
		}
	}
}

func TestDeviceLoginExplainsEachCode(t *testing.T) {
	for name, want := range map[string][]string{
		"ada":  {"U100", "does not explain"},
		"dora": {"U107", "not validated"},
		"eli":  {"U103", "no primary domain"},
		"finn": {"U105", "differs"},
		"wes":  {"WIPE"},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, demoVariables(t), 100, 30)
			d.signIn(name)
			d.press("enter", "3")
			d.wait("Device name")
			d.press("tab", "tab", "tab", "tab")
			d.write("demo")
			d.press("enter")
			d.wait(want...)
		})
	}
}

func TestAResellerFoundByADeviceLoginOpensTheCompanies(t *testing.T) {
	v := demoVariables(t)
	delete(v, "GATEHOUSE_RESELLER_ID")
	d := open(t, v, 100, 30)
	d.signIn("ada")
	d.press("enter", "2")
	d.wait("Reseller id")
	d.press("esc", "3")
	d.wait("Device name")
	d.press("tab", "tab", "tab", "tab")
	d.write("demo")
	d.press("enter")
	d.wait("U100")
	d.press("2")
	d.wait("companies", "row 1 of")
}

func TestCompaniesAskForAKeyWhereThereIsNone(t *testing.T) {
	v := demoVariables(t)
	delete(v, "GATEHOUSE_API_KEY")
	d := open(t, v, 100, 30)
	d.signIn("ada")
	d.press("enter", "2")
	d.wait("API key")
	d.write("no-such-key")
	d.press("enter")
	d.wait("401")
	d.press("i")
	d.wait("API key")
	d.write("demo-company-key")
	d.press("enter")
	d.wait("companies", "row 1 of")
	if strings.Contains(d.frame(), "demo-company-key") {
		t.Error("the key is shown")
	}
}

func TestComingBackFindsTheListAsItWas(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.signIn("ada")
	d.press("enter")
	d.wait("row 1 of")
	d.press("down", "down")
	d.wait("row 3 of")
	d.press("2", "1")
	d.wait("row 3 of")
	d.press("esc")
	d.wait("4 domains")
	d.press("enter")
	d.wait("row 3 of")
}

func TestSortAndFilterWorkTogether(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.signIn("ada")
	d.press("enter")
	d.wait("row 1 of")
	d.press("s")
	d.wait("↑")
	d.press("s")
	d.wait("↓")
	d.press("/")
	d.write("zzzz-no-such-share")
	d.wait("0 of ")
	d.press("esc")
	d.gone("0 of ")
}

func TestAHundredThousandSharesOpenAndScroll(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.signIn("gus")
	d.press("enter")
	d.wait("100,000 shares")
	d.press("G")
	d.wait("row 100,000 of 100,000")
	d.press("g")
	d.wait("row 1 of 100,000")
}

func TestLoadingCanBeCancelled(t *testing.T) {
	v := demoVariables(t)
	// Closed by the cleanup registered last, so that the server can end.
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(slow.Close)
	v["GATEHOUSE_BASE_URL"] = slow.URL + "/{domain}"
	d := open(t, v, 80, 24)
	d.signIn("ada")
	d.press("enter")
	d.wait("loading the shares")
	d.press("esc")
	d.wait("was cancelled", "Press r")
	d.press("esc")
	d.wait("4 domains")
}

func TestABadAnswerIsOneSentenceAndAWayOn(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    []string
	}{
		"an HTML page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, "<html><body>proxy</body></html>")
		}, []string{"HTML"}},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = fmt.Fprint(w, `{"Data":[{"Id":1`)
		}, []string{"cut"}},
		"not JSON": {func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"Data":[}`) }, []string{"JSON"}},
		"refused": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprint(w, `{"Message":"no such \u001b[31muser"}`)
		}, []string{"400", "no such [31muser"}},
	} {
		t.Run(name, func(t *testing.T) {
			bad := httptest.NewServer(c.handler)
			defer bad.Close()
			v := demoVariables(t)
			v["GATEHOUSE_BASE_URL"] = bad.URL + "/{domain}"
			d := open(t, v, 160, 24)
			d.signIn("ada")
			d.press("enter")
			d.wait(append(c.want, "reload")...)
			d.press("r")
			d.wait(c.want...)
			d.press("esc")
			d.wait("4 domains")
		})
	}
}

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

func TestLeavingAsksFirst(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.signIn("ada")
	d.press("esc")
	d.wait("Leave Gatehouse?")
	d.press("esc")
	d.wait("4 domains")
	d.press("esc", "o")
	d.wait("Sign in", "E-mail")
	if d.quit {
		t.Error("signing out has quit")
	}
	d.press("esc", "esc", "q")
	d.until("the end", func() bool { return d.quit })
}

func TestSigningInAgainComesBackToTheSamePlace(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.signIn("ada")
	d.press("enter")
	d.wait("row 1 of")
	d.press("down", "4", "S")
	d.wait("Password")
	d.write("demo")
	d.press("enter")
	d.wait("not verified")
	d.press("1")
	d.wait("row 2 of")
}

func TestAPanicEndsTheProgramInOrder(t *testing.T) {
	for name, msg := range map[string]tea.Msg{
		"in an update":   tea.KeyPressMsg{Code: 'x', Text: "x"},
		"in a command":   guarded(func() tea.Msg { panic("canary") })(),
		"inside a batch": guarded(tea.Batch(func() tea.Msg { panic("canary") }, func() tea.Msg { return nil }))().(tea.BatchMsg)[0](),
	} {
		t.Run(name, func(t *testing.T) {
			g := guard{newRoot(t.Context(), Options{}), new(tea.View)}
			if name == "in an update" {
				g.root.overlay = panicking{}
			}
			_, cmd := g.Update(msg)
			if cmd == nil || g.root.crash == nil {
				t.Fatal("the program goes on")
			}
			if _, ok := cmd().(tea.QuitMsg); !ok || strings.Contains(g.root.crash.Error(), "canary") {
				t.Errorf("ended with %v, %v", cmd(), g.root.crash)
			}
		})
	}
}

// panicking is an overlay with a mistake in it.
type panicking struct{ leave }

func (panicking) actions(*root) []action.Action { panic("canary") }

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
		d := start(t, Options{Open: open, OpenUnsaved: unsaved}, 80, 24)
		d.wait("could not be opened", "Unlock the keyring", "go on without saving")
		d.press(key)
		d.wait(want)
	}
	locked = true
	d := start(t, Options{Open: open}, 80, 24)
	d.wait("could not be opened")
	d.press("q")
	d.until("the end", func() bool { return d.quit })
	if d.model.root.crash != nil {
		t.Errorf("ended with %v", d.model.root.crash)
	}
}

func TestTheHeaderAlwaysSaysWhoAndHowLong(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.signIn("ada")
	first := strings.SplitN(d.frame(), "\n", 2)[0]
	for _, want := range []string{"ada@harbor.example", "24h 0m", d.model.root.service.Profile.Name} {
		if !strings.Contains(first, want) {
			t.Errorf("the header %q lacks %q", first, want)
		}
	}
}

// revocation stands before the service and, once on, ends the session of
// everybody who has not signed in since.
type revocation struct {
	next http.Handler
	on   atomic.Bool
}

func (p *revocation) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	grant := ""
	if strings.HasSuffix(r.URL.Path, "/connect/token") {
		body, _ := io.ReadAll(r.Body)
		form, _ := url.ParseQuery(string(body))
		grant = form.Get("grant_type")
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	switch {
	case grant == "password":
		p.on.Store(false)
	case p.on.Load() && grant == "refresh_token":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant"}`)
		return
	case p.on.Load():
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	p.next.ServeHTTP(w, r)
}

func (p *revocation) before(next http.Handler) { p.next = next }

// refusal stands before the service and, once on, answers 503 for it.
type refusal struct {
	next http.Handler
	on   atomic.Bool
}

func (p *refusal) before(next http.Handler) { p.next = next }

func (p *refusal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.on.Load() {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	p.next.ServeHTTP(w, r)
}

// behind puts a handler before the service that the variables point at.
func behind(t *testing.T, v variables, p interface {
	http.Handler
	before(http.Handler)
}) {
	t.Helper()
	service, err := url.Parse(v["GATEHOUSE_AUTH_URL"])
	if err != nil {
		t.Fatal(err)
	}
	p.before(httputil.NewSingleHostReverseProxy(&url.URL{Scheme: service.Scheme, Host: service.Host}))
	front := httptest.NewServer(p)
	t.Cleanup(front.Close)
	for name, value := range v {
		v[name] = strings.ReplaceAll(value, "http://"+service.Host, front.URL)
	}
}

func TestASessionThatEndedAsksForThePasswordAndGoesOn(t *testing.T) {
	v := demoVariables(t)
	gate := &revocation{}
	behind(t, v, gate)
	d := open(t, v, 100, 30)
	d.signIn("ada")
	d.press("enter")
	d.wait("row 1 of")
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
	d.signIn("ada")
	d.press("enter")
	d.wait("row 1 of")
	gate.on.Store(true)
	d.press("r", "/")
	d.wait("Shown as of")
	d.write("board")
	d.wait("1 of 42 shares")
}

func TestASmallScreenShowsTheFieldAndWhatWentWrong(t *testing.T) {
	for _, size := range []struct{ width, height int }{{40, 10}, {60, 12}, {24, 6}} {
		d := open(t, demoVariables(t), size.width, size.height)
		d.wait("E-mail")
		d.write("ada@harbor.example")
		d.wait("ada@harbor")
		d.press("enter")
		d.write("wrong")
		d.press("enter")
		d.wait("✗ Could not sign in")
	}
}

func TestWhatIsFoldedAwayIsNotSent(t *testing.T) {
	d := open(t, demoVariables(t), 100, 40)
	d.signIn("ada")
	d.press("enter", "3")
	d.wait("Device name")
	d.press("ctrl+o", "tab", "tab", "tab", "tab")
	d.write("a-foreign-domain-id")
	d.wait("a-foreign-domain-id")
	d.press("ctrl+o", "tab", "tab", "tab", "tab")
	d.write("demo")
	d.press("enter")
	d.wait("U100")
}

func TestAnotherResellersCompaniesAreNotShownAsTheFirstOnes(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.signIn("ada")
	d.press("enter", "2")
	d.wait("25 companies of reseller 7d3c1b52")
	d.press("i", "shift+tab", "ctrl+u")
	d.write("another")
	d.press("enter", "enter")
	d.wait("Could not get the companies of reseller another")
	if frame := d.frame(); strings.Contains(frame, "Harbor Office") {
		t.Errorf("the companies of the first reseller are still shown:\n%s", frame)
	}
}

func TestAFailedReloadSaysWhyAndWhatNext(t *testing.T) {
	v := demoVariables(t)
	gate := &refusal{}
	behind(t, v, gate)
	d := open(t, v, 80, 24)
	d.signIn("ada")
	d.press("enter")
	d.wait("42 shares")
	gate.on.Store(true)
	d.press("r")
	d.wait("Shown as of", "503", "try again later", "42 shares")
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
