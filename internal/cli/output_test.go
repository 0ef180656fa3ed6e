package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/safetext"
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
	for i := range lists.MaxColumns + 1 {
		fmt.Fprintf(&record, `,"c%d":%d`, i, i)
	}
	d := fakeDesk(t, answer("[{"+record.String()[1:]+"}]"))
	d.login("ann@x.example")
	for _, form := range formats {
		got := d.run("shares", "-o", form)
		if said := strings.Contains(got.stderr, "use -o json for all"); said != (form == lists.AsCSV.Name || form == lists.AsTable.Name) || got.code != exitDone {
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
	text := "[\n{\"a\":\t\"plain\"},\r\n{\"b\":\"\U000e0041 \ufeff e\u0301 \u200b \xff\"}\n]\n"
	var out bytes.Buffer
	w := &terminalJSON{out: &out}
	for i := range len(text) { // characters and lines come in pieces
		if _, err := w.Write([]byte{text[i]}); err != nil {
			t.Fatal(err)
		}
	}
	sameValue(t, text, out.String())
	if got := out.String(); !strings.Contains(got, `\udb40\udc41 \ufeff`) || strings.ContainsAny(got, "\t\r\ufeff") {
		t.Errorf("got %q", got)
	}
}

func TestALongLineOfJSONIsNotHeld(t *testing.T) {
	text := `"` + strings.Repeat("é日😀\u200b", 1<<20/12) + "\"\n"
	var out bytes.Buffer
	w := &terminalJSON{out: &out}
	for part := range slices.Chunk([]byte(text), 1001) {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.pending) > maxPending {
		t.Errorf("%d bytes are held", len(w.pending))
	}
	sameValue(t, text, out.String())
	if strings.Contains(out.String(), "\u200b") {
		t.Error("an invisible character is not escaped")
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

func TestATableShowsMissingNullAndEmptyDifferently(t *testing.T) {
	table, err := lists.Parse([]byte(`[{"a":null,"n":1},{"a":"","n":22},{"n":333},{"a":"x","n":null}]`))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := recordTable(table, lists.View{}, nil).write(t.Context(), &out, 0, &styles.Theme{}); err != nil {
		t.Fatal(err)
	}
	const want = "a n\nnull 1\n\"\" 22\n 333\nx null\n"
	if diff := cmp.Diff(want, testkit.OneBlank(out.String())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The one table that is compared blank for blank: numbers end under each other, wide characters
// take two cells, and nothing stands behind the last cell.
func TestATableIsSetInColumns(t *testing.T) {
	table, err := lists.Parse([]byte(`[
		{"Name":"東京の名簿","Owner":"ann@x.example","n":1,"note":null},
		{"Name":"Board","Owner":"","n":22},
		{"Name":"Plans of the harbour","Owner":"bo@x.example","n":-333,"note":"x"}]`))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, width := range []int{0, 30} {
		if _, err := recordTable(table, lists.View{}, nil).write(t.Context(), &out, width, &styles.Theme{}); err != nil {
			t.Fatal(err)
		}
		out.WriteString("--\n")
	}
	testkit.Golden(t, "cli/table", out.String())
}

func TestATableFitsAnyWidth(t *testing.T) {
	table, err := lists.Parse([]byte(`[{"Id":"` + strings.Repeat("x", 50) + `","empty":null,"n":12345,"Name":"` + strings.Repeat("日本", 30) + `","last":"z"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for width := 1; width < 200; width++ {
		var out bytes.Buffer
		hidden, err := recordTable(table, lists.View{}, nil).write(t.Context(), &out, width, &styles.Theme{})
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

func TestTheFormatIsATableOnATerminalAndJSONElsewhere(t *testing.T) {
	d := demoDesk(t)
	d.login("ben@harbor.example")
	if got := d.mustRun("domains"); !json.Valid([]byte(got)) {
		t.Errorf("piped: %s", got)
	}
	d.terminal = 80
	if got := testkit.OneBlank(d.mustRun("domains")); !strings.HasPrefix(got, "\x1b[1mDomain\x1b[m\nharbor.example primary\n") {
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

func TestATableForATerminalWithoutUnicodeHasASCIISigns(t *testing.T) {
	g := &textTable{titles: []string{"name"}, rows: 1, row: func(_ int, take func(int, tableCell)) {
		take(0, tableCell{kind: lists.String, text: "a name that is longer than the terminal is wide"})
	}}
	for ascii, want := range map[bool]string{true: "name\na name that~\n", false: "name\na name that…\n"} {
		var out strings.Builder
		theme := &styles.Theme{Options: styles.Options{ASCII: ascii}}
		if _, err := g.write(t.Context(), &out, 12, theme); err != nil || out.String() != want {
			t.Errorf("ASCII %v: %q, %v", ascii, out.String(), err)
		}
	}
}
