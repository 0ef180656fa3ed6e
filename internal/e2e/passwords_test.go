//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// passwords is a token endpoint that takes every password, and keeps those that reach it by user.
type passwords struct {
	*httptest.Server

	mu      sync.Mutex
	reached map[string][]string
}

func newPasswords(t testing.TB) *passwords {
	p := &passwords{reached: map[string][]string{}}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *passwords) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path != "/connect/token" {
		_, _ = io.WriteString(w, `{"Data":[]}`)
		return
	}
	_ = r.ParseForm()
	p.mu.Lock()
	defer p.mu.Unlock()
	user := r.Form.Get("username")
	p.reached[user] = append(p.reached[user], r.Form.Get("password"))
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": accessToken(1), "token_type": "Bearer", "expires_in": 86400})
}

// of are the passwords that reached the service for a user.
func (p *passwords) of(user string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reached[user]
}

// env are the variables of somebody who uses the service.
func (p *passwords) env(home string) []string {
	return []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/config", "XDG_STATE_HOME=" + home + "/state", "TMPDIR=" + home,
		"GATEHOUSE_STORE=file", "GATEHOUSE_STORE_PASSPHRASE=" + thePhrase, "TERM=xterm-256color", "PATH=" + os.Getenv("PATH"), "GATEHOUSE_CLIENT_ID=client",
		"GATEHOUSE_AUTH_URL=" + p.URL, "GATEHOUSE_BASE_URL=" + p.URL, "GATEHOUSE_GLOBAL_URL=" + p.URL,
	}
}

const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
	// nothing stands for no password at all, same for what else reaches the service.
	nothing, same = "", "same"
)

// passwordCases are what is typed where a password is asked for, and what reaches the service. In the UI
// NUL is the key ctrl+space, which types nothing, and each paste is one text.
var passwordCases = []struct {
	name, typed, reaches string
	// keys is set for what is only typed, or pasted, at a keyboard.
	keys bool
	// inUI is what reaches the service from the UI, where that is something else.
	inUI string
}{
	{"letters", "påss 日本", "påss 日本", false, same},
	{"decomposed letters", "pa\u030ass", "pa\u030ass", false, same},
	{"blanks around it", " demo ", " demo ", false, same},
	{"4,000 characters", strings.Repeat("x", 3999) + "é", strings.Repeat("x", 3999) + "é", false, same},
	{"a byte-order mark", "\ufeffdemo", "demo", false, same},
	{"a letter of Latin-1", "p\xe4ss", nothing, false, same},
	{"half of a letter", "pass\xe6\x97", nothing, false, same},
	{"NUL", "de\x00mo", nothing, false, "demo"},
	{"a paste", pasteBegins + "demo" + pasteEnds, "demo", true, same},
	{"a paste with its line end", pasteBegins + "demo\r" + pasteEnds, "demo", true, same},
	{"a paste with its line end of Windows", pasteBegins + "demo\r\n" + pasteEnds, "demo", true, same},
	{"a paste of two lines", pasteBegins + "demo\rmore" + pasteEnds, nothing, true, same},
	{"a paste of Latin-1", pasteBegins + "p\xe4ss" + pasteEnds, nothing, true, same},
	{"a paste without an end, and ctrl+c", pasteBegins + "demo\x03", nothing, true, same},
}

// refusals are in each sentence that says that something was not taken.
var refusals = []string{"not taken", "Not pasted", "UTF-8", "second line", "type the password"}

// enterPassword types a password on a terminal that asks for it, and waits for what becomes of that.
func (p *passwords) enterPassword(term *terminal, user, typed string) {
	term.t.Helper()
	term.Type(typed)
	if strings.HasSuffix(typed, "\x03") {
		_ = term.Wait()
		return
	}
	term.Type(enter)
	term.WaitUntil("a sign-in or a refusal", func(screen string) bool {
		for _, refusal := range refusals {
			if strings.Contains(screen, refusal) {
				return true
			}
		}
		return len(p.of(user)) > 0
	})
}

// started starts the program on a terminal.
func (p *passwords) started(t *testing.T, args ...string) *terminal {
	command := exec.Command(binary, args...)
	command.Env = p.env(t.TempDir())
	return startTerminal(t, command, 100, 30)
}

// TestAPasswordReachesTheServiceAsItWasTyped looks at what the service gets, for each way to type a
// password.
func TestAPasswordReachesTheServiceAsItWasTyped(t *testing.T) {
	t.Parallel()
	p := newPasswords(t)
	server := serveSSH(t, p.env(t.TempDir()), "--anyone", "--expose-sign-in")
	inUI := func(term *terminal, user, typed string) {
		term.WaitFor("E-mail")
		if term.Type(user + tab); len(typed) > 1000 { // nobody types that much
			typed = pasteBegins + typed + pasteEnds
		}
		p.enterPassword(term, user, typed)
	}
	faces := []struct {
		name     string
		sign     func(t *testing.T, user, typed string)
		ui, pipe bool
	}{
		{"the UI", func(t *testing.T, user, typed string) { inUI(p.started(t), user, typed) }, true, false},
		{"the UI over SSH", func(t *testing.T, user, typed string) {
			inUI(startTerminal(t, server.client(host), 100, 30), user, typed)
		}, true, false},
		{"login", func(t *testing.T, user, typed string) {
			term := p.started(t, "login", "-u", user)
			term.WaitFor("Password")
			p.enterPassword(term, user, typed)
		}, false, false},
		{"a command over SSH", func(t *testing.T, user, typed string) {
			term := startTerminal(t, server.client("-tt", host, "whoami", "-u", user), 100, 30)
			term.WaitFor("Password")
			p.enterPassword(term, user, typed)
		}, false, false},
		{"plain lines", func(t *testing.T, user, typed string) {
			term := p.started(t, "--accessible")
			term.WaitFor("E-mail")
			term.Type(user + enter)
			term.WaitFor("Password")
			p.enterPassword(term, user, typed)
		}, false, false},
		{"standard input", func(t *testing.T, user, typed string) {
			gatehouse(t, p.env(t.TempDir()), typed, "login", "-u", user, "--password-stdin")
		}, false, true},
		{"standard input over SSH", func(t *testing.T, user, typed string) {
			server.run(typed, host, "whoami", "-u", user, "--password-stdin")
		}, false, true},
	}
	for number, face := range faces {
		t.Run(face.name, func(t *testing.T) {
			t.Parallel()
			for i, tt := range passwordCases {
				if tt.keys && face.pipe {
					continue
				}
				user := fmt.Sprintf("user%d.%d@harbor.example", number, i)
				typed := tt.typed
				if face.pipe {
					typed += "\r\n"
				}
				t.Run(tt.name, func(t *testing.T) { face.sign(t, user, typed) })
				want := tt.reaches
				if face.ui && tt.inUI != same {
					want = tt.inUI
				}
				if got := strings.Join(p.of(user), ", "); got != want {
					t.Errorf("%s: %.40q reaches the service, want %.40q", tt.name, got, want)
				}
			}
		})
	}
}
