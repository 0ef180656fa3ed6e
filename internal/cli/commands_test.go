package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"gatehouse/internal/testkit"
)

func TestDomainsInEveryForm(t *testing.T) {
	d := demoDesk(t)
	d.login("ben@harbor.example")
	for form, want := range map[string]string{
		"json": `[
  {
    "domain": "harbor.example",
    "primary": true
  },
  {
    "domain": "pier.example",
    "primary": false
  }
]
`,
		"csv":   "domain,primary\r\nharbor.example,true\r\npier.example,false\r\n",
		"table": "Domain\nharbor.example primary\npier.example\n",
	} {
		if diff := cmp.Diff(want, inWords(form, d.mustRun("domains", "-o", form))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", form, diff)
		}
	}
}

func TestLookupSaysWhatFailedBesideTheRows(t *testing.T) {
	d := demoDesk(t)
	const sentence = "Could not look up the primary domain of nobody@x.example: HOST has no primary domain for this user."
	const hint = "Check the address: the service gives this answer for unknown users."
	got := d.run("lookup", "Ada@Harbor.example", "nobody@x.example", "gus@harbor.example", "-o", "csv")
	host := strings.TrimPrefix(strings.TrimSuffix(d.variables["GATEHOUSE_GLOBAL_URL"], "/global"), "http://")
	got.stdout, got.stderr = strings.ReplaceAll(got.stdout, host, "HOST"), strings.ReplaceAll(got.stderr, host, "HOST")
	want := outcome{
		"email,primary_domain,error\r\nAda@harbor.example,harbor.example,\r\nnobody@x.example,," + sentence + "\r\ngus@harbor.example,harbor.example,\r\n",
		"gatehouse: " + sentence + "\n" + hint + "\n", exitFailed,
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// odd is a list that no client may change: big numbers, escapes, order, blanks.
const odd = "\ufeff{\"Data\" : [ {\"Name\":\"a<b>&\\u0063\\/\",\"Id\":123456789012345678901234567890,\"n\":1.10,\"n\":-0.0e+5},\r\n" +
	"{\"Id\" : -5 , \"Name\":\"=1+1\", \"Extra\":[1,{\"x\":null}], \"Name2\":null} ],\"Message\":\"Ok.\"}"

func TestRecordsAreWrittenExactlyAsTheyWereSent(t *testing.T) {
	d := fakeDesk(t, answer(odd))
	d.login("ann@x.example")
	for form, want := range map[string]string{
		"json": "[\n{\"Name\":\"a<b>&\\u0063\\/\",\"Id\":123456789012345678901234567890,\"n\":1.10,\"n\":-0.0e+5},\n" +
			"{\"Id\" : -5 , \"Name\":\"=1+1\", \"Extra\":[1,{\"x\":null}], \"Name2\":null}\n]\n",
		"ndjson": "{\"Name\":\"a<b>&\\u0063\\/\",\"Id\":123456789012345678901234567890,\"n\":1.10,\"n\":-0.0e+5}\n" +
			"{\"Id\" : -5 , \"Name\":\"=1+1\", \"Extra\":[1,{\"x\":null}], \"Name2\":null}\n",
		"csv": "Name,Id,n,Extra,Name2\r\na<b>&c/,123456789012345678901234567890,-0.0e+5,,\r\n" +
			"=1+1,-5,,\"[1,{\"\"x\"\":null}]\",\r\n",
		"table": "Name n Extra Id Name2\n" +
			"a<b>&c/ -0.0e+5 123456789012345678901234567890\n" +
			"=1+1 [2] -5 null\n",
	} {
		for _, command := range []string{"shares", "companies"} {
			args := []string{command, "--exact", "-o", form}
			if command == "companies" {
				args = append(args, "--reseller", "r1")
			}
			if diff := cmp.Diff(want, inWords(form, d.mustRun(args...))); diff != "" {
				t.Errorf("%s as %s (-want +got):\n%s", command, form, diff)
			}
		}
	}
}

func TestAListWithoutRecordsSaysSo(t *testing.T) {
	d := fakeDesk(t, answer(`{"Data":[],"Message":"Nothing for you."}`))
	d.login("ann@x.example")
	if got := d.run("shares", "-o", "json"); got.stdout != "[]\n" || got.stderr != "" {
		t.Errorf("json: %+v", got)
	}
	got := d.run("shares", "-o", "table")
	if got.code != exitDone || got.stdout != "" || got.stderr != "No shares. The service says: Nothing for you.\n" {
		t.Errorf("table: %+v", got)
	}
}

func TestCompaniesNeedASessionOnlyForItsPrimaryDomain(t *testing.T) {
	d := demoDesk(t)
	if got := d.run("companies"); got.code != exitSignIn || !strings.Contains(got.stderr, "with the profile") {
		t.Errorf("no session, no domain: %+v", got)
	}
	with := d.mustRun("companies", "--domain", "harbor.example")
	d.login("ada@harbor.example")
	if without := d.mustRun("companies"); without != with || len(without) < 100 {
		t.Errorf("not the companies of the primary domain: %q", without)
	}
}

func TestSharesOfAnotherDomainOfTheUser(t *testing.T) {
	d := demoDesk(t)
	d.login("ada@harbor.example")
	count := func(args ...string) int {
		var records []json.RawMessage
		if err := json.Unmarshal([]byte(d.mustRun(append([]string{"shares"}, args...)...)), &records); err != nil {
			t.Fatal(err)
		}
		return len(records)
	}
	if primary, other := count(), count("--domain", "minato.example", "--user", "ada@harbor.example"); primary != 42 || other != 23 {
		t.Errorf("%d and %d shares", primary, other)
	}
	for refused, advice := range map[string]string{"--domain=drydock.example": "Try another domain", "--user=ben@harbor.example": "Leave out `--user`"} {
		if got := d.run("shares", refused); got.code != exitFailed || !strings.Contains(got.stderr, "403 (forbidden)") || !strings.Contains(got.stderr, advice) {
			t.Errorf("%s: %+v", refused, got)
		}
	}
}

const loginAnswer = `{ "PrimaryUserDomain":{"Domain":{"DomainId":"d-1","Url":"https://x.example/?a=1&b=<2>","DomainName":"x.example",` +
	`"ResellerId":"r-1","DataSetup":12345678901234567890123},"UserDomainToken":"domain-token"},` +
	`"Wipe":true,"ErrorCode":"U107","Validated":0,"User":{"Na\u006de":"\u00e6","Stamp":1E400},"DeviceId":"abc","ConfirmKey":"confirm-key",` +
	`"UserDomains":[{"UserDomainToken":null}],"UserNotification":{"NotificationType":2,"Url":""}}`

func TestDeviceLoginAsJSON(t *testing.T) {
	d := fakeDesk(t, answer(loginAnswer))
	d.stdin = "pässword"
	args := []string{"device-login", "--email", "ann@x.example", "--device-name", "n", "--password-stdin", "-o", "json"}
	const head = `{
  "error_code": "U107",
  "meaning": "The device is not validated.",
  "known": true,
  "device_id": "abc",
  "wipe": true,
  "primary_domain": {
    "domain_id": "d-1",
    "url": "https://x.example/?a=1&b=<2>",
    "domain_name": "x.example",
    "reseller_id": "r-1"
  },
  "raw": `
	masked := strings.NewReplacer(`"domain-token"`, `"•••"`, `"confirm-key"`, `"•••"`).Replace(loginAnswer)
	for _, tc := range []struct{ flag, raw string }{{"--reveal=false", masked}, {"--reveal", loginAnswer}} {
		got, found := strings.CutPrefix(d.mustRun(append(args, tc.flag)...), head)
		if !found {
			t.Fatalf("%s: it begins otherwise:\n%s", tc.flag, got)
		}
		got = strings.TrimSuffix(got, "\n}\n")
		if diff := cmp.Diff(compact(t, tc.raw), compact(t, got)); diff != "" {
			t.Errorf("%s: raw (-want +got):\n%s", tc.flag, diff)
		}
	}
}

// A service may repeat a token in any part of its answer.
func TestATokenThatAnAnswerRepeatsIsMaskedInEveryFormat(t *testing.T) {
	d := fakeDesk(t, answer(`{"ErrorCode":"U100","PrimaryUserDomain":{"Domain":{"Url":"https://a.example/one-domain-token"},"UserDomainToken":"one-domain-token"},`+
		`"UserNotification":{"NotificationType":1,"Url":"https://a.example/?t=one-domain-token"},"User":{"Pin":"471100","Note":"pin 471100"}}`))
	d.stdin = "x"
	for _, format := range formats {
		got := d.mustRun("device-login", "--email", "ann@x.example", "--device-id", "i", "--password-stdin", "-o", format)
		if strings.Contains(got, "one-domain-token") || strings.Contains(got, "471100") || !strings.Contains(got, "U100") {
			t.Errorf("%s:\n%s", format, got)
		}
		got = d.mustRun("device-login", "--email", "ann@x.example", "--device-id", "i", "--password-stdin", "-o", format, "--reveal")
		if !strings.Contains(got, "https://a.example/one-domain-token") {
			t.Errorf("%s, revealed:\n%s", format, got)
		}
	}
}

func TestADeviceLoginWithoutADomainAndWithAnUnknownCode(t *testing.T) {
	d := fakeDesk(t, answer(`{"ErrorCode":"U999","PrimaryUserDomain":null}`))
	d.stdin = "x"
	const want = `{
  "error_code": "U999",
  "meaning": "This code is not documented.",
  "known": false,
  "device_id": "",
  "wipe": false,
  "primary_domain": null,
  "raw": {
    "ErrorCode": "U999",
    "PrimaryUserDomain": null
  }
}
`
	got := d.mustRun("device-login", "--email", "ann@x.example", "--device-id", "i", "--password-stdin", "-o", "json")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDeviceLoginSendsEveryParameterThatWasGiven(t *testing.T) {
	queries := make(chan string, 1)
	d := fakeDesk(t, func(w http.ResponseWriter, r *http.Request) {
		queries <- fmt.Sprint(r.URL.Query())
		answer(loginAnswer)(w, r)
	})
	d.stdin = "pässword\n"
	d.variables["GATEHOUSE_AD_TOKEN"] = "the-ad-token"
	d.mustRun("device-login", "--email", "ann@x.example", "--device-name", "my laptop", "--device-id", "i-1", "--password-stdin",
		"--device-type", "AndroidTable", "--reseller", "r-1", "--device-ip", "192.0.2.1", "--geo", `{"City":"Aarhus"}`,
		"--lat", "56.1", "--lon", "10.2", "--domain-id", "d-1", "--send-plain-password")
	const want = `map[Ad:[the-ad-token] devicegeo:[{"City":"Aarhus"}] deviceid:[i-1] deviceip:[192.0.2.1] devicelat:[56.1] devicelon:[10.2] ` +
		`devicename:[my laptop] devicetype:[AndroidTable] domain:[d-1] password:[pässword] password2:[cMOkc3N3b3Jk] resellerid:[r-1] useremail:[ann@x.example]]`
	if diff := cmp.Diff(want, <-queries); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTablesOnATerminal(t *testing.T) {
	d := demoDesk(t)
	d.login("ada@harbor.example")
	for _, width := range []int{80, 132} {
		d.terminal = width
		for name, args := range map[string][]string{
			"shares":    {"shares"},
			"companies": {"companies"},
			"whoami":    {"whoami"},
			"lookup":    {"lookup", "ada@harbor.example", "eli@harbor.example"},
		} {
			got := d.run(args...)
			for _, line := range strings.Split(got.stdout, "\n") {
				if cells(line) > width {
					t.Errorf("%s: a line has %d cells of %d: %s", name, cells(line), width, line)
				}
			}
			text := anyPort.ReplaceAllString(got.stdout+"--- stderr\n"+got.stderr, "127.0.0.1:PORT")
			testkit.Golden(t, fmt.Sprintf("cli-%s-%d", name, width), text)
		}
	}
}

func TestADeviceLoginAsLines(t *testing.T) {
	d := fakeDesk(t, answer(loginAnswer))
	d.terminal, d.stdin = 80, "demo"
	testkit.Golden(t, "cli-device-login", d.mustRun("device-login", "--email", "ann@x.example", "--device-name", "n", "--password-stdin"))
}

// tokenPath is the token endpoint of a [fakeDesk].
const tokenPath = "/auth/connect/token"

// answer is a service that signs anybody in and answers all else with one body.
func answer(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == tokenPath {
			_, _ = io.WriteString(w, `{"access_token":"the-access-token","token_type":"Bearer","expires_in":86400,"refresh_token":"the-refresh-token"}`)
			return
		}
		_, _ = io.WriteString(w, body)
	}
}

// A workbook is a file: it never goes to a terminal, nor to where one may be.
func TestAWorkbookGoesToAFile(t *testing.T) {
	d := fakeDesk(t, answer(`[{"Name":"Board","SpaceUsage":{"DiskUsage":1500000000},"Id":900719925474099312}]`))
	d.login("ann@x.example")
	got := d.run("shares", "-o", "xlsx")
	book, err := excelize.OpenReader(strings.NewReader(got.stdout))
	if err != nil || got.code != exitDone || got.stderr != "" {
		t.Fatalf("exit code %d, %q, %v", got.code, got.stderr, err)
	}
	defer book.Close()
	rows, err := book.GetRows("Sheet1", excelize.Options{RawCellValue: true})
	want := [][]string{{"Name", "Disk", "Id"}, {"Board", "1500000000", "900719925474099312"}}
	if diff := cmp.Diff(want, rows); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if got := d.mustRun("shares", "-o", "csv", "--as-shown"); got != "\uFEFFName,Disk,Id\r\nBoard,1500000000,900719925474099312\r\n" {
		t.Errorf("as shown: %q", got)
	}
	if got := d.run("shares", "-o", "json", "--as-shown"); got.code != exitUsage || !strings.Contains(got.stderr, "--as-shown is not for json") {
		t.Errorf("JSON as shown: %+v", got)
	}
	d.terminal = 80
	if got := d.run("shares", "-o", "xlsx"); got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "> shares.xlsx") {
		t.Errorf("on a terminal: %+v", got)
	}
}
