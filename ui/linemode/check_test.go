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
		answers []string // to the further fields; none: there is no sign-in
		want    []string
	}{
		"fine":                 {"ada", nil, []string{"Ok: No fault seen from outside, ada@harbor.example, check ", "lookup: ok, ", "gateway: ok, "}},
		"unknown address":      {"nobody", nil, []string{"Fail: No primary domain found, nobody@harbor.example", "This was tested for this person only.", "Next: ", "lookup: fail"}},
		"wrong password":       {"ada", []string{"", "", "", "another"}, []string{"Fail: Sign-in rejected", "sign-in: fail"}},
		"no primary domain":    {"eli", []string{"", "", "", "demo"}, []string{"Fail: No primary domain"}},
		"other primary domain": {"jon", []string{"", "", "", "demo"}, []string{"Fail: Two primary domains", "claims: fail"}},
		"wrong domain":         {"finn", []string{"", "laptop", "", "demo"}, []string{"Fail: Wrong domain", "U105", "Ask which domain is set on the person's device"}},
		"device":               {"dora", []string{"", "laptop", "", "demo"}, []string{"Fail: Device not validated"}},
		"wipe":                 {"wes", []string{"", "laptop", "", "demo"}, []string{"Fail: Wipe ordered"}},
		"undocumented":         {"ben", []string{"", "laptop", "", "demo"}, []string{"Warn: Undocumented code", "U100"}},
		"no access":            {"nora", []string{"", "", "", "demo"}, []string{"Fail: No access"}},
		"other domains":        {"olaf", []string{"", "", "", "demo"}, []string{"Warn: Another domain fails", "minato.example"}},
		"gateway":              {"kit", nil, []string{"Fail: Service failing", "gateway: fail"}},
		"certificate":          {"lena", nil, []string{"Fail: Certificate expired", "expired on "}},
		"clock":                {"milo", nil, []string{"Clock wrong", "gateway: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := talk(t, v.options(t), append([]string{"check", "more fields"}[:min(2, len(tt.answers)+1)], append([]string{tt.email + "@harbor.example"}, tt.answers...)...)...)
			wants(t, said, append([]string{"Sign in.\n", "Type \"check\", or \"check\" and an address, to ", "E-mail: \n", "Checking " + tt.email + "@harbor.example.\n"}, tt.want...)...)
			wants(t, said, " checks in ", "\n1. profile: ok")
			if strings.Contains(said, "another\n") || strings.Contains(said, "demo\n") {
				t.Errorf("a password is said:\n%s", said)
			}
		})
	}
}

func TestACheckIsMadeAgainAndComparedInLineMode(t *testing.T) {
	o := demoVariables(t).options(t)
	said := talk(t, o, signedIn("ada", "check", "cleo@harbor.example", "check again", "ticket", "2", "back", "another address", "kit@harbor.example", "compare", "1", "back")...)
	wants(t, said,
		"Ok: No fault seen from outside, cleo@harbor.example", "2. lookup: ok, ", "Nothing has changed since 12:00:00.\n",
		"**`cleo@harbor.example`: No fault seen from outside**", "Check, cleo@harbor.example, lookup.\n", "Primary domain: harbor.example.\n",
		"Fail: Service failing, kit@harbor.example", "differences", "Verdict: in 1 ok, No fault seen from outside, in 2 fail, Service failing.\n",
		"Check, kit@harbor.example.\n",
	)
}

func TestManyAddressesAreAListInLineMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.csv")
	if err := os.WriteFile(path, []byte("email\nada@harbor.example\nlena@harbor.example\nnobody@harbor.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := demoVariables(t)
	for name, typed := range map[string]string{"a file": path, "typed": "Ada <ada@harbor.example>, lena@harbor.example; nobody@harbor.example"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := talk(t, v.options(t), "check", typed, "sort email", "filter state=fail", "values cause", "back", "filter nobody", "1", "back", "back", "back")
			wants(t, said, "3 addresses.\n", "1 ok, 2 fail; 1 fail: certificate expired at 127.0.0.1:",
				"1. Email: ada@harbor.example. State: ok. Cause: no fault seen from outside.", "2 of 3 addresses found with the filter state=fail", "Check, 3 addresses, Values.\n", "no primary domain found: 1 row",
				"1 of 3 addresses found with the filter nobody", "Fail: No primary domain found, nobody@harbor.example", "Check, 3 addresses.\n", "Sign in.\n")
		})
	}
}

func TestTheAddressOfACheckFollowsTheWord(t *testing.T) {
	v := demoVariables(t)
	for name, answers := range map[string][]string{
		"in place of a field": {"check lena@harbor.example"},
		"on a list":           signedIn("ada", "check lena@harbor.example"),
		"on a screen":         signedIn("ada", "check cleo@harbor.example", "check lena@harbor.example"),
		"in its own form":     {"check", "check lena@harbor.example"},
	} {
		t.Run(name, func(t *testing.T) {
			wants(t, talk(t, v.options(t), answers...), "Checking lena@harbor.example.\n", "Fail: Certificate expired")
		})
	}
	said := talk(t, v.options(t), "check nonsense", "lena@harbor.example")
	wants(t, said, "Type an address such as ann@harbor.example.\n", "Fail: Certificate expired")
}
