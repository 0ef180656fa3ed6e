package linemode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEachSituationOfTheDemoIsSaid checks the accounts of the demo without signing in first.
func TestEachSituationOfTheDemoIsSaid(t *testing.T) {
	v := demoVariables(t)
	for name, tt := range map[string]struct {
		email   string
		answers []string
		want    []string
	}{
		"fine":                 {"ada", []string{"1"}, []string{"Ok: No fault seen from outside, ada@harbor.example, check ", "lookup: ok, ", "gateway: ok, "}},
		"unknown address":      {"nobody", []string{""}, []string{"Failed: Unknown address, nobody@harbor.example", "This affects only this person.", "Next: ", "lookup: failed"}},
		"wrong password":       {"ada", []string{"2", "", "another"}, []string{"Failed: Wrong password", "sign-in: failed"}},
		"no primary domain":    {"eli", []string{"2", "", "demo"}, []string{"Failed: No primary domain"}},
		"other primary domain": {"jon", []string{"2", "", "demo"}, []string{"Failed: Wrong domain", "claims: failed"}},
		"wrong domain":         {"finn", []string{"3", "", "1", "laptop", "demo"}, []string{"Failed: Wrong domain", "U105", "Ask which domain is set on the person's device"}},
		"device":               {"dora", []string{"3", "", "1", "laptop", "demo"}, []string{"Failed: Device not validated"}},
		"wipe":                 {"wes", []string{"3", "", "1", "laptop", "demo"}, []string{"Failed: Wipe ordered"}},
		"undocumented":         {"ben", []string{"3", "", "1", "laptop", "demo"}, []string{"Warning: Undocumented code", "U100"}},
		"no access":            {"nora", []string{"2", "", "demo"}, []string{"Failed: No access"}},
		"other domains":        {"olaf", []string{"2", "", "demo"}, []string{"Warning: Other domains", "minato.example"}},
		"gateway":              {"kit", []string{"1"}, []string{"Failed: Gateway unreachable", "gateway: failed"}},
		"certificate":          {"lena", []string{"1"}, []string{"Failed: Certificate expired", "expired"}},
		"clock":                {"milo", []string{"1"}, []string{"Clock wrong", "gateway: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := talk(t, v.options(t), append([]string{"check", tt.email + "@harbor.example"}, tt.answers...)...)
			wants(t, said, append([]string{"Sign in.\n", "Type check in place of", "E-mail address: \n", "What is to be checked of " + tt.email, "Checking " + tt.email + "@harbor.example.\n"}, tt.want...)...)
			if len(tt.answers) > 3 {
				wants(t, said, "Creates a device named \"laptop\". The request is sent only once.", "Password of the person, which is not shown")
			}
			wants(t, said, " in ", "What next? Type back to leave the check.\n")
			if strings.Contains(said, "another\n") || strings.Contains(said, "demo\n") {
				t.Errorf("a password is said:\n%s", said)
			}
		})
	}
}

func TestACheckIsMadeAgainAndComparedInLineMode(t *testing.T) {
	o := demoVariables(t).options(t)
	said := talk(t, o, signedIn("ada", "why", "cleo@harbor.example", "1", "what has changed", "markdown", "all that", "back", "back", "why", "kit@harbor.example", "1", "compare", "back", "back")...)
	wants(t, said,
		"9. Check an address: why can somebody not get in?\n", "Ok: No fault seen from outside, cleo@harbor.example", "1. Check the sign-in too", "2. Check again, and hear what has changed.\n",
		"6. Ask the same hosts with your own session", "Nothing has changed since 12:00:00.\n", "**`cleo@harbor.example`: No fault seen from outside**", "lookup, primary domain: harbor.example.\n",
		"Failed: Gateway unreachable, kit@harbor.example", "Compare it with the check ", "differences that matter", "verdict: ok, No fault seen from outside before, failed, Gateway unreachable now.\n",
	)
}

func TestOneBackLeavesAllRepeatsOfACheck(t *testing.T) {
	o := demoVariables(t).options(t)
	said := talk(t, o, "check", "kit@harbor.example", "1", "again, and hear", "again, and hear", "sign-in too", "back", "card again", "back", "ada@harbor.example", "demo")
	wants(t, said, "Nothing has changed", "Nothing has changed", "Password of the person", "Failed: Gateway unreachable", "Sign in.\n", "You are signed in as ada@harbor.example")
}

func TestManyAddressesAreAListInLineMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.csv")
	if err := os.WriteFile(path, []byte("email\nada@harbor.example\nlena@harbor.example\nnobody@harbor.example\nnobody@HARBOR.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := demoVariables(t)
	for name, typed := range map[string]string{"a file": path, "typed": "Ada <ada@harbor.example>, lena@harbor.example; nobody@harbor.example"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := talk(t, v.options(t), "check", typed, "sort email", "filter state=fail", "values cause", "filter nobody", "1", "back")
			wants(t, said, "Checking 3 addresses.\n", "2 failed: certificate of 127.0.0.1", "unknown address (1).\n", "3 addresses",
				"1. Email: ada@harbor.example. State: ok. Cause: looks fine.", "2 of 3 addresses found with the filter state=fail", "unknown address",
				"1 of 3 addresses found with the filter nobody", "This is address 1 of 1:\n", "Failed: Unknown address, nobody@harbor.example", "Sign in.\n")
		})
	}
}

func TestWhatCannotBeCheckedIsSaidInLineMode(t *testing.T) {
	v := demoVariables(t)
	for name, tt := range map[string]struct {
		typed, want string
		remote      bool
	}{
		"no such file": {"./none.csv", "./none.csv could not be read: no such file or directory.\n", false},
		"a directory":  {t.TempDir(), "is not a file; name one with the addresses, one a line.\n", false},
		"over SSH":     {"./list.csv", "This is no e-mail address, and no file can be read from here.\n", true},
		"none":         {"", "This is needed.\n", false},
		"no address":   {"hello there", "Failed: ", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := v.options(t)
			o.Remote = tt.remote
			wants(t, talk(t, o, "check", tt.typed, "1"), tt.want)
		})
	}
}
