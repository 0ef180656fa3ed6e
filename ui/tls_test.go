package ui

import (
	"testing"

	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
)

func TestBrokenTLSIsExplainedOnTheScreen(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		for _, broken := range testkit.BrokenTLSServers(t, testkit.NewAuthority(t), s.Listen) {
			s.Env["GATEHOUSE_AUTH_URL"] = broken.URL
			d := open(t, s, 200, 24)
			d.Expect("E-mail").Type("ada@harbor.example").Press("tab")
			d.submit()
			d.Expect(broken.Host+": "+broken.Says+".", broken.Next)
			if broken.Requests() != 0 {
				t.Errorf("%s: %d requests came through", broken.Name, broken.Requests())
			}
		}
	})
}
