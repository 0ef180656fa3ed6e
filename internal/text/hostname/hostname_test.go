package hostname_test

import (
	"strings"
	"testing"
	"unicode"

	"gatehouse/internal/text/hostname"
)

func TestAHostIsShownInLettersThatCannotBeMistaken(t *testing.T) {
	for host, want := range map[string]string{
		"":                            "",
		"harbor.example":              "harbor.example",
		"PAYPAI.example":              "paypai.example",
		"harbor.example:8443":         "harbor.example:8443",
		"harbor.example.":             "harbor.example.",
		"127.0.0.1:80":                "127.0.0.1:80",
		"[2001:db8::1]:443":           "[2001:db8::1]:443",
		"[::1]":                       "[::1]",
		"file_server.corp":            "file_server.corp",
		"bücher.example":              "xn--bcher-kva.example (bücher.example)",
		"BÜCHER.example:8443":         "xn--bcher-kva.example:8443 (bücher.example)",
		"xn--bcher-kva.example":       "xn--bcher-kva.example (bücher.example)",
		"harb\u043er.example":         "xn--harbr-mye.example (harb\u043er.example)", // a Cyrillic o
		"аррӏе.example":               "xn--80ak6aa92e.example (аррӏе.example)",      // Cyrillic alone
		"אבג.example":                 "xn--4dbcd.example (אבג.example)",
		"日本。example":                  "xn--wgv71a.example (日本.example)",
		"１２７.０.０.１":                   "127.0.0.1",
		"har\u200bbor.example":        "harbor.example", // a zero-width space is no part of a name
		"har\u202ebor.example":        `har\u202ebor.example`,
		"\u202egro.rob":               `\u202egro.rob`,
		"a\x1b[2J.example":            `a\x1b[2j.example`,
		"xn--zzzzzz.example":          "xn--zzzzzz.example",
		"ü/../x":                      `\u00fc/../x`,
		"a\r\nb.example":              `a\r\nb.example`,
		"gate\u2044evil.example":      "xn--gateevil-h03d.example", // a fraction slash
		"a.example\u3002evil.test":    "a.example.evil.test",
		"x\U000e0041.example":         `x\U000e0041.example`, // a tag character
		"evil.example:80@good.test":   "evil.example:80@good.test",
		"evil.example:\u0661\u0662":   `evil.example:\u0661\u0662`, // Arabic digits
		"\xff.example":                `\ufffd.example`,
		"straße.example":              "xn--strae-oqa.example (straße.example)",
		strings.Repeat("ü", 9) + ".a": "xn--tdaaaaaaaaa.a (" + strings.Repeat("ü", 9) + ".a)",
	} {
		if got := hostname.Readable(host); got != want {
			t.Errorf("Readable(%q)\n got %q\nwant %q", host, got, want)
		}
		short, _, _ := strings.Cut(want, " (")
		if got := hostname.Short(host); got != short {
			t.Errorf("Short(%q)\n got %q\nwant %q", host, got, short)
		}
	}
}

func TestTheHostOfAnAddressIsShownInLettersThatCannotBeMistaken(t *testing.T) {
	for address, want := range map[string]string{
		"":                                     "",
		"https://Harbor.example/A?b=C#d":       "https://Harbor.example/A?b=C#d",
		"https://harb\u043er.example:1/\u043e": "https://xn--harbr-mye.example:1/\u043e",
		"harb\u043er.example/x":                "xn--harbr-mye.example/x",
		"//harb\u043er.example":                "//xn--harbr-mye.example",
		"https://a@harb\u043er.example?x":      `https://a@xn--harbr-mye.example?x`,
		"https://harb\u043er.example\\@b.test": `https://xn--harbr-mye.example\@b.test`,
		"https://gate\u2044evil.example":       "https://xn--gateevil-h03d.example",
		"none in the answer":                   "none in the answer",
		"•••":                                  "•••",
	} {
		if got := hostname.ReadableURL(address); got != want {
			t.Errorf("ReadableURL(%q)\n got %q\nwant %q", address, got, want)
		}
	}
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.8.9.10": true, "::1": true, "::ffff:127.0.0.1": true,
		"": false, "localhost.example": false, "localhost.": false, "127.1": false, "0.0.0.0": false, "::": false,
		"128.0.0.1": false, "127.0.0.1.example": false, "fe80::1": false, "[::1]": false,
	} {
		if got := hostname.IsLoopback(host); got != want {
			t.Errorf("IsLoopback(%q) = %v", host, got)
		}
	}
}

// Whatever a host is, its first spelling is ASCII, and the two together have
// nothing that a terminal obeys or that turns the direction of the text.
func FuzzReadable(f *testing.F) {
	for _, host := range []string{"harbor.example:80", "bücher.example", "xn--bcher-kva.example", "a\u202eb", "\xff", "[::1]:1", "日本。example"} {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		for _, r := range hostname.Short(host) {
			if r >= unicode.MaxASCII || r < ' ' {
				t.Fatalf("Short(%q) has %q", host, r)
			}
		}
		for _, r := range hostname.Readable(host) {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("Readable(%q) has %q", host, r)
			}
		}
	})
}
