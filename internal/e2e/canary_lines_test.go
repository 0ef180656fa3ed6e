//go:build linux

package e2e

import "strings"

// walkConversation goes through questions and answers, on a terminal where a
// password is typed, and on pipes.
func walkConversation(w *world) {
	term := w.open(w.command([]string{"TERM=dumb"}, "--accessible"), 200, 60)
	w.do(term,
		see("", "nothing for 1:"), see(enter, "E-mail address:"), see("ada@harbor.example"+enter, "Password, which is not shown:"),
		see(givenPassword+enter, "4 domains"), see("quit"+enter),
	)
	_ = term.Wait()
	w.keepTerminal(term)

	answers := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	w.run(0, answers(
		"1", "1", "1", "export shares.csv", "export shares.json", "back", "2", "", "export companies.ndjson", "back", "back",
		"access token", "1", "2", "3", "back",
		"device login", "", "1", "", "", "1", givenPassword, "1", "next", "next", "next", "2", "3", givenPassword, "back",
		"device login", "", "1", "", "", "1", wrongPassword, "back",
		"activity", "back", "sign out", "1", "ada@harbor.example", wrongPassword, "ada@harbor.example", "quit",
	), "--accessible")
	w.requireFiles("shares.csv", "shares.json", "companies.ndjson")
	w.goWrong(faults["refuses"], "")
	w.run(0, answers("1", "ada@harbor.example", givenPassword, "quit"), "--accessible")
	w.requireWrong()
}

// walkPrompts types at the prompts of the commands what is not to be shown.
func walkPrompts(w *world) {
	for _, prompts := range []struct {
		args  []string
		steps []step
	}{
		{[]string{"login"}, []step{
			see("", "New passphrase"), see(givenPhrase+enter, "again:"), see(givenPhrase+enter, "E-mail address:"),
			see("ada@harbor.example"+enter, "Password:"), see(givenPassword+enter, "ada@harbor.example"),
		}},
		{[]string{"whoami"}, []step{see("", "Passphrase"), see(wrongPassword+enter, "rong passphrase")}},
		{[]string{"whoami"}, []step{see("", "Passphrase"), see(givenPhrase+enter, "harbor.example")}},
		{[]string{"device-login", "--email", "ada@harbor.example", "--device-name", "laptop"}, []step{see("", "Password:"), see(givenPassword+enter, "U100")}},
		{[]string{"config", "set-secret", "api-key"}, []step{see("", "API key"), see(givenKey+enter, "keyring")}},
	} {
		term := w.open(w.command([]string{"GATEHOUSE_STORE_PASSPHRASE="}, prompts.args...), 120, 60)
		w.do(term, prompts.steps...)
		_ = term.Wait()
		w.keepTerminal(term)
	}
}
