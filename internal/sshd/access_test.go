package sshd

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	gossh "golang.org/x/crypto/ssh"
)

// withKeys lets the owners of keys in.
func withKeys(path string) func(*Options) {
	return func(o *Options) { o.Access = Access{AuthorizedKeys: path} }
}

func TestTheOwnerOfAKeyGetsInAndNobodyElse(t *testing.T) {
	mine, other := newKey(t), newKey(t)
	h := serve(t, hello, withKeys(writeKeys(t, "", "# the team\n\n", line("", mine))))
	h.client(mine)
	h.log.find(t, "auth", "result=accepted", "method=publickey", "user=visitor", "fingerprint="+gossh.FingerprintSHA256(mine.PublicKey()))
	h.client(other, mine)
	h.log.find(t, "auth", "result=refused", "fingerprint="+gossh.FingerprintSHA256(other.PublicKey()))
	if _, err := h.dial(other); err == nil {
		t.Error("another key was taken")
	}
	h.log.find(t, "end", "reason=not authenticated")
	if _, err := h.dial(); err == nil {
		t.Error("nobody at all was let in")
	}
	password := &gossh.ClientConfig{HostKeyCallback: gossh.FixedHostKey(h.key.PublicKey()), Auth: []gossh.AuthMethod{
		gossh.Password("demo"), gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil }),
	}}
	if _, err := gossh.Dial("tcp", h.Addr().String(), password); err == nil || strings.Contains(err.Error(), "attempted methods [none password") {
		t.Errorf("a password: %v", err)
	}
}

func TestAnyoneGetsInWithAnyKeyOrNone(t *testing.T) {
	h := serve(t, hello)
	key := newKey(t)
	h.client()
	h.log.find(t, "auth", "result=accepted", "method=none")
	h.client(key)
}

// someone is what a client says of itself before it is authenticated.
type someone struct{ gossh.ConnMetadata }

func (someone) User() string { return "visitor" }

// Some clients offer a key at once, without asking to be let in without one. Nobody has looked at
// the signature of a certificate then.
func TestWhereAnyoneGetsInNobodyIsKnownByAKey(t *testing.T) {
	h := serve(t, func(_ context.Context, c *Connection) int {
		fmt.Fprintf(c.Stdout, "%q %v", c.Fingerprint, c.Certificate)
		return 0
	})
	mine := newKey(t)
	forged := *certify(t, newKey(t), mine, nil).PublicKey().(*gossh.Certificate)
	forged.Signature = &gossh.Signature{Format: forged.Signature.Format, Blob: make([]byte, 64)}
	signer, err := gossh.NewCertSigner(&forged, mine)
	if err != nil {
		t.Fatal(err)
	}
	session, err := h.client(signer).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if said, err := session.Output("whoami"); err != nil || string(said) != `"" <nil>` {
		t.Errorf("after asking to be let in without a key: %s, %v", said, err)
	}
	for name, key := range map[string]gossh.PublicKey{"a key": mine.PublicKey(), "a forged certificate": &forged} {
		v := &visit{server: h.Server}
		if permissions, err := v.offerKey(someone{}, key); err != nil || identityOf(permissions).fingerprint != "" {
			t.Errorf("%s at once: it counts as %+v, %v", name, identityOf(permissions), err)
		}
	}
}

func TestAKeyIsTriedAFewTimesAlone(t *testing.T) {
	h := serve(t, hello, withKeys(writeKeys(t, "", line("", newKey(t)))), limits(func(l *Limits) { l.Tries = 3 }))
	for range 20 {
		keys := make([]gossh.Signer, 20)
		for i := range keys {
			keys[i] = newKey(t)
		}
		if _, err := h.dial(keys...); err == nil {
			t.Fatal("a wrong key was taken")
		}
	}
	if n := strings.Count(h.log.String(), `"result":"refused"`); n != 60 {
		t.Errorf("%d keys were looked at, want three for each connection", n)
	}
}

func TestTheKeysAreReadAgainWhenTheyChange(t *testing.T) {
	first, second := newKey(t), newKey(t)
	path := writeKeys(t, "", line("", first))
	h := serve(t, hello, withKeys(path))
	h.client(first)

	writeKeys(t, path, line("", first), line("", second))
	h.client(second)

	writeKeys(t, path, line("", first), "ssh-ed25519 broken\n")
	if _, err := h.dial(first); err == nil {
		t.Error("a broken file lets people in")
	}
	h.log.find(t, "nobody new is let in", "error=line 2 of "+path+" is not a key")

	writeKeys(t, path, line("", second))
	h.client(second)
	if _, err := h.dial(first); err == nil {
		t.Error("a key that was taken out lets people in")
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := h.dial(second); err == nil {
		t.Error("a file that everybody may write lets people in")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := h.dial(second); err == nil {
		t.Error("a file that is gone lets people in")
	}
}

func TestOptionsOfAKeyAreHonoured(t *testing.T) {
	for options, works := range map[string]bool{
		`from="127.0.0.1"`:              true,
		`from="127.0.0.0/8"`:            true,
		`from="127.*"`:                  true,
		`from="10.0.0.0/8,127.0.0.?"`:   true,
		`from="192.0.2.1"`:              false,
		`from="!127.0.0.1,*"`:           false,
		`from="*,!127.0.0.0/8"`:         false,
		`from="!192.0.2.1,*"`:           true,
		`from="localhost"`:              false,
		`from="127.0.0.1/8"`:            false,
		`from=""`:                       false,
		`expiry-time="20260314"`:        false,
		`expiry-time="20260314092652Z"`: false,
		`expiry-time="20260314092654Z"`: true,
		`expiry-time="202603141000Z"`:   true,
		`expiry-time="tomorrow"`:        false,
		`restrict`:                      true,
		`restrict,pty`:                  true,
		`no-pty,no-port-forwarding,no-X11-forwarding,no-agent-forwarding,no-user-rc`: true,
		`no-touch-required`:         true,
		`environment="A=b"`:         false,
		`permitopen="localhost:80"`: false,
		`cert-authority`:            false,
		`verify-required`:           false,
		`tunnel="0"`:                false,
		`restrict="x"`:              false,
		`from`:                      false,
		`no-pty,no-pty`:             false,
		`command="unclosed '"`:      false,
	} {
		t.Run(options, func(t *testing.T) {
			key := newKey(t)
			h := serve(t, hello, withKeys(writeKeys(t, "", line(options, key))), func(o *Options) {
				o.Now = func() time.Time { return time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC) }
			})
			if client, err := h.dial(key); (err == nil) != works {
				t.Errorf("it works: %v, want %v", err == nil, works)
			} else if err == nil {
				_ = client.Close()
			}
		})
	}
}

func TestAChangeThatLeavesNoMarkIsSeen(t *testing.T) {
	first, second := newKey(t), newKey(t)
	path := writeKeys(t, "", line("", first))
	h := serve(t, hello, withKeys(path))
	h.client(first)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	writeKeys(t, path, line("", second)) // as long as before
	if err := os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
		t.Fatal(err)
	}
	if _, err := h.dial(first); err == nil {
		t.Error("a key that was taken out lets people in")
	}
	h.client(second)
	if err := os.Chmod(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := h.dial(second); err == nil {
		t.Error("a directory that everybody may write lets people in")
	}
	if err := os.Chmod(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	h.client(second)
}

func TestACertificateInTheFileIsNotUsed(t *testing.T) {
	key := newKey(t)
	certificate := &gossh.Certificate{Key: key.PublicKey(), CertType: gossh.UserCert, ValidBefore: 1} // long over
	if err := certificate.SignCert(rand.Reader, newKey(t)); err != nil {
		t.Fatal(err)
	}
	signer, err := gossh.NewCertSigner(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	h := serve(t, hello, withKeys(writeKeys(t, "", line("", signer))))
	if _, err := h.dial(signer); err == nil {
		t.Error("it lets people in who could not use it")
	}
	h.log.find(t, "key not used", "line=1")
}

func TestAKeyMayBeForCommandsAlone(t *testing.T) {
	restricted, forced, free := newKey(t), newKey(t), newKey(t)
	h := serve(t, func(_ context.Context, c *Connection) int {
		fmt.Fprintf(c.Stdout, "%q", c.Args)
		return 0
	}, withKeys(writeKeys(t, "", line("restrict", restricted), line(`command="lookup \"a b\" c"`, forced), line("restrict,pty", free))))

	v := h.visitorOf(h.client(restricted))
	if err := v.RequestPty("xterm", 24, 80, nil); err == nil {
		t.Error("the restricted key got a terminal")
	}
	if code := v.shell().code(); code != exitUsage || !strings.HasPrefix(v.stderr.String(), "Your key allows commands only") {
		t.Errorf("without a command: %d %q", code, v.stderr.String())
	}
	for _, test := range []struct {
		key          gossh.Signer
		asked, wants string
	}{{restricted, "lookup x", `["lookup" "x"]`}, {forced, "shares", `["lookup" "a b" "c"]`}, {forced, "", `["lookup" "a b" "c"]`}} {
		v := h.visitorOf(h.client(test.key))
		if err := v.Start(test.asked); err != nil {
			t.Fatal(err)
		}
		if v.code(); v.stdout.String() != test.wants {
			t.Errorf("%q ran %s, want %s", test.asked, v.stdout.String(), test.wants)
		}
	}
	h.visitorOf(h.client(free)).pty().shell().code()
}

func TestPatternsOfAddresses(t *testing.T) {
	for list, want := range map[string]map[string]bool{
		"2001:db8::/32":        {"2001:db8::1": true, "2001:db9::1": false, "192.0.2.1": false},
		"2001:DB8::*":          {"2001:db8::1": true, "2001:db8:1::1": false},
		"192.0.2.*,!192.0.2.7": {"192.0.2.1": true, "192.0.2.7": false, "::ffff:192.0.2.1": true},
		"::ffff:192.0.2.1":     {"192.0.2.1": true},
		"!192.0.2.1":           {"192.0.2.2": false},
	} {
		patterns, err := parseAddressList(list)
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]bool)
		for address := range want {
			got[address] = patterns.allows(netip.MustParseAddr(address))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", list, diff)
		}
	}
}

func TestAFileOfKeysThatCannotBeTrustedKeepsTheServerFromStarting(t *testing.T) {
	shared := filepath.Join(t.TempDir(), "shared")
	if err := os.Mkdir(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	open := writeKeys(t, "", line("", newKey(t)))
	if err := os.Chmod(open, 0o620); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"no file":                     filepath.Join(t.TempDir(), "none"),
		"a directory":                 t.TempDir(),
		"others may write it":         open,
		"others may replace it":       writeKeys(t, filepath.Join(shared, "keys"), line("", newKey(t))),
		"something that is not a key": writeKeys(t, "", "hello\n"),
		"more than anybody has typed": writeKeys(t, "", strings.Repeat("# comment\n", maxKeyFile/10+1)),
	} {
		o := Options{Listen: "127.0.0.1:0", Access: Access{AuthorizedKeys: path}, Log: slog.New(slog.DiscardHandler)}
		if _, err := Start(t.Context(), o); err == nil {
			t.Errorf("%s: it started", name)
		}
	}
}

func TestCommandLinesAreSplitAsAShellDoes(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        nil,
		" \t\n":                   nil,
		"a b":                     {"a", "b"},
		`'a b' "c d"`:             {"a b", "c d"},
		`a''b ""`:                 {"ab", ""},
		`"a\"\\\n\$"`:             {`a"\\n$`},
		`'a\'`:                    {`a\`},
		`a\ b\\`:                  {`a b\`},
		"a\\\nb":                  {"ab"},
		"$HOME `id` ; rm * > x &": {"$HOME", "`id`", ";", "rm", "*", ">", "x", "&"},
		"日本 é":                    {"日本", "é"},
	} {
		got, err := splitWords(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", text, err, diff)
		}
	}
}

func FuzzCommandLines(f *testing.F) {
	for _, seed := range []string{"lookup ada@harbor.example -o json", `a "b c" 'd' \e`, `"`, "\\", "\x00\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, err := splitWords(text)
		if err != nil {
			return
		}
		quoted := make([]string, len(words))
		for i, word := range words {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		again, err := splitWords(strings.Join(quoted, " "))
		if err != nil || !cmp.Equal(words, again) {
			t.Errorf("%q: %q, quoted %q, %v", text, words, again, err)
		}
	})
}

func FuzzKeyOptions(f *testing.F) {
	for _, seed := range []string{`from="10.0.0.0/8,!10.1.*"`, `expiry-time="20260314Z"`, `command="a \"b\""`, "restrict", `from="[a-b]*"`} {
		f.Add(seed)
	}
	anywhere := netip.MustParseAddr("192.0.2.1")
	f.Fuzz(func(t *testing.T, option string) {
		o, err := parseKeyOptions([]string{option})
		if err == nil && o.check(anywhere, time.Unix(0, 0)) == nil && strings.HasPrefix(option, "from") && !strings.ContainsAny(option, "192*?/:") {
			t.Errorf("%q lets %s in", option, anywhere)
		}
	})
}
