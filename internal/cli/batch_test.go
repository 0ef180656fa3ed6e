package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/files"
	"gatehouse/internal/hostile"
	"gatehouse/internal/text/shell"
)

// fileOf is a file with this content.
func fileOf(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// lookups is a global service that counts what it is asked.
type lookups struct {
	mu    sync.Mutex
	asked map[string]int
	// answer may answer in its place; nil: everybody is in a.example.
	answer func(w http.ResponseWriter, email string, ask int) bool
}

func (l *lookups) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	email := r.URL.Query().Get("useremail")
	l.mu.Lock()
	if l.asked == nil {
		l.asked = map[string]int{}
	}
	l.asked[email]++
	ask := l.asked[email]
	l.mu.Unlock()
	if l.answer == nil || !l.answer(w, email, ask) {
		_, _ = io.WriteString(w, email+",a.example")
	}
}

func TestALookupOfAListInEveryFormat(t *testing.T) {
	d := demoDesk(t)
	host := strings.TrimPrefix(strings.TrimSuffix(d.variables["GATEHOUSE_GLOBAL_URL"], "/global"), "http://")
	list := fileOf(t, "list.csv", "\ufeffname;Email\r\nAda;Ada <ada@harbor.example>\r\n;nobody\r\nKim;\r\nNo;nobody@x.example\r\nAgain;ADA@harbor.example\r\nGus;gus@harbor.example\r\n")
	const none, unknown = `"nobody" is not an e-mail address: it has no @.`, "Could not look up the primary domain of nobody@x.example: HOST has no primary domain for this user."
	elements := []string{
		`{"email":"ada@harbor.example","primary_domain":"harbor.example","file":{"name":"Ada","Email":"Ada <ada@harbor.example>"}}`,
		`{"email":"nobody","error":"\"nobody\" is not an e-mail address: it has no @.","failure":"no-address","file":{"name":"","Email":"nobody"}}`,
		`{"email":"","error":"There is no e-mail address.","failure":"no-address","file":{"name":"Kim","Email":""}}`,
		`{"email":"nobody@x.example","error":"` + unknown + `","failure":"no-domain","host":"HOST","file":{"name":"No","Email":"nobody@x.example"}}`,
		`{"email":"ada@harbor.example","primary_domain":"harbor.example","file":{"name":"Again","Email":"ADA@harbor.example"}}`,
		`{"email":"gus@harbor.example","primary_domain":"harbor.example","file":{"name":"Gus","Email":"gus@harbor.example"}}`,
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte("["+strings.Join(elements, ",")+"]"), "", "  "); err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]string{
		"json":   indented.String() + "\n",
		"ndjson": strings.Join([]string{elements[0], elements[4], elements[1], elements[2], elements[3], elements[5]}, "\n") + "\n", // as it is known
		"csv": "name,Email,asked,primary_domain,error\r\nAda,Ada <ada@harbor.example>,ada@harbor.example,harbor.example,\r\n" +
			",nobody,nobody,,\"\"\"nobody\"\" is not an e-mail address: it has no @.\"\r\nKim,,,,There is no e-mail address.\r\nNo,nobody@x.example,nobody@x.example,," + unknown + "\r\n" +
			"Again,ADA@harbor.example,ada@harbor.example,harbor.example,\r\nGus,gus@harbor.example,gus@harbor.example,harbor.example,\r\n",
		"table": "name Email Primary domain Error\nAda ada@harbor.example harbor.example\n nobody " + none +
			"\nKim There is no e-mail address.\nNo nobody@x.example no primary domain at HOST\nAgain ada@harbor.example harbor.example\nGus gus@harbor.example harbor.example\n",
	} {
		got := d.run("lookup", "--from", list, "-o", form, "--jobs", "1", "--rate", "0")
		if diff := cmp.Diff(want, inWords(form, strings.ReplaceAll(got.stdout, host, "HOST"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", form, diff)
		}
		if summary := strings.ReplaceAll(got.stderr, host, "HOST"); got.code != exitFailed || summary != "6 addresses: 3 ok, 3 fail; 2 are no addresses, 1 repeated.\n  1 fail: no e-mail address\n  1 fail: not an e-mail address\n  1 fail: no primary domain at HOST\n" {
			t.Errorf("%s: exit code %d, stderr %q", form, got.code, got.stderr)
		}
	}
	d.stdin = "ada@harbor.example\ngus@harbor.example\n"
	if got := d.run("lookup", "--from", "-"); got.code != exitDone || got.stderr != "2 addresses: 2 ok.\n" || strings.Count(got.stdout, "harbor.example\"\n") != 2 {
		t.Errorf("standard input: %+v", got)
	}
	if got := d.run("lookup", "--from", "-", "-q"); got.stderr != "" {
		t.Errorf("quietly: %+v", got)
	}
}

func TestNoNameStandsTwiceInTheHeading(t *testing.T) {
	d := demoDesk(t)
	for name, tt := range map[string]struct {
		args    []string
		heading string // of the file
		want    string // the beginning of that of the results
	}{
		"none alike":       {[]string{"lookup"}, "name,email", "name,email,asked,primary_domain,error"},
		"a result's":       {[]string{"check"}, "id,email,state", "id,email,state,asked,check_id,at,ms,check_state,code"},
		"in another case":  {[]string{"lookup"}, "Error,email", "Error,email,asked,primary_domain,lookup_error"},
		"the address":      {[]string{"lookup"}, "asked,email", "asked,email,lookup_asked,primary_domain,error"},
		"of an older list": {[]string{"check"}, "id,email,check_id", "id,email,check_id,asked,check_check_id,at,ms"},
	} {
		list := fileOf(t, "list.csv", tt.heading+"\nx,ada@harbor.example"+strings.Repeat(",y", strings.Count(tt.heading, ",")-1)+"\n")
		got := d.run(append(tt.args, "--from", list, "-q", "-o", "csv", "--rate", "0")...)
		if heading, _, _ := strings.Cut(got.stdout, "\r\n"); !strings.HasPrefix(heading+",", tt.want+",") {
			t.Errorf("%s: %q, %s", name, heading, got.stderr)
		}
	}
}

func TestALookupThatWasNotAnsweredIsUnknown(t *testing.T) {
	service := &lookups{answer: func(w http.ResponseWriter, email string, _ int) bool {
		switch email {
		case "down@x.example":
			w.WriteHeader(http.StatusInternalServerError)
		case "nobody@x.example":
			_, _ = io.WriteString(w, email+",")
		default:
			return false
		}
		return true
	}}
	d := fakeDesk(t, service.ServeHTTP)
	list, journal := fileOf(t, "list.txt", "down@x.example\nnobody@x.example\na@x.example\n"), filepath.Join(t.TempDir(), "journal")
	for _, note := range []string{"", "; 3 from the journal"} {
		got := d.run("lookup", "--from", list, "--resume", journal)
		if want := regexp.MustCompile(`^3 addresses: 1 ok, 1 fail, 1 unknown` + note + `\.\n  1 fail: no primary domain at \S+\n  1 unknown: answered 500 \(internal server error\) at \S+\n$`); got.code != exitFailed || !want.MatchString(got.stderr) {
			t.Errorf("%q: %+v", note, got)
		}
	}
	d.run("lookup", "--from", list, "--resume", journal, "--retry-failed")
	if service.asked["down@x.example"] != 2 || service.asked["a@x.example"] != 1 {
		t.Errorf("asked %v", service.asked)
	}
}

func TestAJournalSaysWhatItIsNot(t *testing.T) {
	d := fakeDesk(t, new(lookups).ServeHTTP)
	list := fileOf(t, "list.txt", "a@x.example\nb@x.example\n")
	const ofA, ofZ = `{"email":"a@x.example","primary_domain":"a.example"}` + "\n", `{"email":"z@x.example","error":"No."}` + "\n"
	for name, tc := range map[string]struct{ content, says string }{
		"another command": {`{"id":"K7QD-M2XA","email":"a@x.example","verdict":{"state":"ok"},"checks":[]}` + "\n", "cannot be used: line 1: this is not a result of lookup."},
		"another list":    {ofZ, "cannot be used: no line of it is about an address of this list."},
	} {
		journal := fileOf(t, "j.ndjson", tc.content)
		got := d.run("lookup", "--from", list, "--resume", journal)
		if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, tc.says) || !strings.Contains(got.stderr, "The file was not changed.") {
			t.Errorf("%s: %+v", name, got)
		}
		if now, _ := os.ReadFile(journal); string(now) != tc.content {
			t.Errorf("%s: now it is %q", name, now)
		}
	}
	got := d.run("lookup", "--from", list, "--rate", "0", "--resume", fileOf(t, "j.ndjson", ofZ+ofA+ofZ[:9]))
	if got.code != exitDone || !strings.Contains(got.stderr, "was incomplete and has been removed: that address is asked about again.") ||
		!strings.Contains(got.stderr, "1 result in ") || !strings.Contains(got.stderr, "are left out here.") {
		t.Errorf("torn, and with another address: %+v", got)
	}
	used := fileOf(t, "j.ndjson", ofA)
	f, release, err := files.AppendAlone(used)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	defer f.Close()
	if got := d.run("lookup", "--from", list, "--resume", used); got.code != exitUsage || !strings.Contains(got.stderr, "another process is using it.") {
		t.Errorf("in use: %+v", got)
	}
}

func TestListsOfAddressesThatCannotBeUsed(t *testing.T) {
	list, dir := fileOf(t, "list.txt", "a@x.example\n"), t.TempDir()
	for name, tc := range map[string]struct {
		args []string
		says string
	}{
		"a missing file":            {[]string{"--from", filepath.Join(dir, "none")}, "no such file or directory"},
		"a directory":               {[]string{"--from", dir}, "is a directory"},
		"a binary file":             {[]string{"--from", fileOf(t, "x.zip", "\x7fELF\x00\x00")}, "line 1: this is not text"},
		"a workbook":                {[]string{"--from", fileOf(t, "x.xlsx", "PK\x03\x04\x00\x00")}, "save the sheet as CSV (UTF-8)"},
		"an empty file":             {[]string{"--from", fileOf(t, "empty", "")}, "it has no address"},
		"no such column":            {[]string{"--from", list, "--column", "mail"}, `it has no column "mail"`},
		"addresses as well":         {[]string{"--from", list, "b@x.example"}, "both as arguments and with --from"},
		"neither":                   {nil, "No e-mail address given."},
		"a flag without it":         {[]string{"b@x.example", "--jobs", "3"}, "--jobs needs a list of addresses"},
		"an empty name":             {[]string{"--from", ""}, "--from needs a list of addresses"},
		"no jobs":                   {[]string{"--from", list, "--jobs", "0"}, "Flag --jobs is 0"},
		"many jobs":                 {[]string{"--from", list, "--jobs", "1000"}, "from 1 to 256"},
		"a negative rate":           {[]string{"--from", list, "--rate", "-1"}, "Flag --rate is -1"},
		"an infinite rate":          {[]string{"--from", list, "--rate", "inf"}, "Flag --rate is +Inf"},
		"no rate":                   {[]string{"--from", list, "--rate", "x"}, `--rate cannot be "x"`},
		"again without one":         {[]string{"--from", list, "--retry-failed"}, "No journal is named"},
		"a journal nowhere":         {[]string{"--from", list, "--resume", filepath.Join(dir, "a", "b")}, "no such file or directory"},
		"a journal that is no file": {[]string{"--from", list, "--resume", dir}, "not a regular file"},
	} {
		d := fakeDesk(t, func(http.ResponseWriter, *http.Request) { t.Errorf("%s: the service is asked", name) })
		got := d.run(append([]string{"lookup"}, tc.args...)...)
		if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, tc.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A 429 is not waited for by the request itself, which would repeat it on its own.
func TestAllWorkersWaitForABusyService(t *testing.T) {
	service := &lookups{answer: func(w http.ResponseWriter, email string, ask int) bool {
		if email == "3@x.example" && ask == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		}
		return false
	}}
	d := fakeDesk(t, service.ServeHTTP)
	var addresses []string
	for i := range 30 {
		addresses = append(addresses, fmt.Sprintf("%d@x.example", i))
	}
	got := d.run("lookup", "--from", fileOf(t, "list.txt", strings.Join(addresses, "\n")), "--rate", "0")
	if got.code != exitDone || got.stderr != "30 addresses: 30 ok.\n" || service.asked["3@x.example"] != 2 || len(service.asked) != 30 {
		t.Errorf("%+v, asked %v", got, service.asked)
	}
}

// A batch would ask again.
func TestACheckSendsThePasswordOnceToABusyAuthority(t *testing.T) {
	var sent atomic.Int32
	d := fakeDesk(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			sent.Add(1)
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	d.stdin = "demo"
	if got := d.run("check", "ada@harbor.example", "--sign-in", "--password-stdin"); got.code != exitFailed || sent.Load() != 1 {
		t.Errorf("%+v, sent %d times", got, sent.Load())
	}
}

func TestAnInterruptedBatchSaysHowToGoOn(t *testing.T) {
	for _, journal := range []string{"", filepath.Join(t.TempDir(), "my journal")} {
		ctx, interrupt := context.WithCancel(t.Context())
		service := &lookups{answer: func(_ http.ResponseWriter, email string, _ int) bool {
			if email == "b@x.example" {
				interrupt()
			}
			return false
		}}
		d := fakeDesk(t, service.ServeHTTP)
		list := fileOf(t, "list.txt", "a@x.example\nb@x.example\nc@x.example\nd@x.example\n")
		args := []string{"lookup", "--from", list, "--jobs", "1", "-o", "csv"}
		wantData := "email,primary_domain,error\r\na@x.example,a.example,\r\nb@x.example,a.example,\r\n"
		wantHint := "Use --resume FILE to keep the results, and to continue from them in the next run.\n"
		if journal != "" {
			args = append(args, "--resume", journal)
			wantHint = "Resume with: gatehouse " + shell.POSIX.Join(args...) + "\n"
		}
		var stdout, stderr bytes.Buffer
		code := Execute(ctx, args, d.environment(&stdout, &stderr))
		want := "4 addresses: 2 ok, 2 not asked.\ngatehouse: Interrupted after 2 of 4 addresses.\n" + wantHint
		if diff := cmp.Diff(want, stderr.String()); diff != "" || code != exitFailed || stdout.String() != wantData {
			t.Errorf("exit code %d, stdout %q, stderr (-want +got):\n%s", code, &stdout, diff)
		}
		if journal != "" {
			if got := d.run(args...); got.code != exitDone || strings.Count(got.stdout, "\n") != 5 || service.asked["a@x.example"] != 1 || service.asked["d@x.example"] != 1 {
				t.Errorf("resumed: %+v, asked %v", got, service.asked)
			}
		}
	}
}

func TestAListIsCheckedAndGoesOnFromItsJournal(t *testing.T) {
	d := demoDesk(t)
	list := fileOf(t, "list.csv", "name;email\n;ada@harbor.example\n;nonsense\n;kit@harbor.example\n;ADA@harbor.example\n;nobody@x.example\n")
	journal := filepath.Join(t.TempDir(), "j.ndjson")
	args := []string{"check", "--from", list, "--resume", journal, "--rate", "0"}
	first := d.run(append(args, "-o", "json")...)
	var reports []check.Report
	if err := json.Unmarshal([]byte(first.stdout), &reports); err != nil || len(reports) != 5 || first.code != exitFailed {
		t.Fatalf("%v: %+v", err, first)
	}
	for i, want := range []check.Code{check.LooksFine, check.UnknownAddress, check.ServiceFailing, check.LooksFine, check.UnknownAddress} {
		if got := reports[i].Verdict.Code; got != want {
			t.Errorf("%s: %s, want %s", reports[i].Email, got, want)
		}
	}
	if said := first.stderr; !strings.HasPrefix(said, "5 addresses: 2 ok, 3 fail; 1 is no address, 1 repeated.\n  1 fail: no primary domain found\n  1 fail: not an e-mail address\n  1 fail: service failing at 127.0.0.1:") {
		t.Errorf("it says %q", said)
	}
	if again := d.run(append(args, "-o", "json")...); again.stdout != first.stdout || again.code != first.code || !strings.Contains(again.stderr, "1 repeated, 5 from the journal.\n") {
		t.Errorf("from the journal:\n%s", cmp.Diff(first.stdout, again.stdout))
	}
	for form, want := range map[string]string{"csv": "name,email,asked,id,at,ms", "table": "no fault seen from outside", "markdown": "**nonsense: Not an e-mail address**", "ndjson": `{"id":"` + reports[0].ID} {
		if got := d.run(append(args, "-o", form)...); !strings.Contains(got.stdout, want) || got.code != exitFailed {
			t.Errorf("%s: %+v", form, got)
		}
	}
	alone, ofList := d.run("check", "nonsense", "-o", "markdown").stdout, d.run(append(args, "-o", "markdown")...).stdout
	head, _, _ := strings.Cut(alone, "| Check")
	if !strings.Contains(head, "Evidence: ") || !strings.Contains(head, "Tell the user: ") || !strings.Contains(ofList, head) {
		t.Errorf("in the list:\n%s\nalone:\n%s", ofList, alone)
	}
	d.run(append(args, "-o", "csv", "--retry-failed")...)
	kept, err := os.ReadFile(journal)
	if asked := strings.Count(string(kept), "\n"); err != nil || asked != 4+3 {
		t.Errorf("%d reports after those that failed were asked for again, %v", asked, err)
	}
}

func TestAPasswordIsNeverPartOfABatch(t *testing.T) {
	list := fileOf(t, "list.txt", "ada@harbor.example\n")
	for _, flags := range [][]string{{"--sign-in"}, {"--sign-in", "--password-stdin"}, {"--device-name", "x"}, {"--device-id", "x", "--sign-in"}} {
		d := fakeDesk(t, func(http.ResponseWriter, *http.Request) { t.Errorf("%v: the service is asked", flags) })
		d.stdin = "demo"
		got := d.run(append([]string{"check", "--from", list}, flags...)...)
		if got.code != exitUsage || !strings.HasPrefix(got.stderr, "gatehouse: A check with a password takes one address only.\n") {
			t.Errorf("%v: %+v", flags, got)
		}
	}
}

// TestALookupOfAListWaitsOnceForASilentService: the addresses behind those that were in flight are not
// looked up, and say so.
func TestALookupOfAListWaitsOnceForASilentService(t *testing.T) {
	hostile.Run(t, func(t *testing.T, w *hostile.World) {
		const size, most = 1000, 20 * time.Second
		var addresses []string
		for i := range size {
			addresses = append(addresses, fmt.Sprintf("%d@x.example", i))
		}
		w.Faults.Set(hostile.Rule{Endpoint: hostile.Lookup, Fault: hostile.Silence})
		began := time.Now()
		got := hostileDesk(t, w).run("lookup", "--from", fileOf(t, "list.txt", strings.Join(addresses, "\n")), "--rate", "0", "-o", "json", "-q")
		if took := time.Since(began); took > most || w.Faults.Met() != defaultJobs || got.code != exitFailed {
			t.Errorf("it took %v, %d requests, exit code %d", took, w.Faults.Met(), got.code)
		}
		var entries []lookupEntry
		if err := json.Unmarshal([]byte(got.stdout), &entries); err != nil || len(entries) != size {
			t.Fatalf("%d entries: %v", len(entries), err)
		}
		for i, entry := range entries {
			text, wasAsked := entry.Error, i < defaultJobs
			if entry.Failure != "timeout" || entry.Host != w.Host() || !strings.Contains(text, addresses[i]) ||
				strings.HasPrefix(text, "Could not look up") != wasAsked || strings.HasPrefix(text, "Did not look up") == wasAsked {
				t.Errorf("%+v", entry)
			}
		}
	})
}

func TestAFileInPlaceOfAnAddressLeadsToFrom(t *testing.T) {
	d := demoDesk(t)
	list := fileOf(t, "people.csv", "Name,Work,Home\nA,ada@harbor.example,ben@harbor.example\n")
	for _, command := range []string{"check", "lookup"} {
		got := d.run(command, list)
		offer := shell.POSIX.Join("gatehouse", command, "--from", list)
		if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "`"+offer+"`") {
			t.Errorf("%s: %+v", command, got)
		}
	}
	got := d.run("lookup", "--from", list, "-o", "csv", "-q")
	if got.code != exitDone || !strings.Contains(got.stderr, "from the column Work; Home may be meant as well. Choose one with --column.") {
		t.Errorf("two columns: %+v", got)
	}
	if got := d.run("lookup", "--from", list, "--column", "home", "-o", "csv", "-q"); got.stderr != "" || !strings.Contains(got.stdout, ",ben@harbor.example,harbor.example") {
		t.Errorf("a column that was named: %+v", got)
	}
	gzip := fileOf(t, "people.csv.gz", "\x1f\x8b\x08\x00")
	if got := d.run("lookup", "--from", gzip); got.code != exitUsage || !strings.Contains(got.stderr, "it is compressed with gzip.\nUnpack it first") {
		t.Errorf("gzip: %+v", got)
	}
}

func TestHeadingsOfResultsAreThoseOfAScreen(t *testing.T) {
	d := demoDesk(t)
	list := fileOf(t, "people.csv", "Primary domain,team_id,Email\nx,7,ada@harbor.example\n")
	for flags, want := range map[string]string{
		"lookup -o csv --as-shown": "\ufeffPrimary domain,team_id,Email,Asked,Lookup primary domain,Error\r\n",
		"lookup -o csv":            "Primary domain,team_id,Email,asked,primary_domain,error\r\n",
		"check -o csv --as-shown":  "\ufeffPrimary domain,team_id,Email,Asked,Id,At,Ms,State,Code,Scope,Sentence,Next,Check primary domain,Profile,Lookup,Global,Authority,Gateway,Sign in,Claims,Domains,Device,Control\r\n",
	} {
		got := d.mustRun(append(strings.Fields(flags), "--from", list, "-q")...)
		if head, _, _ := strings.Cut(got, "\n"); head+"\n" != want {
			t.Errorf("%s: %q", flags, head)
		}
	}
}
