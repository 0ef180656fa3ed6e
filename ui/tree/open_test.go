package tree

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/secret"
	"gatehouse/ui/screen"
)

func TestWhatIsTooMuchForATreeIsShownAsText(t *testing.T) {
	deep := strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1)
	long := `["` + strings.Repeat("x", maxBytes) + `"]`
	for doc, why := range map[string]string{
		deep: "the nesting is too deep", long: "1.0 MB is too long", "[" + strings.Repeat("1,", maxValues+1) + "0]": "there are too many values",
	} {
		m := open(t, doc)
		m.Whole = "An export has all of it."
		shown := draw(m, 60, 5)
		checkFrame(t, shown, 60, 5)
		if want := "! Shown as text: " + why + " for a tree."; !strings.HasPrefix(ansi.Strip(shown), want) || !strings.Contains(ansi.Strip(shown), "\n[") || !strings.Contains(shown, "export") {
			t.Errorf("want %s:\n%s", want, shown)
		}
		if maskTokens(m); strings.Contains(ansi.Strip(draw(m, 60, 5)), "[") {
			t.Errorf("what may be a secret is shown:\n%s", draw(m, 60, 5))
		}
		if text := m.value(m.at()); text != secret.Mask {
			t.Errorf("what may be a secret can be copied: %.40q", text)
		}
	}
	fits := open(t, strings.Repeat("[", maxDepth)+strings.Repeat("]", maxDepth))
	if press(t, fits, "+", "G"); len(fits.rows) != maxDepth {
		t.Errorf("%d rows of %d levels", len(fits.rows), maxDepth)
	}
	seek(t, open(t, strings.Repeat(`[1,{"a":`, maxDepth/2)+`"needle"`+strings.Repeat("}]", maxDepth/2)), "needle")
}

func TestCopyingTheValueThePathAndTheWhole(t *testing.T) {
	m := maskTokens(open(t, login))
	copied := []string{}
	m.Copy = func(text, what string) tea.Cmd {
		copied = append(copied, what+": "+text)
		return nil
	}
	m.CopyDocument = func(text, what string) tea.Cmd { return m.Copy(text, "the document "+what) }
	m.Name = "the answer"
	for range 2 {
		press(t, m, "j")
	}
	press(t, m, "y", "Y", "k", "Y", "ctrl+y")
	m.RevealAction = screen.DeviceReveal
	if a, _ := screen.FindAction(screen.DefaultKeys().Fill(m.Actions()), "y", false); a.Reason != "it is masked; press * first" {
		t.Errorf("a masked value: %q", a.Reason)
	}
	want := []string{
		"Key: null", "the path Key: Key", "the path Token: Token",
		`the document the answer: {"Token":"•••","Key":null,"Users":[{"Token":"•••","Id":7},{"Token":"•••"}],"Id":1}`,
	}
	if diff := cmp.Diff(want, copied); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	press(t, m, "g")
	if a, _ := screen.FindAction(screen.DefaultKeys().Fill(m.Actions()), "Y", false); a.Reason != "select a field first" {
		t.Errorf("the path of the root: %q", a.Reason)
	}
	long := open(t, `["`+strings.Repeat("x", maxCopied)+`"]`)
	long.Copy, long.CopyDocument = m.Copy, m.CopyDocument
	for _, key := range []string{"y", "ctrl+y"} {
		if a, _ := screen.FindAction(screen.DefaultKeys().Fill(long.Actions()), key, false); a.Reason != "1.0 MB is too long for the clipboard" {
			t.Errorf("%s: %q", key, a.Reason)
		}
	}
}

func TestRemarksStandBehindValues(t *testing.T) {
	m := maskTokens(open(t, `{"Usage":{"Disk":1200000000,"list":[5]},"Token":12,"long":"`+strings.Repeat("y", 40)+`"}`))
	asked := []string{}
	m.Remark = func(path []string, raw string) string {
		asked = append(asked, strings.Join(path, "/")+"="+raw[:1])
		if path[len(path)-1] == "Disk" {
			return "1.2\x1b GB"
		}
		return "something"
	}
	want := []string{
		"▌▾ {3}", "   ▾ Usage: {2}", "       Disk: 1200000000  1.2␛ GB", "     ▾ list: [1]",
		"         [0] 5  something", "     Token: •••", `     long: "` + strings.Repeat("y", 26) + "…\"",
	}
	if diff := cmp.Diff(want, lines(m, 40, 7)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Usage/Disk=1", "Usage/list/[0]=5", `long="`}, asked); diff != "" {
		t.Errorf("asked (-want +got)\n%s", diff)
	}
}

func TestWhatIsNoTextShowsAsItWasSent(t *testing.T) {
	for doc, want := range map[string]string{
		`"\ud800x"`: `▌  "\ud800x"`, `"\udc00\ud83d\ude00"`: `▌  "\udc00😀"`, `"\ud83d\n"`: `▌  "\ud83d␊"`,
		"\"a\xff\\t\"": `▌  "a‹\xff›␉"`, `"\\u00e9\/\""`: `▌  "\u00e9/""`, `"\u0000"`: `▌  "␀"`,
	} {
		if got := lines(open(t, doc), 40, 3); got[0] != want {
			t.Errorf("%s shows as %s, want %s", doc, got[0], want)
		}
	}
}

func TestNamesThatComeAgainAreMarked(t *testing.T) {
	m := openIn(t, plain(), `{"a":1,"b":2,"\u0061":{"x":1},"a":3,"":1,"":2}`)
	enter := lines(m, 40, 12)
	want := []string{"▌▾ {6}", "     a: 1", "     b: 2", "   ▾ a: {1}  (again)", "       x: 1", "     a: 3  (again)", `     "": 1`, `     "": 2  (again)`}
	if diff := cmp.Diff(want, enter); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestClicksAndTheWheel(t *testing.T) {
	m := open(t, nested)
	draw(m, 40, 10)
	for _, tt := range []struct {
		x, y int
		at   string
		rows int
	}{
		{10, 1, "a", 9}, {3, 1, "a", 6}, {4, 1, "a", 9}, {5, 2, "a.b", 7}, {2, 3, "e", 7}, {0, 9, "e", 7}, {0, -1, "e", 7},
	} {
		if clickOn(m, tt.x, tt.y); here(m) != tt.at || len(m.rows) != tt.rows {
			t.Errorf("click at %d,%d: cursor at %q, %d rows; want %q, %d", tt.x, tt.y, here(m), len(m.rows), tt.at, tt.rows)
		}
		draw(m, 40, 10)
	}
	seek(t, m, "f")
	draw(m, 40, 10)
	if clickOn(m, 0, 0); here(m) != "f" {
		t.Error("a click on the search line moves the cursor")
	}
	if clickOn(m, 9, 1); here(m) != "" {
		t.Errorf("a click below the search line is at %q", here(m))
	}

	m = open(t, "["+strings.Repeat("0,", 99)+"0]")
	draw(m, 40, 10)
	for _, tt := range []struct {
		lines, top int
		at         string
	}{{3, 3, "[2]"}, {-1, 2, "[2]"}, {1000, 91, "[90]"}, {-1000, 0, "[8]"}} {
		m.Wheel(tt.lines)
		draw(m, 40, 10)
		if m.cursor.Offset() != tt.top || here(m) != tt.at {
			t.Errorf("wheel by %d: top %d, cursor at %q; want %d, %q", tt.lines, m.cursor.Offset(), here(m), tt.top, tt.at)
		}
	}
}
