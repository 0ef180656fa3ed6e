package ui

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// forEyesAlone are words of drawings that nobody has to hear: keys, and how much is to be seen.
var forEyesAlone = strings.Fields("esc enter tab space row of more who gets in and why not click fills one ticks it moves here null size try since them shows copies result 0s doesn't")

// saidBefore are scenes in which nothing can be done but wait: what is drawn beside that was said
// before, or is said after.
var saidBefore = []string{"signing in", "an address being checked", "addresses being checked"}

// saidColumns is a width with room for the columns of which a list of records says the values.
const saidColumns = 56

// drawnWord is a word of a drawing; one that is cut is none.
var drawnWord = regexp.MustCompile(`[\pL\pN@.]{3,}…?`)

func TestAllThatAScreenShowsIsSaid(t *testing.T) {
	for _, in := range scenes() {
		t.Run(in.name, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			d := in.play(t, s, in.ways[0])
			r := d.model.root
			shown := (&Spoken{root: r}).Screen()
			if r.modal() || slices.Contains(saidBefore, in.name) {
				return // what can be done is said in another way
			}
			said := allSaid(r, shown)
			width := spokenWidth
			if _, isTable := shown.(interface{ Columns() iter.Seq[string] }); isTable {
				width = saidColumns
			}
			if paned, ok := shown.(screen.Paned); ok {
				paned.Explained(true)
			}
			drawn := ansi.Strip(shown.Draw(width, spokenHeight))
			if _, isList := shown.(screen.Listed); isList && !r.typing() {
				d.Press("enter") // what stands below the rows is said of the one that is opened
				said += strings.Join(slices.Collect(screen.Said((&Spoken{root: r}).Screen())), "\n")
			}
			said = strings.ToLower(said)
			for _, word := range drawnWord.FindAllString(drawn, -1) {
				if plain := strings.ToLower(strings.Trim(word, ".")); !strings.HasSuffix(word, "…") && !strings.Contains(said, plain) {
					t.Errorf("%q is drawn and not said", word)
				}
			}
			if t.Failed() {
				t.Logf("drawn:\n%s\nsaid:\n%s", drawn, said)
			}
		}))
	}
}

// allSaid is all that is said of a screen: its sentences, its rows, what it asks, and what can be
// done.
func allSaid(r *root, s screen.Screen) string {
	texts := []string{strings.Join(forEyesAlone, " "), s.Title()}
	for text := range screen.Said(s) {
		texts = append(texts, text)
	}
	if listed, ok := s.(screen.Listed); ok {
		for at := range listed.Rows() {
			texts = append(texts, listed.SayRow(at))
		}
	}
	if asks, ok := s.(interface{ Asking() *form.Model }); ok && asks.Asking() != nil {
		texts = append(texts, asks.Asking().Said())
	}
	for _, a := range r.actions {
		texts = append(texts, a.Title, a.Description)
	}
	return strings.Join(texts, "\n")
}
