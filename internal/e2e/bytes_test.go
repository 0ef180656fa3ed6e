//go:build unix

package e2e

import (
	"fmt"
	"testing"

	"gatehouse/internal/testkit"
)

// What one step down a list may send to the terminal, in bytes: over a slow line
// that is what a person waits for.
const mostBytes = 400

func TestAStepDownAListSendsFewBytes(t *testing.T) {
	for _, tt := range []struct {
		name, filter string
	}{
		{"narrow text", "warehouse"},
		{"text of many scripts", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			term, _ := demo(t, 120, 40, "COLORTERM=truecolor")
			term.WaitFor("E-mail")
			term.Type("gus@harbor.example" + tab + "demo" + enter)
			term.WaitFor("1 domain")
			term.Type(enter)
			term.WaitFor("100,000 shares", "row 1 of")
			if tt.filter != "" {
				term.Type("/" + tt.filter)
				term.WaitFor("of 100,000 shares")
				term.Type(enter)
				term.WaitGone("filter: ")
			}
			stepDown(t, term, 1, 30)
			stepDown(t, term, 30, 60) // beyond the last line of the screen
		})
	}
}

// stepDown goes from one row to another and checks what a step sends.
func stepDown(t *testing.T, term *testkit.Terminal, from, to int) {
	t.Helper()
	before := len(term.Raw())
	for row := from + 1; row <= to; row++ {
		term.Type("j")
		term.WaitFor(fmt.Sprintf("row %d of", row))
	}
	each := (len(term.Raw()) - before) / (to - from)
	t.Logf("%d bytes for each step from row %d to %d", each, from, to)
	if each > mostBytes {
		t.Errorf("that is more than %d", mostBytes)
	}
}
