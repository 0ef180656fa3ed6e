package screen

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestCellsAreCountedAsTheLibraryCounts compares with the library, on texts of characters on which
// terminals agree.
func TestCellsAreCountedAsTheLibraryCounts(t *testing.T) {
	pieces := []string{
		"a", "Z", " ", "1", "#", "~", "│", "─", "╭", "╯", "▀", "…", "‥", "é", "ø", "·", "★", "⠋", "→", "✓", "e\u0301", "\u0301", "\ufe0f", "\u20e3",
		"日", "👨", "🇩", "\x1b[m", "\x1b[38;5;248m", "\x1b[1;4:3m", "\x1b[2J", "\x1b]8;;https://a.example\x1b\\", "\t", "\n", "\r", "\x7f",
	}
	for range 200_000 {
		var b strings.Builder
		few := 1 + rand.N(len(pieces))
		for range rand.N(6) {
			b.WriteString(pieces[rand.N(few)])
		}
		text := b.String()
		if got, want := Cells(text), ansi.StringWidth(text); got != want {
			t.Fatalf("%q takes %d cells, want %d", text, got, want)
		}
	}
}

func TestTextThatIsCutSaysSoOnce(t *testing.T) {
	const seven, eight = "7\ufe0f\u20e3", "8\ufe0f\u20e3" // of two cells each
	texts := append(AtMost(wrapped([]Happened{{Drawn: "a domain, a token and a device"}}, 11), 2, 11), Cut(seven+" "+eight+" piers", 6), Wrap("pier "+seven+eight, 8), Wrap("pier"+strings.Repeat(" ", 9)+"- two", 8))
	if got := strings.Join(texts, "|"); got != "a domain, a|token and …|"+seven+" "+eight+"…|pier\n"+seven+eight+"|pier\n- two" {
		t.Errorf("the texts are cut to %q", got)
	}
}

func TestALineEndsBetweenWordsAlone(t *testing.T) {
	if got := Wrap("no answer came within 30 s. This", 25); got != "no answer came within\n30 s. This" {
		t.Errorf("a number and its unit are %q", got)
	}
	const text = "ends 2026-11-28 at bay-2.pier-side.example for ann-lee@harbor.example by e-mail or sign-in"
	words := strings.Fields(text)
	for width := 26; width < 100; width++ {
		for line := range strings.SplitSeq(Wrap(text, width), "\n") {
			for _, word := range strings.Fields(line) {
				if !slices.Contains(words, word) {
					t.Errorf("in %d cells a line ends in %q", width, word)
				}
			}
		}
	}
	if got := Wrap("a-word-that-is-wider", 8); strings.ReplaceAll(got, "\n", "") != "a-word-that-is-wider" {
		t.Errorf("a word that is wider than a line is %q", got)
	}
}

func TestTheScreenBesideABoxGetsNoWider(t *testing.T) {
	const line = "a bcdef日7\ufe0f\u20e3 8\ufe0f\u20e3" // the box ends amid a character
	b := box{place: place{x: 3, width: 5, height: 1}}
	b.dim(dark, line, 1)
	if got, most := Cells(b.left[0])+b.width+Cells(b.right[0]), Cells(line); got > most {
		t.Errorf("%q takes %d cells with a box, and %d without", line, got, most)
	}
}
