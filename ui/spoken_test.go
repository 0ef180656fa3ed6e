package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// forEyesAlone are texts of drawings, whole, that nobody has to hear: which key or click does what
// is said of what can be done, and a clock that runs is not said.
var forEyesAlone = []string{
	"who gets in, who doesn't, and why",
	"─ main authority ─",
	"↓ or a click fills one in",
	"space ticks it",
	"tab moves here",
	"* shows it, Y copies it",
	"enter to fill in the form",
	"m copy for the ticket   a log in with this device id",
	"y     replace the file",
	"esc   choose another name",
	"Since 12:00:00, 0s.",
}

// saidBefore are scenes in which nothing can be done but wait: what is drawn beside that was said
// before, or is said after.
var saidBefore = []string{"signing in", "an address being checked", "addresses being checked"}

// saidColumns is a width with room for the columns of which a list of records says the values.
const saidColumns = 56

// drawnWord is a word of a drawing; one that is cut is none.
var drawnWord = regexp.MustCompile(`[\pL\pN@.]{3,}…?`)

func TestAllThatAScreenShowsIsSaid(t *testing.T) {
	unseen := slices.Clone(forEyesAlone)
	for _, in := range scenes() {
		t.Run(in.name, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			d := in.play(t, s, in.ways[0])
			r := d.model.root
			shown := (&Spoken{root: r}).Screen()
			if r.modal() || slices.Contains(saidBefore, in.name) {
				return // what can be done is said in another way
			}
			said := allSaid(shown)
			width := spokenWidth
			if shown.View().Table != nil {
				width = saidColumns
			}
			shown.Settle(screen.Room{Width: width, Height: spokenHeight, Panes: true, Beside: width / 3})
			view := shown.View()
			drawn := ansi.Strip(view.Body.Draw(width, spokenHeight).String())
			isSeen := func(text string) bool { return strings.Contains(drawn, text) }
			unseen = slices.DeleteFunc(unseen, isSeen)
			heard := drawn
			for _, text := range forEyesAlone {
				heard = strings.ReplaceAll(heard, text, "")
			}
			listed, hasGrid := view.Marks.(*grid.Model)
			hearsWholeRows := view.Table == nil // a record is said whole when it is opened
			if hasGrid && hearsWholeRows && listed.Len() > 0 {
				wantRowsSaid(t, listed, shown)
				heard = withoutHeadings(heard, listed)
			}
			if view.Rows != nil && !r.typing() {
				d.Press("enter") // what stands below the rows is said of the one that is opened
				opened := screen.Said((&Spoken{root: r}).Screen())
				said += "\n" + strings.Join(slices.Collect(opened), "\n")
			}
			wantWordsSaid(t, heard, said)
			if t.Failed() {
				t.Logf("drawn:\n%s\nsaid:\n%s", drawn, said)
			}
		}))
	}
	if len(unseen) > 0 && !t.Failed() {
		t.Errorf("no scene draws %q", unseen)
	}
}

// wantWordsSaid checks that the words of a drawing are said. A null of JSON may be said as nothing.
func wantWordsSaid(t *testing.T, drawn, said string) {
	t.Helper()
	said = strings.ReplaceAll(strings.ToLower(said), ": nothing.", ": null.")
	for _, word := range drawnWord.FindAllString(drawn, -1) {
		plain := strings.ToLower(strings.Trim(word, "."))
		if !strings.HasSuffix(word, "…") && !strings.Contains(said, plain) {
			t.Errorf("%q is drawn and not said", word)
		}
	}
}

// valueWord is a word of a value, however short.
var valueWord = regexp.MustCompile(`[\pL\pN@.]+`)

// wantRowsSaid checks that each value of a grid is said of its row, or by the screen of all rows. A
// column is therefore said as soon as it has a value.
func wantRowsSaid(t *testing.T, listed *grid.Model, shown screen.Screen) {
	t.Helper()
	ofAll := strings.Join(slices.Collect(screen.Said(shown)), "\n")
	for at := range listed.Len() {
		said := shown.View().Rows.SayRow(at) + "\n" + ofAll
		words := valueWord.FindAllString(strings.ToLower(said), -1)
		for i, word := range words {
			words[i] = strings.TrimRight(word, ".")
		}
		for column, cell := range listed.Row(at) {
			if cell.State != grid.Value {
				continue
			}
			value := strings.ToLower(cell.Text + " " + cell.Unit)
			for _, word := range valueWord.FindAllString(value, -1) {
				if !slices.Contains(words, word) {
					t.Errorf("row %d, %s: %q is not said in %q", at, column.Heading, word, said)
				}
			}
		}
	}
}

// withoutHeadings returns a drawing of a grid without the line above its columns.
func withoutHeadings(drawn string, listed *grid.Model) string {
	var headings []string
	for column := range listed.Row(0) {
		headings = append(headings, strings.Fields(column.Heading)...)
	}
	lines := strings.Split(drawn, "\n")
	isHeadings := func(line string) bool { return slices.Equal(strings.Fields(line), headings) }
	return strings.Join(slices.DeleteFunc(lines, isHeadings), "\n")
}

// allSaid is all that is said of a screen: its sentences, its rows, and what it asks.
func allSaid(s screen.Screen) string {
	texts := []string{s.View().Title}
	for text := range screen.Said(s) {
		texts = append(texts, text)
	}
	view := s.View()
	if view.Rows != nil {
		for at := range view.Rows.Len() {
			texts = append(texts, view.Rows.SayRow(at))
		}
	}
	if asked, ok := view.Form.(interface{ Said() string }); ok {
		texts = append(texts, asked.Said())
	}
	return strings.Join(texts, "\n")
}
