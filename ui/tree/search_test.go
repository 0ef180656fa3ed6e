package tree

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/testkit"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

func open(t testing.TB, doc string) *Model { return openIn(t, dark(), doc) }

func openIn(t testing.TB, theme *styles.Theme, doc string) *Model {
	t.Helper()
	return Open(theme, []byte(doc))
}

// enter types keys, one each, as the root of the UI would deal them out.
func enter(t *testing.T, m *Model, keys ...string) {
	t.Helper()
	for _, key := range keys {
		if a, ok := screen.FindAction(screen.DefaultKeys().Fill(m.Actions()), key, m.Typing()); ok {
			if a.Enabled() {
				a.Run()
			}
			continue
		}
		if !m.Typing() {
			t.Fatalf("nothing is bound to %q", key)
		}
		m.Update(tea.KeyPressMsg{Code: []rune(key)[0], Text: key})
	}
}

// seek searches for a word.
func seek(t *testing.T, m *Model, word string) {
	t.Helper()
	enter(t, m, "/")
	m.Update(tea.PasteMsg{Content: word})
	enter(t, m, "enter")
}

const harbour = `{"Name":"Quay 7","Owner":{"Name":"Lars","Mail":"LARS@harbor.example"},"Ids":[1,17,{"lars":null,"b":"\u006cars"}],"Last":"x"}`

func TestSearchGoesFromMatchToMatchAndRound(t *testing.T) {
	m := open(t, harbour)
	enter(t, m, "-")
	seek(t, m, "lars")
	visited := []string{}
	for range 5 {
		visited = append(visited, here(m)+": "+m.tally())
		enter(t, m, "n")
	}
	want := []string{"Owner.Name: 1 of 4", "Owner.Mail: 2 of 4", "Ids[2].lars: 3 of 4", "Ids[2].b: 4 of 4", "Owner.Name: 1 of 4"}
	if diff := cmp.Diff(want, visited); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	enter(t, m, "N")
	if here(m) != "Owner.Name" {
		t.Errorf("back from the second match is %q", here(m))
	}
	enter(t, m, "N")
	if here(m) != "Ids[2].b" {
		t.Errorf("back from the first match is %q, not the last", here(m))
	}
	enter(t, m, "G")
	if got := m.tally(); got != "4 found" {
		t.Errorf("beside the matches stands %q", got)
	}
	enter(t, m, "esc")
	if m.search.words != nil || strings.Contains(draw(m, 60, 10), "search") {
		t.Error("esc does not end the search")
	}
}

func TestSearchBeginsAtTheCursorAndFollowsTyping(t *testing.T) {
	m := open(t, harbour)
	enter(t, m, "G", "k", "k", "/", "l")
	if here(m) != "Ids[2].lars" {
		t.Errorf("the first match behind the cursor is %q", here(m))
	}
	enter(t, m, "q", "u")
	if m.tally() != "nothing found" {
		t.Errorf("tally %q", m.tally())
	}
	if !m.Typing() {
		t.Error("letters are keys while a word is typed")
	}
	enter(t, m, "esc", "/", "u", "a", "y")
	if here(m) != "Name" {
		t.Errorf("the search does not go round: it is at %q", here(m))
	}
}

func TestMatchesAreMarked(t *testing.T) {
	m := open(t, harbour)
	enter(t, m, "+")
	seek(t, m, "LARS")
	testkit.Golden(t, "tree-search", strings.ReplaceAll(draw(m, 60, 14), "\x1b", "␛")+"\n")
	for _, size := range [][2]int{{80, 24}, {40, 10}, {13, 3}, {5, 2}, {3, 1}} {
		checkFrame(t, draw(m, size[0], size[1]), size[0], size[1])
	}
}

func TestWhatIsMaskedIsNotSearched(t *testing.T) {
	m := maskTokens(open(t, login))
	for word, want := range map[string]string{"t0": "nothing found", "s3c": "nothing found", "s1de": "nothing found", "token": "3 found", "null": "1 found", "7": "1 found"} {
		seek(t, m, word)
		enter(t, m, "g")
		if got := m.tally(); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
	m.Reveal(true)
	if m.search.words != nil {
		t.Error("what was found while values were masked stays")
	}
	seek(t, m, "s1de")
	if here(m) != "Users[1].Token.in" {
		t.Errorf("what is revealed is not found: the cursor is at %q", here(m))
	}
}
