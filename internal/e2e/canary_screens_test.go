//go:build linux

package e2e

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gatehouse/internal/testkit"
)

// step types keys, and then waits for texts and for the end of another one.
type step struct {
	keys string
	want []string
	gone string
}

func see(keys string, want ...string) step { return step{keys: keys, want: want} }

// leave presses esc, and waits until what is left is gone: with a key that came
// at once after it, esc would be taken for the beginning of a sequence.
func leave(gone string) step { return step{keys: esc, gone: gone} }

// open starts the program on a terminal.
func (w *world) open(command *exec.Cmd, width, height int) *testkit.Terminal {
	w.t.Helper()
	return testkit.StartTerminal(w.t, command, width, height)
}

// do takes steps and keeps each screen that they lead to.
func (w *world) do(term *testkit.Terminal, steps ...step) {
	w.t.Helper()
	for _, s := range steps {
		term.Type(s.keys)
		term.WaitFor(s.want...)
		if s.gone != "" {
			term.WaitGone(s.gone)
		}
		w.keep("screen after "+s.keys, term.Screen())
	}
}

// signIn are the steps up to the shares of the primary domain.
var signIn = []step{
	see("", "Sign in", "E-mail"),
	see("ada@harbor.example"+tab+givenPassword+enter, "4 domains"),
	see(enter, "row 1 of 42"),
}

const (
	ctrlC = "\x03"
	ctrlO = "\x0f"
	ctrlP = "\x10"
	ctrlR = "\x12"
	ctrlU = "\x15"
	ctrlY = "\x19"
)

func walkScreens(w *world) {
	term := w.open(w.command(nil), 120, 40)
	w.do(term,
		see("", "Sign in", "E-mail"),
		see("ada@harbor.example"+tab+wrongPassword, "•••••"),
		see(enter, "Wrong e-mail or password"),
	)
	w.do(term,
		see(givenPassword, "•••••"),
		see(enter, "4 domains"),
		see("o", "▌Browser"), see("y", "Copied"), leave("▌Browser"),
		see(enter, "row 1 of 42"),
		see(enter, "Shares ›"), see(ctrlY, "Copied"), leave("Shares ›"),
	)
	for _, name := range []string{"shares.csv", "shares.json", "shares.ndjson"} {
		w.do(term, see("e", "File"), see(tab+tab+ctrlU+name+enter, "Wrote 42 shares"), leave("Wrote 42 shares"))
	}
	w.do(term,
		see("2", "25 companies"),
		see("i", "API key"), see(tab+givenOtherKey, "•••••"), step{keys: enter, want: []string{"25 companies"}, gone: "API key"},
		see("3", "Device name"),
		see(enter+ctrlO, "Active Directory token"),
		see(strings.Repeat(tab, 10)+givenDirectory, "•••••"),
		see(tab+"\x1b[C"+tab+givenPassword, "password2 and password", "•••••"),
		see(enter, "U100", "result 1"),
		see("t+", "UserDomainToken: •••"), see(ctrlY, "Copied"),
		see("a", "type the password"), see(givenPassword+enter, "result 2"),
		see("c", "No differences"), see("a", "a differences"), see("y", "Copied"), leave("a differences"),
		see(ctrlR, "2 results"), step{keys: enter, gone: "2 results"},
		see("4", "not verified"), see("R", "renewed"), see("G", "Renewals"),
		see("5", "entries"), see("/127"+enter, "/ 127"), see("g"),
	)
	w.openEntries(term, 12)
	w.do(term,
		see("e", "File"), see(ctrlU+"activity.har"+enter, "Wrote"), leave("Wrote"),
		see(ctrlP, "do it"), see("token", "Token"), leave("do it"),
	)
	// The session ends while the shares are asked for.
	w.goWrong(faults["is not satisfied"], "")
	w.do(term, see("1", "row 1 of 42"), see("r", "The session has ended"), see(givenPassword+enter, "Wrong e-mail"), leave("Password"), see("5", "entries"), see("g"))
	w.openEntries(term, 3)
	w.requireWrong()
	w.quit(term)
	w.requireFiles("shares.csv", "shares.json", "shares.ndjson", "activity.har")
	if w.onDesk("told") == "" {
		w.t.Error("no tool for the clipboard was started")
	}
}

// requireFiles wants files in the directory that the program ran in.
func (w *world) requireFiles(names ...string) {
	w.t.Helper()
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(w.home, "work", name)); err != nil || info.Size() == 0 {
			w.t.Errorf("there is no %s: %v", name, err)
		}
	}
}

// openEntries goes down the list of the activity and into each entry.
func (w *world) openEntries(term *testkit.Terminal, entries int) {
	w.t.Helper()
	for range entries {
		w.do(term, see(enter, "Activity ›"), see("t", "Times ─"), see("t+", "▾"), see("y", "Copied"), see(ctrlY, "Copied"),
			step{keys: esc, want: []string{"entries"}, gone: "▾"}, see("j")) // j must not come with esc, as alt+j
	}
}

// loading is on a screen while a list comes, which is not asked for again then.
const loading = "esc cancel"

// walkFaults shows on each screen what a careless service makes of a request.
func walkFaults(w *world) {
	term := w.open(w.command(nil), 120, 40)
	w.do(term, see("", "Sign in", "E-mail"), see("ada@harbor.example"+tab))
	for _, f := range []struct{ name, said string }{
		{"refuses", "Wrong e-mail"}, {"breaks", "500"}, {"is not satisfied", "Wrong e-mail"}, {"shows a page", "HTML page"},
		{"leads elsewhere", "redirects"}, {"is cut off", "cut off"}, {"hangs up", "failed or the answer"},
	} {
		w.goWrong(faults[f.name], "/connect/token")
		w.do(term, see(givenPassword+enter, f.said))
		w.requireWrong()
	}
	w.goWrong(nil, "")
	w.do(term, see(givenPassword+enter, "4 domains"), see(enter, "row 1 of 42"))
	for name, fault := range faults {
		if name == "is not satisfied" {
			continue // ends the session
		}
		for key, rows := range map[string]string{"1": "42 shares", "2": "25 companies"} {
			w.do(term, step{keys: key, want: []string{rows}, gone: loading})
			w.goWrong(fault, "/gateway/")
			w.do(term, step{keys: "r", want: []string{"Could not"}, gone: loading})
			w.requireWrong()
			w.goWrong(nil, "")
			w.do(term, step{keys: "r", gone: "Could not"}, step{gone: loading})
		}
	}
	w.quit(term)
}

func walkReveal(w *world) {
	term := w.open(w.command(nil), 120, 40)
	w.do(term, signIn...)
	w.do(term,
		see("4", "not verified"), see("v", "eyJ"), see("y", "Copied"), see("v", "shows it"),
		see("3", "Device name"), see(enter+strings.Repeat(tab, 4)+givenPassword, "•••••"), see(enter, "U100"),
		see("t", "UserDomainToken: •••"), see("v"),
	)
	term.WaitGone("UserDomainToken: •••")
	w.do(term, see("/UserDomainToken"+enter, "1 of 5"), see("y", "Copied PrimaryUserDomain"), see("v", "UserDomainToken: •••"))
	w.goWrong(repeatsInGood, "/login2.aspx")
	w.do(term, see("a", "type the password"), see(givenPassword+enter, "result 2"), see("v+", "Nested"), see(ctrlY, "Copied"))
	w.requireWrong()
	w.quit(term)
}

// quit leaves the program and keeps what the terminal was sent.
func (w *world) quit(term *testkit.Terminal) {
	w.t.Helper()
	term.Type(ctrlC)
	_ = term.Wait()
	w.keepTerminal(term)
}

// fault is how a careless service answers.
type fault func(w *world, to http.ResponseWriter, r *http.Request)

// Each tells all that it knows of the request.
var faults = map[string]fault{
	"leads elsewhere": func(w *world, to http.ResponseWriter, r *http.Request) {
		http.Redirect(to, r, w.elsewhere.URL+r.URL.RequestURI(), http.StatusTemporaryRedirect)
	},
	"refuses": func(_ *world, to http.ResponseWriter, r *http.Request) {
		repeat(to, r, http.StatusBadRequest, "application/json")
	},
	"is not satisfied": func(_ *world, to http.ResponseWriter, r *http.Request) {
		to.Header().Set("WWW-Authenticate", r.Header.Get("Authorization"))
		repeat(to, r, http.StatusUnauthorized, "application/json")
	},
	"breaks": func(_ *world, to http.ResponseWriter, r *http.Request) {
		repeat(to, r, http.StatusInternalServerError, "text/plain")
	},
	"shows a page": func(_ *world, to http.ResponseWriter, r *http.Request) {
		repeat(to, r, http.StatusOK, "text/html")
	},
	"is cut off": func(_ *world, to http.ResponseWriter, r *http.Request) {
		to.Header().Set("Content-Length", "99999")
		repeat(to, r, http.StatusOK, "application/json")
	},
	"hangs up": func(*world, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
}

// repeatsInGood is a fault that does not show: the answer to a device login is a
// good one, and has all of the request in it under harmless names.
func repeatsInGood(_ *world, to http.ResponseWriter, r *http.Request) {
	dump, _ := httputil.DumpRequest(r, true)
	query := r.URL.Query()
	password, _ := base64.StdEncoding.DecodeString(query.Get("password2"))
	nested, _ := json.Marshal(map[string]string{"typed": string(password)})
	type list map[string]any
	to.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(to).Encode(list{
		"ErrorCode": "U100", "DeviceId": query.Get("password2"), "Query": r.URL.RawQuery, "Request": string(dump), "Nested": string(nested),
		"PrimaryUserDomain": list{"Domain": list{"DomainName": "of " + string(password), "Url": query.Get("Ad"), "ResellerId": string(password)}},
		"User":              list{string(password): list{"Note": hex.EncodeToString(password)}},
		"UserNotification":  list{"NotificationType": 1, "Url": "https://example/?p=" + url.QueryEscape(string(password))},
	})
}

// repeat sends a request back, as it came and decoded.
func repeat(to http.ResponseWriter, r *http.Request, status int, kind string) {
	dump, _ := httputil.DumpRequest(r, true)
	decoded, _ := url.QueryUnescape(string(dump))
	_, credential, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	pair, _ := base64.StdEncoding.DecodeString(credential)
	to.Header().Set("Content-Type", kind)
	to.Header().Set("X-Request-Id", strings.Join(strings.Fields(string(dump)), " "))
	to.WriteHeader(status)
	if kind == "text/html" {
		_, _ = io.WriteString(to, "<p>")
	}
	_ = json.NewEncoder(to).Encode(map[string]string{
		"error": "invalid_grant", "error_description": decoded, "Message": decoded, "request": string(dump), "client": string(pair),
	})
}

// goWrong has the service answer so where the path has a part, from now on; with
// no fault it answers well.
func (w *world) goWrong(f fault, part string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault, w.faultAt = f, part
	select {
	case <-w.wentWrong:
	default:
	}
}

// wrongFor is how a request is answered wrongly, or nil.
func (w *world) wrongFor(r *http.Request) fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fault == nil || !strings.Contains(r.URL.Path, w.faultAt) {
		return nil
	}
	select {
	case w.wentWrong <- struct{}{}:
	default:
	}
	return w.fault
}

// requireWrong waits until an answer has gone wrong since goWrong, without which
// nothing was shown.
func (w *world) requireWrong() {
	w.t.Helper()
	select {
	case <-w.wentWrong:
	case <-time.After(patience):
		w.t.Error("no answer went wrong")
	}
}
