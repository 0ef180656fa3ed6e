package linemode

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/prompt"
	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/activity"
	"gatehouse/ui/signin"
)

// noon is when the tests take place.
var noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) {
	time.Local = time.UTC // times are said as local ones
	os.Exit(m.Run())
}

// variables is where a profile comes from in a test.
type variables map[string]string

// shared is that of every demo service here: to make a signing key takes a while.
var shared demo.Shared

// demoVariables starts the embedded service and returns what points at it, with
// one authority to sign in at.
func demoVariables(t *testing.T) variables {
	t.Helper()
	server, err := demo.Start(t.Context(), demo.Options{Now: func() time.Time { return noon }, Shared: &shared})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	v := variables{}
	for _, e := range server.Env() {
		v[e.Name] = e.Value
	}
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
	return Options{Options: ui.Options{Open: open, OpenAgain: open, OpenUnsaved: open, Now: now, Activity: new(activity.Log)}}
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
	defer o.Console.Close()
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
	o.Tips = []signin.Tip{{Account: "ada@harbor.example", Shows: "four domains"}}
	wants(t, talk(t, o, "ada", "demo"), "You are signed in as ada@harbor.example.\n")
}

func TestSigningInListsTheDomains(t *testing.T) {
	said := talk(t, demoVariables(t).options(t), signedIn("ada")...)
	wants(t, said, "E-mail address: \n", "Primary domain: harbor.example.\n", "Signing in.\n",
		"You are signed in as ada@harbor.example.\n", "Your account reaches 4 domains.\n",
		"1. Domain harbor.example, your primary domain.\n", "2. Domain minato.example.\n", "You have left Gatehouse.\n")
}

func TestTheDomainsAreMeasuredAsOnTheScreen(t *testing.T) {
	v := demoVariables(t)
	v.before(t, func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "minato.example") {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			service.ServeHTTP(w, r)
		})
	})
	said := talk(t, v.options(t), signedIn("ada", "shares, size", "quit")...)
	wants(t, said, "Shares, size and gateway of each domain.\n", "harbor.example: 42 shares, 611.5 GB, gateway reachable in <1 ms.\n",
		"minato.example: gateway failing (503). ", "fjord.example: 12 shares, 9.1 GB, gateway reachable in <1 ms.\n", "drydock.example: gateway no access. ")
}

func TestAWrongPasswordIsExplainedAndAskedForAgain(t *testing.T) {
	said := talk(t, demoVariables(t).options(t), "ada@harbor.example", "not-the-password", "", "demo", "quit")
	wants(t, said, "wrong e-mail address or password.\n", "services lock accounts",
		"E-mail address, or nothing for ada@harbor.example: \n", "You are signed in as ada@harbor.example.\n")
	if strings.Contains(said, "not-the-password") {
		t.Error("the password is said")
	}
}

func TestTheAuthorityIsChosenWhereThereAreSeveral(t *testing.T) {
	v := demoVariables(t)
	v["GATEHOUSE_AUTH_TEST_URL"] = v["GATEHOUSE_AUTH_URL"]
	said := talk(t, v.options(t), append([]string{"3", "2"}, signedIn("ada", "6")...)...)
	wants(t, said, "Who checks your password?\n1. Main authority.\n2. Development authority.\n",
		"Type a number from 1 to 2", "Authority: development authority.")
}

func TestGoingBackLeadsThroughEveryQuestion(t *testing.T) {
	answers := []string{"back", "ada@harbor.example", "back", "ben@harbor.example", "demo", "back", "1", "2", "back", "back", "quit"}
	wants(t, talk(t, demoVariables(t).options(t), answers...),
		"There is nothing to go back to. Type quit to leave.\n",
		"Password", "E-mail address, or nothing for ada@harbor.example", "You are signed in as ben@harbor.example",
		"There is nothing to go back to.", "Your account reaches 2 domains.\n",
		"You are in the domain harbor.example.", "Id of the reseller", "You are in the domain harbor.example.", "Your account reaches 2 domains.")
}

func TestHelpIsThereAtEveryQuestion(t *testing.T) {
	answers := []string{"help", "ada@harbor.example", "HELP", "demo", "help", "1", "1", "help", "quit"}
	wants(t, talk(t, demoVariables(t).options(t), answers...),
		"Type the e-mail address that you sign in with", "Type back to go back, quit to leave",
		"Type the password of ada@harbor.example.", "Your account reaches", "Your account reaches", "Type back to go back",
		"Type sort COLUMN to sort", "Type back to go back")
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
	said := talk(t, demoVariables(t).options(t), signedIn("ada", "1", "1", "next", "", "prev", "next", "next", "", "", "previous", "previous")...)
	wants(t, said, "Loading the shares of harbor.example.\n42 shares.\nNumbers 1 to 10 of 42:\n1. Name: ",
		"Numbers 11 to 20 of 42:\n11. Name: ", "Numbers 21 to 30 of 42:", "Numbers 11 to 20", "Numbers 21 to 30",
		"Numbers 31 to 40", "Numbers 41 to 42 of 42:\n41. Name: ", "There are no more shares.", "Numbers 31 to 40")
}

func TestAListIsFilteredSortedAndOpened(t *testing.T) {
	answers := signedIn("ada", "1", "1", "filter board", "1", "filter", "sort diskusage down", "sort nosuch", "sort usage",
		"open 99", "filter name:nosuch", "1", "filter", "sort", "columns", "what", "examples")
	wants(t, talk(t, demoVariables(t).options(t), answers...),
		"1 of 42 shares found with the filter board.\n1. Name: Board minutes.",
		"This is share 1 of 1:\n", "Name: Board minutes.\n", "Space:\n", "Disk: 10.3 GB, exactly 10304191796.\n", "Not set: ",
		"42 shares, sorted by SpaceUsage.DiskUsage, descending.\n", "1. Name: 写真アーカイブ. Disk: 247.9 GB. ",
		"There is no column nosuch.", "usage could be any of these columns.", "History.\n",
		"Type open and a number from 1 to 42.", "0 of 42 shares found", "There is nothing to open.",
		"42 shares, sorted by", "42 shares.\n", "23 columns", "Owner, in full ShareDefault.Owner.\n", "what is not a command here.",
		"filter owner:ann: ")
}

func TestAListIsSortedBySeveralColumns(t *testing.T) {
	answers := signedIn("ada", "1", "1", "sort category, disk down", "sort -disk, name", "sort category, nosuch", "reload")
	wants(t, talk(t, demoVariables(t).options(t), answers...),
		"42 shares, sorted by ShareDefault.ShareCategory, then by SpaceUsage.DiskUsage, descending.\n", "Category: 0. ",
		"42 shares, sorted by SpaceUsage.DiskUsage, descending, then by Name.\n", "1. Name: 写真アーカイブ. Disk: 247.9 GB. ",
		"There is no column nosuch.", "42 shares, sorted by SpaceUsage.DiskUsage, descending, then by Name.\n")
}

func TestTheValuesOfAColumnAreSaid(t *testing.T) {
	answers := signedIn("ada", "1", "1", "values category", "values disk", "values usage", "values", "filter category=1", "values createtime", "values deletetime", "values name by value")
	wants(t, talk(t, demoVariables(t).options(t), answers...),
		"Category in 42 shares:\n0: 17 shares; filter Category==0 keeps them.\n2: 13 shares.\n1: 12 shares.\n",
		"Disk in 42 shares; 3 shares lack it:\n1 kB – 10 kB: ", "; filter Disk>=1kB Disk<10kB keeps them.\n", "10 kB – 100 kB: ", "100 GB – 1 TB: ",
		"usage could be any of these columns.", "Type values and the name of a column.",
		"Created in 12 shares; 2 shares lack it:\n2013: 1 share; filter CreateTime>=2013 CreateTime<=2013 keeps them.\n",
		"Delete time in 1", "never: ", "Name in 1")
}

func TestExamplesAreOfTheListItself(t *testing.T) {
	said := talk(t, demoVariables(t).options(t), signedIn("ada", "1", "1", "examples", "", "filter disk>100MB")...)
	wants(t, said, "filter disk>", "Disk is more than", "filter report: ", "of 42 shares found with the filter disk>100MB")
}

func TestAListWithoutRecordsSaysSo(t *testing.T) {
	v := demoVariables(t)
	v.before(t, func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "hares") {
				_, _ = io.WriteString(w, `{"Data":[]}`)
				return
			}
			service.ServeHTTP(w, r)
		})
	})
	wants(t, talk(t, v.options(t), signedIn("ada", "1", "1", "next", "sort")...), "There are no shares.", "There are no more shares.")
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
		close(answered)
	}()
	said := talk(t, o, signedIn("ada", "1", "1")...)
	wants(t, said, "Loading the shares of harbor.example.\nStill waiting for the answer.\nStill waiting for the answer.\n42 shares.\n")
}

func TestTheListIsExported(t *testing.T) {
	dir := t.TempDir()
	csv, json := filepath.Join(dir, "s.csv"), filepath.Join(dir, "s.json")
	answers := signedIn("ada", "1", "1", "filter board", "export "+csv, "filter", "export "+csv, "1", "export "+csv, "2",
		"export "+json, "export", "export x.pdf", "export "+filepath.Join(dir, "no", "s.csv"))
	wants(t, talk(t, demoVariables(t).options(t), answers...), "1 share written to "+csv,
		"A file with that name exists.", "Nothing was written.", "42 shares written to "+csv, "42 shares written to "+json,
		"Type export and the name", "Type export and the name", "the directory does not exist")
	text, err := os.ReadFile(csv)
	if err != nil || bytes.Count(text, []byte("\n")) != 43 {
		t.Errorf("the file has %d lines, %v", bytes.Count(text, []byte("\n")), err)
	}
}

func TestCompaniesAskForTheKeyThatIsMissing(t *testing.T) {
	v := demoVariables(t)
	delete(v, "GATEHOUSE_API_KEY")
	delete(v, "GATEHOUSE_RESELLER_ID")
	answers := signedIn("ada", "1", "2", "", "7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314", "wrong-key-1", "2", "", "demo-reseller-key", "back", "companies", "")
	said := talk(t, v.options(t), answers...)
	wants(t, said, "Id of the reseller: ", "The id is needed.", "API key, which is not shown: ", "Loading the companies",
		"API key", "25 companies.", "Id of the reseller, or nothing for 7d3c", "25 companies.")
	for _, key := range []string{"wrong-key-1", "demo-reseller-key"} {
		if strings.Contains(said, key) {
			t.Errorf("%s is said", key)
		}
	}
}

func TestTheTokenIsRenewedAndExplained(t *testing.T) {
	said := talk(t, demoVariables(t).options(t), signedIn("ada", "access token", "claims", "renew", "3")...)
	wants(t, said, "Expires: 3 March 2026 at 12:00:00, in 1 day.\n",
		"Renewal: automatic, about 3 March 2026 at ", "Refresh token ends: 1 April 2026 at 12:00:00, in 30 days.\n",
		"User: ada@harbor.example.\nAuthority: main authority.\n", "Kept in: memory only: gone when the program ends.\n", "The claims, decoded and not verified:\n",
		"primary_domain: harbor.example.\n", "domains.1: minato.example.\n", "Renewing the access token.\n", "The access token was renewed.\n")
}

func TestAnotherPersonSeesNothingOfTheOneBefore(t *testing.T) {
	answers := signedIn("ada", "1", "2", "a-reseller", "back", "sign out")
	answers = append(answers, signedIn("cleo", "1", "2")...)
	said := talk(t, demoVariables(t).options(t), answers...)
	wants(t, said, "You are signed out.\n", "Sign in.\n", "You are signed in as cleo@harbor.example.\n", "Your account reaches 1 domain.\n", "Id of the reseller")
	if last := said[strings.LastIndex(said, "Id of the reseller"):]; strings.Contains(last, "a-reseller") {
		t.Errorf("the reseller is still known: %s", last)
	}
}

// refusing answers everything with one status.
func refusing(status int) func(http.Handler) http.Handler {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
}

func TestAServiceThatIsDownIsExplained(t *testing.T) {
	v := demoVariables(t)
	server := httptest.NewServer(http.NotFoundHandler())
	url := server.URL
	server.Close()
	for name := range v {
		if strings.HasSuffix(name, "_URL") {
			v[name] = url
		}
	}
	wants(t, talk(t, v.options(t), "ada@harbor.example", "demo"), "The primary domain could not be looked up",
		"Could not sign in", "Check the network", "E-mail address, or nothing for ada@harbor.example: ")

	v = demoVariables(t)
	v.before(t, refusing(http.StatusInternalServerError))
	wants(t, talk(t, v.options(t), "ada@harbor.example", "demo"), "500", "try again later.")
}

func TestALineThatIsTooLongIsRefusedWhole(t *testing.T) {
	o := demoVariables(t).options(t)
	said := talk(t, o, strings.Repeat("x", 200_000), "ada@harbor.example", "demo")
	wants(t, said, "E-mail address: \nThat line is too long. Type a shorter one.\nE-mail address: \nPrimary domain: ", "You are signed in")
}
