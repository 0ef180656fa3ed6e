package lists

import (
	"slices"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/testkit"
)

func TestEveryRuneIsASpellingOfItsFold(t *testing.T) {
	for r := range testkit.Runes(t, 0, utf8.MaxRune) {
		folded := FoldRune(r)
		if folded == r && unicode.SimpleFold(r) == r {
			continue // the one spelling of itself
		}
		if all := spellings(folded); !slices.Contains(all, r) {
			t.Errorf("%U folds to %U, which has the spellings %U only", r, folded, all)
		}
		if ends := lastBytes(folded); len(ends)+1 > len(byteFinder{}.next) {
			t.Errorf("%U ends in %d different bytes, more than are looked for", folded, len(ends))
		}
	}
}
