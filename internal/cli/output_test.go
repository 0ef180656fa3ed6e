package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
)

var anyPort = regexp.MustCompile(`127\.0\.0\.1:\d+`)

func cells(line string) int { return safetext.Width(line) }

// hostileText is a share whose texts attack a terminal.
const hostileText = `[{"Name":"\u001b]0;owned\u0007\u202egpj.exe` + "\u009b31m\u202e\u0085" + `","N\u001b[2J":"a` + "\x7f" + `b","ok":"日本 👍🏽 é"}]`

func TestATokenIsMadeSafeForATerminalAndExactElsewhere(t *testing.T) {
	d := fakeDesk(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"a\u001b[2Jb","token_type":"Bearer","expires_in":86400}`)
	})
	d.login("ann@x.example")
	for terminal, want := range map[int]string{0: "a\x1b[2Jb\n", 80: "a␛[2Jb\n"} {
		d.terminal = terminal
		if got := d.mustRun("token"); got != want {
			t.Errorf("terminal of %d cells: got %q, want %q", terminal, got, want)
		}
	}
}

func TestATableOfTooManyColumnsSaysSo(t *testing.T) {
	var record strings.Builder
	for i := range records.MaxColumns + 1 {
		fmt.Fprintf(&record, `,"c%d":%d`, i, i)
	}
	d := fakeDesk(t, answer("[{"+record.String()[1:]+"}]"))
	d.login("ann@x.example")
	for _, form := range formats {
		got := d.run("shares", "-o", form)
		if said := strings.Contains(got.stderr, "use -o json for all"); said != (form == formatCSV || form == formatTable) || got.code != exitDone {
			t.Errorf("%s: exit code %d, stderr %q", form, got.code, got.stderr)
		}
	}
}

func sameValue(t *testing.T, want, got string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(want), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(got), &b); err != nil {
		t.Fatalf("not JSON any more: %v\n%s", err, got)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("another value (-want +got):\n%s", diff)
	}
}

func compact(t *testing.T, text string) string {
	t.Helper()
	var to bytes.Buffer
	if err := json.Compact(&to, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return to.String()
}

func TestJSONForATerminalIsTheSameValue(t *testing.T) {
	text := "[\n{\"a\":\t\"plain\"},\r\n{\"b\":\"\U000e0041 \ufeff e\u0301 \u200b \xff\"}\n]"
	var out bytes.Buffer
	w := &terminalJSON{out: &out}
	for i := range len(text) { // characters and lines come in pieces
		if _, err := w.Write([]byte{text[i]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sameValue(t, text, out.String())
	if got := out.String(); !strings.Contains(got, `\udb40\udc41 \ufeff`) || strings.ContainsAny(got, "\t\r\ufeff") {
		t.Errorf("got %q", got)
	}
}

// exactCSV is the CSV of rows with --exact.
func exactCSV(t *testing.T, columns []string, rows ...[]string) string {
	t.Helper()
	var out bytes.Buffer
	a := newApp(newDesk(t).environment(&out, nil))
	a.flags.output, a.flags.exact = formatCSV, true
	f := form[[]string]{columns: columns, row: func(texts []string) (row []cell) {
		for _, text := range texts {
			row = append(row, textCell(text))
		}
		return row
	}}
	if err := show(t.Context(), a, f, rows...); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestExactCSVKeepsEveryTextExactly(t *testing.T) {
	texts := []string{"", "plain", "=1+1", "-5", "+45 12", "@x", "\ttab", "a,b", `say "hi"`, "two\nlines", "two\r\nlines", "bare\rreturn", " blanks ", "日本", "x=1"}
	var rows [][]string
	for _, text := range texts {
		rows = append(rows, []string{text, ""})
	}
	out := exactCSV(t, []string{"first", "second"}, rows...)
	if strings.Count(out, "\r\n") != len(texts)+2 { // header, and one inside a field
		t.Errorf("the lines do not end with CRLF: %q", out)
	}
	// The reader of the standard library makes \n of \r\n, so that is hidden from it.
	read, err := csv.NewReader(strings.NewReader(strings.ReplaceAll(out, "two\r\nlines", "two\nlines"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, record := range read[1:] {
		want := strings.ReplaceAll(texts[i], "\r\n", "\n")
		if diff := cmp.Diff([]string{want, ""}, record); diff != "" {
			t.Errorf("%q (-want +got):\n%s", texts[i], diff)
		}
	}
}

func TestCSVRunsNoFormulaUnlessItIsToBeExact(t *testing.T) {
	d := fakeDesk(t, answer(`[{"@n":"=1+1","n":-5,"phone":"+45 12","list":["=1"]}]`))
	d.login("ann@x.example")
	for want, args := range map[string][]string{
		"'@n,n,phone,list\r\n'=1+1,-5,+45 12,\"[\"\"=1\"\"]\"\r\n": {"shares", "-o", "csv"},
		"@n,n,phone,list\r\n=1+1,-5,+45 12,\"[\"\"=1\"\"]\"\r\n":   {"shares", "-o", "csv", "--exact"},
		"email,primary_domain,error\r\n'=1@x.example":              {"lookup", "-o", "csv", "=1@x.example"},
		"email,primary_domain,error\r\n=1@x.example":               {"lookup", "-o", "csv", "--exact", "=1@x.example"},
		"email,primary_domain,error\r\nx;'=1@x.example":            {"lookup", "-o", "csv", "x;=1@x.example"},
	} {
		if got := d.run(args...).stdout; !strings.HasPrefix(got, want) {
			t.Errorf("%v: got %q, want %q", args, got, want)
		}
	}
}

func TestALoneEmptyFieldIsNoEmptyLine(t *testing.T) {
	if got, want := exactCSV(t, []string{"only"}, []string{""}, []string{"x"}), "only\r\n\"\"\r\nx\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestATableShowsMissingNullAndEmptyDifferently(t *testing.T) {
	table, err := records.Parse([]byte(`[{"a":null,"n":1},{"a":"","n":22},{"n":333},{"a":"x","n":null}]`))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := writeTable(&out, recordGrid(table, selection{}, nil), 0, styles.Style{}); err != nil {
		t.Fatal(err)
	}
	const want = "a        n\nnull     1\n\"\"      22\n       333\nx     null\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestATableHasWordsForNumbersThatHaveThem(t *testing.T) {
	table, err := records.Parse([]byte(`[{"Name":"a","ShareAssociationType":2}]`))
	if err != nil {
		t.Fatal(err)
	}
	for format, want := range map[*records.Format]string{{}: "owner", nil: "2"} {
		var out bytes.Buffer
		if _, err := writeTable(&out, recordGrid(table, selection{}, format), 0, styles.Style{}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("want %s, got %v:\n%s", want, err, &out)
		}
	}
}

func TestATableFitsAnyWidth(t *testing.T) {
	table, err := records.Parse([]byte(`[{"Id":"` + strings.Repeat("x", 50) + `","empty":null,"n":12345,"Name":"` + strings.Repeat("日本", 30) + `","last":"z"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for width := 1; width < 200; width++ {
		var out bytes.Buffer
		hidden, err := writeTable(&out, recordGrid(table, selection{}, nil), width, styles.Style{})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		for _, line := range lines {
			if cells(line) > width {
				t.Errorf("width %d: %d cells: %s", width, cells(line), line)
			}
		}
		if width >= 4 && !strings.HasPrefix(lines[0], "Name") {
			t.Errorf("width %d: Name is not the first column: %s", width, lines[0])
		}
		if wide := 30*4 + 2 + 50 + 2 + 5 + 2 + 4; width >= wide && (hidden != 1 || strings.Contains(out.String(), "…")) {
			t.Errorf("width %d: %d columns are hidden:\n%s", width, hidden, out.String())
		}
	}
}

func TestIdsLeaveRoomForTheColumnsThatPeopleRead(t *testing.T) {
	const guid = "287278d0-9148-4595-8270-15840653bf9a"
	table, err := records.Parse([]byte(`[{"Id":"` + guid + `","OwnerId":"` + guid + `","Owner":"ann@x.example","Name":"Board minutes","Size":12}]`))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := writeTable(&out, recordGrid(table, selection{}, nil), 66, styles.Style{}); err != nil {
		t.Fatal(err)
	}
	const want = "Name           Owner          Size  Id\n" +
		"Board minutes  ann@x.example    12  287278d0-9148-4595-8270-15840…\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheWidthOfATableIsThatOfColumnsOrTheTerminal(t *testing.T) {
	for _, tc := range []struct {
		columns  string
		terminal int
		isOne    bool
		want     int
	}{
		{"", 0, false, 0}, {"", 100, true, 100}, {"", 0, true, 80},
		{"60", 100, true, 60}, {"60", 0, false, 60}, {"x", 100, true, 100}, {"-1", 0, false, 0},
	} {
		a := printer{env: &Environment{
			LookupEnv:        func(string) (string, bool) { return tc.columns, tc.columns != "" },
			StdoutIsTerminal: tc.isOne,
			TerminalWidth:    func() int { return tc.terminal },
		}}
		if got := a.tableWidth(); got != tc.want {
			t.Errorf("%+v: got %d", tc, got)
		}
	}
}

func TestTheFormatIsATableOnATerminalAndJSONElsewhere(t *testing.T) {
	d := demoDesk(t)
	d.login("ben@harbor.example")
	if got := d.mustRun("domains"); !json.Valid([]byte(got)) {
		t.Errorf("piped: %s", got)
	}
	d.terminal = 80
	if got := d.mustRun("domains"); !strings.HasPrefix(got, "\x1b[1mDomain\x1b[m\nharbor.example  primary\n") {
		t.Errorf("on a terminal: %s", got)
	}
}

func TestALongOutputStopsWhenItIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := fakeDesk(t, answer("["+strings.Repeat(`{"Name":"x"},`, 50_000)+"{}]"))
	d.login("ann@x.example")
	var stdout interruptedWriter
	stdout.interrupt = cancel
	var stderr bytes.Buffer
	code := Execute(ctx, []string{"shares", "-o", "csv"}, d.environment(&stdout, &stderr))
	if code != exitFailed || stderr.String() != "gatehouse: Cancelled.\n" || stdout.writes != 1 {
		t.Errorf("exit code %d, stderr %q, %d writes", code, stderr.String(), stdout.writes)
	}
}

// interruptedWriter interrupts the program with the first write.
type interruptedWriter struct {
	interrupt func()
	writes    int
}

func (w *interruptedWriter) Write(p []byte) (int, error) {
	w.writes++
	w.interrupt()
	return len(p), nil
}
