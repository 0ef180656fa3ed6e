package browse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

// listOf is a list that shows records.
func listOf(t testing.TB, body string) *List {
	t.Helper()
	env := testEnv(t)
	env.State, env.Root = files.MemoryState(), new(uitest.Root)
	l := NewList(env, nil, Options{One: "share", Many: "shares"})
	table, err := lists.Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	l.latest = newSource(&origin{format: newCellFormat(env)}, table)
	l.arrange()
	return l
}

// openPicker makes a picker over columns as they are by default, one of which has no value.
func openPicker(t testing.TB) *columnPicker {
	return newColumnPicker(listOf(t, `[
		{"Name":"a","Disk":2000,"Owner":"ann@harbor.example","Created":"2024-05-01T03:40:56Z","日本語の欄とても長い名前":"x","Open":true,"Text\u001b[31m":null},
		{"Name":"b","Disk":3000,"Owner":"ben@harbor.example","Created":"2024-05-02T03:40:56Z","日本語の欄とても長い名前":"y","Open":false,"Text\u001b[31m":null}]`))
}

// pressOn types keys, which are actions or text for the field that has the focus.
func pressOn(t *testing.T, s screen.Screen, keys ...string) {
	t.Helper()
	for _, key := range keys {
		a, ok := screen.FindAction(screen.DefaultKeys().Fill(s.Actions()), key, s.View().Typing)
		switch {
		case ok && a.Enabled():
			a.Run()
		case s.View().Typing:
			s.Update(uitest.Key(t, key))
		default:
			t.Fatalf("%q does nothing now: %s", key, a.Reason)
		}
	}
}

// reason is why a key cannot work now.
func reason(t *testing.T, s screen.Screen, key string) string {
	t.Helper()
	a, ok := screen.FindAction(screen.DefaultKeys().Fill(s.Actions()), key, false)
	if !ok {
		t.Fatalf("nothing is bound to %q", key)
	}
	return a.Reason
}

// requireSizes checks that a screen has the size that was asked for.
func requireSizes(t *testing.T, s screen.Screen) {
	t.Helper()
	for width := 1; width <= 140; width += 1 + width/8 {
		for _, height := range []int{1, 2, 5, 6, 10, 40} {
			uitest.Box(t, fmt.Sprintf("%s at %dx%d", s.View().Title, width, height), uitest.Drawn(s, width, height), width, height)
		}
	}
}

func TestTheColumnPickerLooksAsRecorded(t *testing.T) {
	p := openPicker(t)
	pressOn(t, p, "j", "j", "space", "j")
	for _, size := range []struct{ width, height int }{{80, 24}, {40, 10}} {
		testkit.Golden(t, fmt.Sprintf("columns-%dx%d", size.width, size.height), ansi.Strip(uitest.Drawn(p, size.width, size.height))+"\n")
	}
	requireSizes(t, p)
}

func TestKeysChooseTheColumns(t *testing.T) {
	start := openPicker(t).result()
	swapped := func(at int) []int {
		order := append([]int(nil), start...)
		order[at], order[at+1] = order[at+1], order[at]
		return order
	}
	for keys, want := range map[string][]int{
		"":              start,
		"j space":       append([]int{start[0]}, start[2:]...),
		"j space space": start,
		"J":             swapped(0),
		"j j K":         swapped(1),
		"j space J d":   start,

		"/ o w n e r enter space": append([]int{start[0]}, start[2:]...),
	} {
		p := openPicker(t)
		if p.source.columns[start[1]].Key != "Owner" {
			t.Fatalf("the second column is %s", p.source.columns[start[1]].Key)
		}
		pressOn(t, p, strings.Fields(keys)...)
		if keys == "J" && p.current() != start[0] {
			t.Errorf("the cursor is on column %d, not on the one that was moved", p.current())
		}
		if diff := cmp.Diff(want, p.result()); diff != "" {
			t.Errorf("%q: the layout differs (-want +got):\n%s", keys, diff)
		}
	}
}

func TestTheLastColumnIsNotHidden(t *testing.T) {
	p := openPicker(t)
	p.load([]int{4})
	p.grid.Select(4)
	if reason(t, p, "space") == "" {
		t.Error("the last column can be hidden")
	}
	uitest.Drawn(p, 80, 24)
	for y := range 10 {
		if uitest.ClickOn(p, 80, 24, 1, y); p.countShown() == 0 {
			t.Fatal("clicks have hidden the last column")
		}
	}
}

func TestKeysSayWhyTheyCannotWork(t *testing.T) {
	p := openPicker(t)
	if reason(t, p, "K") == "" || reason(t, p, "J") != "" {
		t.Error("the first column can be moved up, or not down")
	}
	pressOn(t, p, "G")
	if reason(t, p, "J") == "" {
		t.Error("the last column can be moved down")
	}
	pressOn(t, p, "/", "z", "z")
	requireSizes(t, p)
	pressOn(t, p, "enter")
	for _, key := range []string{"space", "J", "K"} {
		if reason(t, p, key) == "" {
			t.Errorf("nothing is found, but %q works", key)
		}
	}
}

func TestClosingThePickerChangesTheList(t *testing.T) {
	for _, key := range []string{"enter", "esc", "c"} {
		p := openPicker(t)
		pressOn(t, p, "j", "space", key)
		if diff := cmp.Diff(p.result(), p.list.grid.Order()); diff != "" {
			t.Errorf("%s leaves another layout (-want +got):\n%s", key, diff)
		}
	}
}

func TestColumnsAreChosenOfAListThatHasOthersMeanwhile(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openShares(t, s, answers(`[{"Name":"a","Owner":"x","Size":1}]`, `[{"Owner":"y","Of":2}]`, `[{}]`), 100, 24)
		d.Press("r").Hurry("c")
		d.Press("down", "space", "esc").Expect("Of", "▌  2").Gone("Owner")
		d.Press("r", "b")
		requireSaid(d, "there is no column here")
	})
}

// A key and its frame have a millisecond, among 2,000 columns too.
func BenchmarkColumnPicker(b *testing.B) {
	var body strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&body, `,"Group%d.Member%d":"x%d"`, i/10, i, i)
	}
	p := newColumnPicker(listOf(b, "[{"+body.String()[1:]+"}]"))
	uitest.Drawn(p, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		p.move(1)
		p.refresh()
		p.Actions()
		uitest.Drawn(p, 120, 40)
	}
}
