package ui

import (
	"errors"
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestOnlyAPlainHTTPSAddressReachesTheBrowser(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 24)
		opened := make(chan string, 1)
		d.model.root.options.Browser = func(address string) error {
			opened <- address
			return nil
		}
		for _, address := range []string{
			"http://a.example", "file:///etc/passwd", "javascript:alert(1)", "-x https://a.example", "https://", "https://user@a.example",
			"https://a.example/\x1b[2J", "https://a.example/\u202e", "https://a.example/ b", "https://a.example/" + strings.Repeat("x", 2000),
		} {
			d.Run(d.model.root.OpenLink(address))
			d.Expect("Not opened: this is not a plain https address.")
		}
		if len(opened) > 0 {
			t.Fatalf("%s was opened", <-opened)
		}
		const address = "https://a.example/b?c=d&e#f"
		d.Run(d.model.root.OpenLink(address))
		d.Until("the browser", func() bool { return len(opened) > 0 })
		if got := <-opened; got != address {
			t.Errorf("%s was opened", got)
		}
		d.Expect("Opening " + address + " in the browser.")
	})
}

func TestAnAddressThatCannotBeOpenedIsSaid(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 120, 24)
		d.Run(d.model.root.OpenLink("https://a.example"))
		d.Expect("Not opened: no desktop can be reached from here. y copies the URL.")
		d.model.root.options.Browser = func(string) error { return errors.New("no") }
		d.Run(d.model.root.OpenLink("https://a.example"))
		d.Expect("Not opened: the desktop did not take https://a.example.")
	})
}
