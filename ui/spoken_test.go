package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit/uitest"
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
			if shown.View().Table != nil {
				width = saidColumns
			}
			shown.Settle(screen.Room{Width: width, Height: spokenHeight, Panes: true, Beside: width / 3})
			view := shown.View()
			drawn := ansi.Strip(view.Body.Draw(width, spokenHeight).String())
			if view.Rows != nil && !r.typing() {
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
	texts := []string{strings.Join(forEyesAlone, " "), s.View().Title}
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
	for _, a := range r.actions {
		texts = append(texts, a.Title, a.Description)
	}
	return strings.Join(texts, "\n")
}
