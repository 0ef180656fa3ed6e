package tree

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"gatehouse/ui/screen"
)

func TestALongDocumentIsReadByACommand(t *testing.T) {
	doc := []byte(`{"a":"` + strings.Repeat("x", openedAtOnce) + `","b":1}`)
	m, cmd := Open(t.Context(), dark(), doc, atOnce)
	if cmd == nil || len(m.Actions()) > 0 || !strings.Contains(draw(m, 40, 5), "reading 1.0 MB…") {
		t.Fatalf("it is not waited for:\n%s", draw(m, 40, 5))
	}
	checkFrame(t, draw(m, 12, 3), 12, 3)
	late := cmd()
	finish(m, func() tea.Msg { return late })
	if got := lines(m, 30, 5); len(got) != 3 || !strings.HasPrefix(got[0], "▌▾ {2}") {
		t.Errorf("%q", got)
	}
	other := open(t, harbour)
	other.Update(late)
	if here(other); other.root.size() != 4 {
		t.Error("a tree takes the document of another")
	}
	m, cmd = Open(t.Context(), dark(), doc, atOnce)
	m.Close()
	if msg := cmd(); msg != nil {
		t.Errorf("a tree that was closed answers %T", msg)
	}
}

// The nodes of huge containers are made in groups, of which each is unfolded in
// a time that does not depend on the rest.
func TestHugeContainersAreShownInGroups(t *testing.T) {
	var members strings.Builder
	for i := range 25_000 {
		fmt.Fprintf(&members, `,"m%d":%d`, i, i)
	}
	large := `"` + strings.Repeat("z", 2<<20) + `"`
	m := open(t, `{"list":[`+strings.Repeat("1,", 24_999)+`0],"named":{`+members.String()[1:]+`},"mixed":[1,2,`+large+`,3]}`)
	enter(t, m, "j", "enter")
	want := []string{" ▾ {3}", "▌  ▾ list: [25000]", "     ▸ [0 … 9999]", "     ▸ [10000 … 19999]", "     ▸ [20000 … 24999]", "   ▸ named: {25000}", "   ▾ mixed: [4]"}
	if diff := cmp.Diff(want, lines(m, 40, 7)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	seek(t, m, "m24999")
	if path, text := m.Value(); path != "named.m24999" || text != "24999" {
		t.Errorf("found %s, %s", path, text)
	}
	if got := lines(m, 40, 40); !strings.Contains(strings.Join(got, "\n"), "members 20,001 … 25,000") && len(got) < 30 {
		t.Errorf("%q", got)
	}
	enter(t, m, "esc", "G")
	if path, text := m.Value(); path != "mixed[3]" || text != "3" {
		t.Errorf("behind a large value stands %s, %s", path, text)
	}
	checkExact(t, m)
}

func TestTheDeepestMatchIsReached(t *testing.T) {
	const levels = 20_000
	m := open(t, strings.Repeat(`[1,{"a":`, levels/2)+`"needle"`+strings.Repeat("}]", levels/2))
	enter(t, m, "-")
	seek(t, m, "needle")
	if got := m.tally(); got != "1 of 1" {
		t.Errorf("%s; the cursor is at depth %d", got, m.selected().depth)
	}
	checkFrame(t, draw(m, 40, 10), 40, 10)
}

// Many containers inside each other, many times, have too many outlines.
func TestAnIntricateDocumentIsShownAsText(t *testing.T) {
	chain := strings.Repeat("[", maxDepth-1) + `"` + strings.Repeat("x", leastOutlined) + `"` + strings.Repeat("]", maxDepth-1)
	m := open(t, "["+strings.Repeat(chain+",", maxOutlines/maxDepth)+chain+"]")
	if got := lines(m, 60, 3); !strings.HasPrefix(got[0], "▌  Nested too deeply, shown as text: [[[") {
		t.Errorf("%q", got)
	}
}

func TestAHugeDocumentCostsLittleBesideItsText(t *testing.T) {
	doc := []byte("[" + strings.Repeat(`{"Id":"b5c1","Size":[1,2,3],"Name":"x"},`, 500_000) + "0]")
	runtime.GC()
	var m *Model
	bytes := allocated(func() {
		var cmd tea.Cmd
		m, cmd = Open(t.Context(), dark(), doc, atOnce)
		finish(m, cmd)
		draw(m, 80, 24)
	})
	if bytes > uint64(len(doc)/20) {
		t.Errorf("%d bytes beside a document of %d", bytes, len(doc))
	}
	if got := allocated(func() { enter(t, m, "j", "enter"); draw(m, 80, 24) }); got > 8<<20 {
		t.Errorf("%d bytes to unfold one group", got)
	}
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
	m.RevealAction = "device.reveal"
	if a, _ := screen.FindAction(screen.DefaultKeys().Fill(m.Actions()), "y", false); a.Reason != "it is masked; press v first" {
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
	press(t, long, "j")
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
		hit  bool
		at   string
		rows int
	}{
		{10, 1, true, "a", 9}, {3, 1, true, "a", 6}, {4, 1, true, "a", 9}, {5, 2, true, "a.b", 7}, {2, 3, true, "e", 7}, {0, 9, false, "e", 7}, {0, -1, false, "e", 7},
	} {
		if hit := m.Click(tt.x, tt.y); hit != tt.hit || here(m) != tt.at || len(m.rows) != tt.rows {
			t.Errorf("click at %d,%d: %v, cursor at %q, %d rows; want %v, %q, %d", tt.x, tt.y, hit, here(m), len(m.rows), tt.hit, tt.at, tt.rows)
		}
		draw(m, 40, 10)
	}
	seek(t, m, "f")
	draw(m, 40, 10)
	if m.Click(0, 0); here(m) != "f" {
		t.Error("a click on the search line moves the cursor")
	}
	if m.Click(9, 1); here(m) != "" {
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
