package tree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/styles"
	"gatehouse/ui/screen"
)

func dark() *styles.Theme  { return styles.New(styles.Options{}) }
func plain() *styles.Theme { return styles.New(styles.Options{NoColor: true}) }

// press does what keys are bound to.
func press(t *testing.T, m *Model, keys ...string) {
	t.Helper()
	for _, key := range keys {
		a, ok := screen.FindAction(screen.DefaultKeys().Fill(m.Actions()), key, false)
		if !ok {
			t.Fatalf("nothing is bound to %q", key)
		}
		if cmd := a.Run(); cmd != nil {
			t.Fatalf("%s gave a command", a.Title)
		}
	}
}

// lines is the tree as a person sees it, without styles and trailing spaces.
func lines(m *Model, width, height int) []string {
	all := strings.Split(ansi.Strip(draw(m, width, height)), "\n")
	for i := range all {
		all[i] = strings.TrimRight(all[i], " ")
	}
	return slices.DeleteFunc(all, func(l string) bool { return l == "" })
}

// here is the path under the cursor.
func here(m *Model) string {
	return m.path(m.selected())
}

func TestEverythingShowsAsItWasSent(t *testing.T) {
	m := open(t, ` {"b": 1.50, "a": "x\u00e9\n\"y\"", "b": -0, "": 123456789012345678901234567890,
		"none": null, "yes": true, "no": false, "list": ["1", 1, []], "empty": {}, "name\t": "", "\ud83d\ude00": "\ud83c\udde9\ud83c\uddf0"} `)
	want := []string{
		`▌▾ {11}`,
		`     b: 1.50`,
		`     a: "xé␊"y""`,
		`     b: -0  (again)`,
		`     "": 123456789012345678901234567890`,
		`     none: null`,
		`     yes: true`,
		`     no: false`,
		`   ▾ list: [3]`,
		`       [0] "1"`,
		`       [1] 1`,
		`       [2] []`,
		`     empty: {}`,
		`     name␉: ""`,
		`     😀: "🇩🇰"`,
	}
	if diff := cmp.Diff(want, lines(m, 60, 20)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestScalarsAndOtherTextsAreOneLine(t *testing.T) {
	for doc, want := range map[string]string{
		`"text"`: `▌  "text"`, ` 12 `: `▌  12`, `null`: `▌  null`, `[]`: `▌  []`,
		`<html>`: `<html>`, `{"a":`: `{"a":`, `{"a":1} x`: `{"a":1} x`, ``: ``, "\x1b[2J": `␛[2J`,
	} {
		if got := strings.Join(lines(open(t, doc), 40, 5), "|"); got != want {
			t.Errorf("%q shows as %q, want %q", doc, got, want)
		}
	}
}

const nested = `{"a":{"b":{"c":1,"d":2}},"e":[3,4],"f":5}`

func TestFolding(t *testing.T) {
	tests := []struct {
		name string
		keys []string
		rows int
		at   string
	}{
		{"small documents begin unfolded", nil, 9, ""},
		{"left folds", []string{"down", "left"}, 6, "a"},
		{"left twice goes to the parent", []string{"down", "left", "left"}, 6, ""},
		{"left on a leaf goes to the parent", []string{"j", "j", "j", "h"}, 9, "a.b"},
		{"right unfolds", []string{"down", "left", "right"}, 9, "a"},
		{"right on an unfolded one goes in", []string{"right", "l", "l"}, 9, "a.b.c"},
		{"right on a leaf does nothing", []string{"G", "right"}, 9, "f"},
		{"enter folds and unfolds", []string{"enter", "space", "enter"}, 1, ""},
		{"enter on a leaf does nothing", []string{"G", "enter"}, 9, "f"},
		{"fold all goes up to what can be seen", []string{"j", "j", "j", "-"}, 4, "a"},
		{"unfold all stays", []string{"-", "j", "+"}, 9, "a"},
		{"folding further up keeps what is below", []string{"j", "j", "h", "k", "h", "l"}, 7, "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := open(t, nested)
			press(t, m, tt.keys...)
			if got := lines(m, 40, 20); len(got) != tt.rows || here(m) != tt.at {
				t.Errorf("%d rows, cursor at %q; want %d, %q\n%s",
					len(got), here(m), tt.rows, tt.at, strings.Join(got, "\n"))
			}
		})
	}
}

func TestOnlySmallDocumentsBeginUnfolded(t *testing.T) {
	member := func(n int) string { return fmt.Sprintf(`{"list":[%s0]}`, strings.Repeat("0,", n-1)) }
	for _, tt := range []struct{ elements, rows int }{{unfoldedAtFirst - 1, unfoldedAtFirst + 1}, {unfoldedAtFirst, 2}} {
		if got := len(open(t, member(tt.elements)).rows); got != tt.rows {
			t.Errorf("%d elements: %d rows, want %d", tt.elements, got, tt.rows)
		}
	}
	if got := len(open(t, "["+strings.Repeat("0,", 999)+"0]").rows); got != 1001 {
		t.Errorf("the root shows %d rows, want all of its elements", got)
	}
}

func TestUnfoldingEverythingHasALimit(t *testing.T) {
	wide := "[" + strings.Repeat("[0],", 20_000) + "[" + strings.Repeat("[1],", 50) + "1]]"
	m := open(t, wide)
	press(t, m, "+")
	if got := len(m.rows); got > 20_002+maxUnfolded {
		t.Errorf("%d rows", got)
	}
}

// draw is a tree as it is drawn in a size.
func draw(m *Model, width, height int) string {
	m.Settle(screen.Room{Width: width, Height: height})
	return m.Draw(width, height).String()
}

// clickOn clicks on a cell of a tree that has been settled.
func clickOn(m *Model, x, y int) { screen.ClickOn(m.Draw(m.width, m.height).Spots, x, y) }
