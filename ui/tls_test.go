package ui

import (
	"strings"
	"testing"
	"time"

	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
)

// unwrapped is the text of a frame on one line, without borders.
func unwrapped(frame string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune("│─╭╮╰╯", r) {
			return ' '
		}
		return r
	}, frame)), " ")
}

func TestBrokenTLSIsExplainedOnTheScreen(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		authority := testkit.NewAuthority(t)
		authority.Now = func() time.Time { return noon } // as the program has it
		for _, broken := range testkit.BrokenTLSServers(t, authority, s.Listen) {
			s.Env["GATEHOUSE_AUTH_URL"] = broken.URL
			d := open(t, s, 200, 24)
			d.Expect("E-mail").Type("ada@harbor.example").Press("tab")
			d.submit()
			for _, want := range []string{broken.Host + ": " + broken.Says + ".", broken.Next} {
				d.Until(want, func() bool { return strings.Contains(unwrapped(d.Frame()), want) })
			}
			if broken.Requests() != 0 {
				t.Errorf("%s: %d requests came through", broken.Name, broken.Requests())
			}
		}
	})
}
