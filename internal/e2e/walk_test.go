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
		{"5", []string{"requests"}},
		{"\x10", []string{"go to:", "screen"}}, // ctrl+p
		{"north", []string{"north"}},
		{esc, []string{"requests"}},
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
	term.Click("E-mail")
	term.Type("ada@harbor.example") // nobody types with a mouse
	term.Click("Password")
	term.Type("demo")
	for _, step := range []struct{ click, want string }{
		{"enter sign in", "4 domains"},
		{"enter go in", "row 1 of 42"},
		{"? keys", "Keys on Shares"},
		{"go to the last row", "row 42 of 42"},
		{"? keys", "Keys on Shares"},
		{"go to the first row", "row 1 of 42"},
		{"ShareAssociationType", "ShareAssociationType ↑"},
		{"Board minutes", "›Board minutes"},
		{"Board minutes", "Shares › Board minutes"},
		{"▾ ShareRelations", "▸ ShareRelations"},
		{"Shares ›", "›Board minutes"},
		{"? keys", "Keys on Shares"},
		{"go to the last row", "row 42 of 42"},
		{"2 Companies", "25 companies"},
		{"3 Device login", "Device name"},
		{"4 Token", "not verified"},
		{"5 Activity", "requests"},
		{"Gatehouse ›", "4 domains"},
		{"S sign in again", "Password"},
		{"esc back", "4 domains"},
		{"esc leave", "Leave Gatehouse?"},
		{"esc stay", "4 domains"},
		{"enter go in", "requests"},
		{"1 Shares", "row 42 of 42"},
	} {
		term.Click(step.click)
		term.WaitFor(step.want)
	}
	term.Wheel(20, 10, false)
	term.WaitFor("row 39 of 42")
	term.Click("esc back")
	term.Click("q quit")
	if err := term.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	requireRestored(t, term)
}
