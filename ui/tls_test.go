package ui

import (
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

func TestBrokenTLSIsExplainedOnTheScreen(t *testing.T) {
	for _, broken := range testkit.BrokenTLSServers(t, testkit.NewAuthority(t)) {
		t.Run(broken.Name, func(t *testing.T) {
			v := demoVariables(t)
			v["GATEHOUSE_AUTH_URL"] = broken.URL
			d := open(t, v, 200, 24)
			d.wait("E-mail")
			d.write("ada@harbor.example")
			d.press("tab")
			d.submit()
			d.wait(broken.Host + ": " + broken.Says + ".")
			if !strings.Contains(d.frame(), broken.Next) {
				t.Errorf("there is no %q in\n%s", broken.Next, d.frame())
			}
			if broken.Requests() != 0 {
				t.Errorf("%d requests came through", broken.Requests())
			}
		})
	}
}
