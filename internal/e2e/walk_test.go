//go:build unix

package e2e

import (
	"testing"
)

func TestEveryScreenIsReachedByKeysAlone(t *testing.T) {
	t.Parallel()
	term, command := demo(t, 100, 30)
	term.WaitFor("Sign in", "E-mail")
	term.Type("ada@harbor.example" + tab + "demo" + enter)
	term.WaitFor("4 domains")
	for _, step := range []struct {
		keys string
		want []string
	}{
		{"j", []string{"4 domains", "row 2 of 4"}},
		{"kkk" + enter, []string{"42 shares", "row 1 of 42"}},
		{"?", []string{"Keys on Shares", "show the whole record"}},
		{"q" + enter, []string{"Shares ›", "esc back"}},
		{esc, []string{"enter detail"}},
		{"G", []string{"row 42 of 42"}},
		{"2", []string{"25 companies"}},
		{"i", []string{"API key", "load the companies"}},
		{esc, []string{"25 companies", "enter detail"}},
		{tab, []string{"Device name"}},
		{enter + tab + tab + tab + tab + "demo" + enter, []string{"U100"}},
		{"4", []string{"not verified"}},
		{"5", []string{"entries"}},
		{"\x10", []string{"do it", "Recent"}}, // ctrl+p
		{"north", []string{"north"}},
		{esc, []string{"entries"}},
		{esc, []string{"4 domains"}},
		{"\x12", []string{"Password"}}, // ctrl+r,
		{esc, []string{"4 domains"}},
		{esc, []string{"Leave Gatehouse?"}},
		{"o", []string{"Sign in", "E-mail"}},
		{esc, []string{"edit"}},
		{esc, []string{"Leave Gatehouse?"}},
	} {
		term.Type(step.keys)
		term.WaitFor(step.want...)
	}
	term.Type("q")
	if err := term.Wait(); err != nil || command.ProcessState.ExitCode() != 0 {
		t.Errorf("the program ended with %v", err)
	}
	requireRestored(t, term)
}

func TestEveryScreenIsReachedByTheMouseAlone(t *testing.T) {
	t.Parallel()
	term, _ := demo(t, 100, 30)
	for _, step := range []struct{ click, want, typed, gone string }{ // nobody types with a mouse
		{click: "E-mail", want: "E-mail", typed: "ada@harbor.example"},
		{click: "Password", want: "Password", typed: "demo"},
		{click: "enter sign in", want: "4 domains"},
		{click: "o address", want: "▌Browser"},
		{click: "Gateway  http", want: "▌Gateway"},
		{click: "y copy", want: "Copied the gateway address"},
		{click: "esc close", want: "4 domains"},
		{click: "/ filter", want: "enter keep", typed: "harbor"},
		{click: "enter keep", want: "/ harbor"},
		{click: "/ harbor", want: "enter keep", typed: "z"},
		{click: "esc clear", want: "row 1 of 4"},
		{click: "enter open", want: "row 1 of 42"},
		{click: "? keys", want: "Keys on Shares", typed: "last row", gone: "Filter syntax"},
		{click: "go to the last row", want: "row 42 of 42"},
		{click: "? keys", want: "Keys on Shares", typed: "first row", gone: "Filter syntax"},
		{click: "go to the first row", want: "row 1 of 42"},
		{click: "ShareTick", want: "ShareTick ▲"},
		{click: "Board minutes", want: "▌ Board minutes"},
		{click: "Board minutes", want: "Shares › Board minutes"},
		{click: "t tree", want: "▾ ShareRelations"},
		{click: "▾ ShareRelations", want: "▸ ShareRelations"},
		{click: "Shares ›", want: "▌ Board minutes"},
		{click: "? keys", want: "Keys on Shares", typed: "last row", gone: "Filter syntax"},
		{click: "go to the last row", want: "row 42 of 42"},
		{click: "2 Companies", want: "25 companies"},
		{click: "3 Device login", want: "Device name"},
		{click: "Password", want: "Password", typed: "demo"},
		{click: "enter log in", want: "result 1"},
		{click: "▸ Domain", want: "▾ Domain"},
		{click: "a again with this id", want: "type the password"},
		{click: "Password", want: "Password", typed: "demo"},
		{click: "enter log in", want: "result 2"},
		{click: "c compare", want: "No differences"},
		{click: "a all", want: "a differences"},
		{click: "ErrorCode", want: "left  \"U100\""},
		{click: "esc back", want: "c compare"},
		{click: "^p all", want: "enter do it", typed: "results"},
		{click: "enter do it", want: "2 results"},
		{click: "enter open", want: "result 2"},
		{click: "^p all", want: "enter do it", typed: "results"},
		{click: "enter do it", want: "2 results"},
		{click: "   1  ", want: "   2  "},
		{click: "enter open", want: "result 1"},
		{click: "4 Token", want: "not verified"},
		{click: "5 Activity", want: "entries"},
		{click: "Took", want: "Took ▲"},
		{click: "Took", want: "Took ▼"},
		{click: "Time", want: "Time ▲"}, // the look-up, which was the first, is selected
		{click: "connect/token", want: "Request"},
		{click: "connect/token", want: "headers of the request"},
		{click: "Activity ›", want: "Time ▲"},
		{click: "Gatehouse ›", want: "4 domains"},
		{click: "^r sign in again  esc", want: "Password"},
		{click: "esc back", want: "4 domains"},
		{click: "esc leave", want: "Leave Gatehouse?"},
		{click: "esc stay", want: "4 domains"},
		{click: "enter open", want: "entries"},
		{click: "1 Shares", want: "row 42 of 42"},
	} {
		term.Click(step.click)
		term.WaitFor(step.want)
		term.Type(step.typed)
		if step.gone != "" { // what is found moves until all letters have been read
			term.WaitFor("› " + step.typed)
			term.WaitGone(step.gone)
		}
	}
	term.Wheel(20, 10, false)
	term.WaitFor("row 39 of 42")
	term.Click("Gatehouse ›")
	term.Click("esc leave")
	term.Click("q quit")
	if err := term.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	requireRestored(t, term)
}
