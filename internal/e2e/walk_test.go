//go:build unix

package e2e

import (
	"testing"
)

func TestEveryScreenIsReachedByKeysAlone(t *testing.T) {
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
		{"?", []string{"Keys on Shares", "go to the last row"}},
		{"q" + enter, []string{"Shares ›", "esc back"}},
		{esc, []string{"enter detail"}},
		{"G", []string{"row 42 of 42"}},
		{"2", []string{"25 companies"}},
		{"i", []string{"API key"}},
		{esc, []string{"25 companies", "enter detail"}},
		{tab, []string{"Device name"}},
		{tab + tab + tab + tab + "demo" + enter, []string{"U100"}},
		{"4", []string{"not verified"}},
		{"5", []string{"entries"}},
		{"\x10", []string{"go to:", "screen"}}, // ctrl+p
		{"north", []string{"north"}},
		{esc, []string{"entries"}},
		{esc, []string{"4 domains"}},
		{"S", []string{"Password"}},
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
	term, _ := demo(t, 100, 30)
	for _, step := range []struct{ click, want, typed string }{ // nobody types with a mouse
		{"E-mail", "E-mail", "ada@harbor.example"},
		{"Password", "Password", "demo"},
		{click: "enter sign in", want: "4 domains"},
		{click: "o address", want: "›Browser"},
		{click: "Gateway", want: "›Gateway"},
		{click: "Gateway", want: "Copied the gateway address"},
		{click: "esc close", want: "4 domains"},
		{"/ filter", "filter:", "harbor"},
		{click: "enter keep", want: "filter harbor"},
		{"filter harbor", "filter: harbor", "z"},
		{click: "esc clear", want: "4 domains"},
		{click: "enter go in", want: "row 1 of 42"},
		{click: "? keys", want: "Keys on Shares"},
		{click: "go to the last row", want: "row 42 of 42"},
		{click: "? keys", want: "Keys on Shares"},
		{click: "go to the first row", want: "row 1 of 42"},
		{click: "ShareAssociationType", want: "ShareAssociationType ↑"},
		{click: "Board minutes", want: "›Board minutes"},
		{click: "Board minutes", want: "Shares › Board minutes"},
		{click: "▾ ShareRelations", want: "▸ ShareRelations"},
		{click: "Shares ›", want: "›Board minutes"},
		{click: "? keys", want: "Keys on Shares"},
		{click: "go to the last row", want: "row 42 of 42"},
		{click: "2 Companies", want: "25 companies"},
		{click: "3 Device login", want: "Device name"},
		{"Password", "Password", "demo"},
		{click: "enter log in", want: "result 1"},
		{click: "▸ Domain", want: "▾ Domain"},
		{"a again with this id", "type the password", "demo"},
		{click: "enter log in", want: "result 2"},
		{click: "c compare", want: "Nothing differs"},
		{click: "a all", want: "a differences"},
		{click: "ErrorCode", want: "1 \"U100\""},
		{click: "esc back", want: "ctrl+r results"},
		{click: "ctrl+r results", want: "2 results of this run"},
		{click: "enter open", want: "result 2"},
		{click: "ctrl+r results", want: "2 results of this run"},
		{click: "   1  ", want: "   2  "},
		{click: "enter open", want: "result 1"},
		{click: "4 Token", want: "not verified"},
		{click: "5 Activity", want: "entries"},
		{click: "Took", want: "Took ↑"},
		{click: "Took", want: "Took ↓"},
		{click: "connect/token", want: "Request"},
		{click: "connect/token", want: "first byte after"},
		{click: "Activity ›", want: "Took ↓"},
		{click: "Gatehouse ›", want: "4 domains"},
		{click: "S sign in again", want: "Password"},
		{click: "esc back", want: "4 domains"},
		{click: "esc leave", want: "Leave Gatehouse?"},
		{click: "esc stay", want: "4 domains"},
		{click: "enter go in", want: "entries"},
		{click: "1 Shares", want: "row 42 of 42"},
	} {
		term.Click(step.click)
		term.WaitFor(step.want)
		term.Type(step.typed)
	}
	term.Wheel(20, 10, false)
	term.WaitFor("row 39 of 42")
	term.Click("Gatehouse ›")
	term.Click("q quit")
	if err := term.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	requireRestored(t, term)
}
