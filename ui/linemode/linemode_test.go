package linemode

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/prompt"
	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/traffic"
)

// noon is when the tests take place.
var noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) {
	time.Local = time.UTC // times are said as local ones
	os.Exit(m.Run())
}

// variables is where a profile comes from in a test.
type variables map[string]string

// demoVariables starts the embedded service and returns what points at it, with
// one authority to sign in at.
func demoVariables(t *testing.T) variables {
	t.Helper()
	server, err := demo.Start(t.Context(), demo.Options{Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	v := variables{}
	maps.Copy(v, server.Env())
	delete(v, "GATEHOUSE_DOMAIN_AUTH_URL")
	delete(v, "GATEHOUSE_AUTH_TEST_URL")
	return v
}

// before puts a handler before the service that the variables point at.
func (v variables) before(t *testing.T, wrap func(service http.Handler) http.Handler) {
	t.Helper()
	v.replaceService(t, wrap(proxyTo(t, v["GATEHOUSE_AUTH_URL"])))
}

// options are those of a conversation with a profile, without a console.
func (v variables) options(t *testing.T) Options {
	t.Helper()
	profile := v.profile(t)
	now := func() time.Time { return noon }
	open := func(context.Context) (ui.Opened, error) {
		return ui.Opened{Service: session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault(), Now: now})}, nil
	}
	return Options{Options: ui.Options{Open: open, OpenAgain: open, OpenUnsaved: open, Now: now, Activity: new(traffic.Log)}}
}

// profile is the one that the variables make up.
func (v variables) profile(t *testing.T) *config.Profile {
	t.Helper()
	profile, err := config.Resolve(config.Sources{File: os.DevNull, LookupEnv: func(name string) (string, bool) {
		value, ok := v[name]
		return value, ok
	}})
	if err != nil {
		t.Fatal(err)
	}
	return profile
}

// talk is a whole conversation: what is said when these are the answers and the
// input ends behind them.
func talk(t *testing.T, o Options, answers ...string) string {
	t.Helper()
	var said bytes.Buffer
	o.Console = prompt.NewConsole(strings.NewReader(strings.Join(answers, "\n")+"\n"), &said)
	if err := Run(t.Context(), o); err != nil {
		t.Fatalf("%v, after\n%s", err, said.String())
	}
	if strings.ContainsAny(said.String(), "\x1b\r\t\u009b\u202e") {
		t.Errorf("something moves the cursor or turns the text:\n%q", said.String())
	}
	return said.String()
}

// signedIn are the answers of somebody who signs in.
func signedIn(user string, then ...string) []string {
	return append([]string{user + "@harbor.example", "demo"}, then...)
}

// wants checks that texts are said in this order.
func wants(t *testing.T, said string, texts ...string) {
	t.Helper()
	rest := said
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if !found {
			t.Fatalf("%q is not said, or not at its place, in\n%s", text, said)
		}
		rest = after
	}
}

func TestTheNameOfADemoAccountIsEnough(t *testing.T) {
	o := demoVariables(t).options(t)
	o.Tips = []session.Tip{{Account: "ada@harbor.example", Shows: "four domains"}}
	wants(t, talk(t, o, "ada", "demo"), "\nada@harbor.example: four domains.\nType \"check\", or \"check\" and an address, to find out why someone can't get in.\n", "You are signed in as ada@harbor.example.\n")
}

func TestSigningInListsTheDomains(t *testing.T) {
	said := talk(t, demoVariables(t).options(t), signedIn("ada")...)
	wants(t, said, "Sign in.\n", "Type \"check\", or \"check\" and an address, to ", "E-mail: \n", "Primary domain: harbor.example.\n", "Password, which is not shown: \n", "Signing in as ada@harbor.example.\n",
		"You are signed in as ada@harbor.example.\n", "Domains.\n", "4 domains.\n",
		"1. harbor.example, your primary domain.\n", "2. minato.example.\n", "You have left Gatehouse.\n")
}

func TestAWrongPasswordIsExplainedAndAskedForAgain(t *testing.T) {
	said := talk(t, demoVariables(t).options(t), "ada@harbor.example", "not-the-password", "back", "", "demo", "quit")
	wants(t, said, "Wrong e-mail or password (", "Type \"check\" to check the account.\n", "Password, which is not shown: \n",
		"E-mail (press enter for ada@harbor.example): \n", "You are signed in as ada@harbor.example.\n")
	if strings.Contains(said, "not-the-password") {
		t.Error("the password is said")
	}
}

func TestGoingBackLeadsThroughEveryQuestion(t *testing.T) {
	answers := []string{"back", "ada@harbor.example", "back", "ben@harbor.example", "demo", "back", "1", "2", "back", "back", "quit"}
	wants(t, talk(t, demoVariables(t).options(t), answers...),
		"There is nothing to go back to. Type \"quit\" to leave.\n",
		"Password", "E-mail (press enter for ada@harbor.example)", "You are signed in as ben@harbor.example",
		"There is nothing to go back to.", "harbor.example, Shares.\n", "This is share 2 of 9:\n", "harbor.example, Shares.\n", "Domains.\n")
}

func TestHelpIsThereAtEveryQuestion(t *testing.T) {
	answers := []string{"help", "ada@harbor.example", "HELP", "demo", "help", "1", "1", "help", "quit"}
	wants(t, talk(t, demoVariables(t).options(t), answers...),
		"Type \"check\", or \"check\" and an address, to find out", "Type \"back\" to go back, \"quit\" to leave",
		"Password, which is not shown", "Type \"back\" to go back", "4 domains.\n", "4 domains.\n", "Type \"Sign out\" to forget the session.\n", "Type \"back\" to go back",
		"This is share 1 of 42", "Tree: show the record as a tree", "Type \"back\" to go back")
}

func TestAWordInQuotesIsAnAnswer(t *testing.T) {
	var sent atomic.Value
	v := demoVariables(t)
	v.before(t, func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/connect/token") {
				sent.Store(r.PostFormValue("password"))
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			service.ServeHTTP(w, r)
		})
	})
	talk(t, v.options(t), "ada@harbor.example", `"quit"`)
	if got := sent.Load(); got != "quit" {
		t.Errorf("the password that was sent is %v", got)
	}
}

func TestAListIsHeardInPages(t *testing.T) {
	said := talk(t, demoVariables(t).options(t), signedIn("ada", "1", "next", "", "prev", "next", "next", "", "", "previous", "previous")...)
	wants(t, said, "harbor.example, Shares.\n", "42 shares.\nNumbers 1 to 10 of 42:\n1. Name: ",
		"Numbers 11 to 20 of 42:\n11. Name: ", "Numbers 21 to 30 of 42:", "Numbers 11 to 20", "Numbers 21 to 30",
		"Numbers 31 to 40", "Numbers 41 to 42 of 42:\n41. Name: ", "There are no more.", "Numbers 31 to 40")
}

func TestAboutReadsTheRowOfItsNumber(t *testing.T) {
	answers := signedIn("ada", "1", "about 3", "filter board", "about 1", "about 2")
	said := talk(t, demoVariables(t).options(t), answers...)
	wants(t, said, "General:\nName: Skibstegninger.", "Owner: ", "General:\nName: Board minutes.", "Owner: ", "a number from 1 to 1.\n")
}

func TestAListIsFilteredSortedAndOpened(t *testing.T) {
	answers := signedIn("ada", "1", "filter board", "save filter", "mine", "filter", "mine", "1", "back", "filter", "sort diskusage down", "sort nosuch", "sort dusk", "sort usage",
		"open 99", "filter name:nosuch", "1", "filter dusk>1GB", "filter", "sort", "columns", "what", "examples")
	wants(t, talk(t, demoVariables(t).options(t), answers...),
		"1 of 42 shares found with the filter board, 10.3 GB in all.\n", "Saved the filter mine; type its name to use it.\n", "42 shares.\n", "1. Name: Board minutes.",
		"harbor.example, Shares, Board minutes.\nThis is share 1 of 1:\n", "Name: Board minutes.\n", "Space:\n", "Disk: 10.3 GB, raw value 10304191796.\n", "Not set: ", "What next?\n1. Tree",
		"harbor.example, Shares.\n", "42 shares.\n", "42 shares, sorted by Disk, largest first.\n", "1. Name: 写真アーカイブ. Disk: 247.9 GB. ",
		"There is no column called \"nosuch\". Type \"columns\"", "There is no column called \"dusk\". Did you mean disk?", "usage could be any of these columns.", "History.\n",
		"Type \"open\" and a number from 1 to 42.", "0 of 42 shares found", "There is nothing to open.", "No column \"dusk\". Did you mean disk?",
		"42 shares, sorted by", "42 shares.\n", "23 columns", "Owner, field name ShareDefault.Owner.\n", "\"what\" is not a command here.",
		"Filter owner:ann: ")
}

func TestTheValuesOfAColumnAreSaid(t *testing.T) {
	answers := signedIn("ada", "1", "values category", "back", "values disk", "values usage", "values", "values category", "3", "values createtime", "back", "values category", "sort by Disk")
	wants(t, talk(t, demoVariables(t).options(t), answers...),
		"harbor.example, Shares, Values.\n", "Category: 3 values.\n1. 0 corporate: 17 rows, 40.5 %, Disk 59.2 GB.\n2. 2 private: 13 rows, 31.0 %, Disk 391.2 GB.\n3. 1 team: 12 rows, 28.6 %, Disk 161.2 GB.\n",
		"Disk: 42 rows.\n1. 1 kB – 10 kB: ", "2. 10 kB – 100 kB: ", "9. 100 GB – 1 TB: ",
		"usage could be any of these columns.", "Type \"values\" and the name of a column.",
		"12 of 42 shares found with the filter Category=1, 161.2 GB in all.\n", "Created: 12 rows.\n1. 2013: 1 row, 8.3 %, Disk 285.5 MB.\n", "Category: 1 value.\n", "Category: 1 value.\n")
}

func TestAListWithoutRecordsSaysSo(t *testing.T) {
	v := demoVariables(t)
	v.before(t, answerShares(`{"Data":[]}`))
	wants(t, talk(t, v.options(t), signedIn("ada", "1", "next", "sort")...), "There are no shares.", "Nothing is shared with you in harbor.example.", "There are no more.")
}

func TestALongLoadTellsHowItGoesNowAndThen(t *testing.T) {
	v, ticks := demoVariables(t), make(chan time.Time)
	asked, answered := make(chan struct{}), make(chan struct{})
	v.before(t, func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "hares") {
				close(asked)
				select {
				case <-answered:
				case <-r.Context().Done():
				}
			}
			service.ServeHTTP(w, r)
		})
	})
	o := v.options(t)
	o.after = func(d time.Duration) <-chan time.Time {
		if d != progressInterval {
			t.Errorf("something is said after %v", d)
		}
		return ticks
	}
	go func() {
		<-asked
		ticks <- noon
		ticks <- noon
		ticks <- noon // now the second is handled; the answer may come during this one
		close(answered)
	}()
	said := talk(t, o, signedIn("ada", "1")...)
	wants(t, said, "Loading the shares.\nStill waiting.\nStill waiting.\n", "42 shares.\n")
}

func TestTheListIsExported(t *testing.T) {
	dir := t.TempDir()
	csv, json := filepath.Join(dir, "s.csv"), filepath.Join(dir, "s.json")
	answers := signedIn("ada", "1", "filter board", "export "+csv, "filter", "export "+json, "export "+csv, "replace", "export "+filepath.Join(dir, "no", "s.csv"), "back")
	wants(t, talk(t, demoVariables(t).options(t), answers...), "Wrote 1 share, ", csv, "Wrote 42 shares, ", json, "Replace", "Wrote 42 shares, ", csv, "the directory does not exist")
	text, err := os.ReadFile(csv)
	if err != nil || bytes.Count(text, []byte("\n")) != 43 {
		t.Errorf("the file has %d lines, %v", bytes.Count(text, []byte("\n")), err)
	}
}

func TestRequestsAreExportedAsAnArchive(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "requests.har")
	o := demoVariables(t).options(t)
	afterSignIn := o.Now().Add(time.Hour) // which clears the log
	o.Activity.Add(api.Exchange{Start: afterSignIn, Method: "GET", Host: "gateway.example", Path: "/shares", Status: 200})
	wants(t, talk(t, o, signedIn("ada", "1", "activity", "export "+archive)...), "Wrote 1 request, ", archive)
}

func TestCompaniesAskForTheKeyThatIsMissing(t *testing.T) {
	v := demoVariables(t)
	delete(v, "GATEHOUSE_API_KEY")
	delete(v, "GATEHOUSE_RESELLER_ID")
	answers := signedIn("ada", "companies", "", "7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314", "wrong-key-1", "reseller", "demo-reseller-key", "back", "companies", "reseller", "back", "a-reseller")
	said := talk(t, v.options(t), answers...)
	wants(t, said, "Companies belong to a reseller", "Reseller id: ", "The reseller's id is needed.", "API key, which is not shown: ",
		"Check the API key", "API key", "25 companies of reseller 7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314.", "Domains.\n", "harbor.example, Companies.\n", "Reseller id (press enter for 7d3c", "API key")
	for _, key := range []string{"wrong-key-1", "demo-reseller-key"} {
		if strings.Contains(said, key) {
			t.Errorf("%s is said", key)
		}
	}
}

func TestAnotherPersonSeesNothingOfTheOneBefore(t *testing.T) {
	v := demoVariables(t)
	delete(v, "GATEHOUSE_RESELLER_ID")
	answers := signedIn("ada", "companies", "a-reseller", "back", "back", "sign out")
	answers = append(answers, signedIn("cleo", "companies")...)
	said := talk(t, v.options(t), answers...)
	wants(t, said, "You are signed out.\n", "Sign in.\n", "You are signed in as cleo@harbor.example.\n", "1 domain.\n", "Reseller id: ")
	if last := said[strings.LastIndex(said, "Reseller id"):]; strings.Contains(last, "a-reseller") {
		t.Errorf("the reseller is still known: %s", last)
	}
}

func TestALineThatIsTooLongIsRefusedWhole(t *testing.T) {
	o := demoVariables(t).options(t)
	said := talk(t, o, strings.Repeat("x", 200_000), "ada@harbor.example", "demo")
	wants(t, said, "E-mail: \nThat line is too long. Type a shorter one.\nE-mail: \nPrimary domain: ", "You are signed in")
}

// answerShares puts a list of shares before the service.
func answerShares(body string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/shares") {
				_, _ = io.WriteString(w, body)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

func TestARecordIsSaidInTheGroupsOfTheUI(t *testing.T) {
	v := demoVariables(t)
	v.before(t, answerShares(`[{"Id":"s1","Name":"Plans","ShareAssociationType":2,"ShareCategory":1,"Quota":1000,"DiskUsage":500,
		"ShareRelations":[{"UserId":"ann@x.example","ShareAssociationType":1}],"Steps":[{"a":{"b":1}},{"a":{"b":2}}],"Note":"","Page":"https://x.example/a"},
		{"Id":"s2","Name":"`+strings.Repeat("long", 300_000)+`"}]`))
	said := talk(t, v.options(t), signedIn("ada", "1", "open 1", "back", "open 2")...)
	wants(t, said, "This is share 1 of 2:\nGeneral:\nName: Plans.\n", "Association: 2 owner.\n", "Category: 1 team.\n",
		"People:\nRelations: ann@x.example 1 write.\n", "Space:\n", "Disk: 500 bytes, 50 %.\n",
		"Other:\n", "Steps.1.a.b: 1.\nSteps.2.a.b: 2.\n",
		"This is share 2 of 2:\nId: s2.\nName: longlong")
	for _, raw := range []string{"ShareAssociationType:", "ShareRelations.1", "2 entries"} {
		if _, record, _ := strings.Cut(said, "This is share 1"); strings.Contains(record, raw) {
			t.Errorf("%s is said", raw)
		}
	}
}
