package records

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestFilterFindsWhatAPlainSearchFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	queries := strings.Split(`a A n nn k s i ki sk ſ K İ istanbul kelvin sharp 東 東京 京 "} } , : { \\ / u 0 1 5e 123 true e null text },{ longer ann ,0 0, :0 0} [0 :t e, "a a"`, " ")
	queries = append(queries, "ann text", "a 1", "\xff", "\xe6", "\uFFFD", "\uFFFDa", "a\uFFFD", "\x01", "Ø", "ø", "ΟΔΟΣ", "\x9d")
	for range 500 {
		body := randomBody(random)
		if random.IntN(3) == 0 {
			body = []byte(strings.ReplaceAll(string(body), "東京", "\xe6\x9dØ \xffodoς \xe6a"))
		}
		table, err := Parse(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, query := range queries {
			checkQuery(t, table, query, nil)
			checkQuery(t, table, query, someRows(random, table.Len()))
		}
	}
}

func FuzzSearch(f *testing.F) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, query := range []string{"a", "kelvin", "東京", "İs", "\xff", "\"", "1"} {
		f.Add(randomBody(random), query)
	}
	f.Fuzz(func(t *testing.T, body []byte, query string) {
		table, err := Parse(body)
		if err != nil {
			return
		}
		checkQuery(t, table, query, nil)
	})
}

func TestEveryRuneIsASpellingOfItsFold(t *testing.T) {
	for r := range rune(utf8.MaxRune + 1) {
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

// someRows returns rows in any order, some of them more than once.
func someRows(random *rand.Rand, n int) []int32 {
	rows := []int32{}
	for range n {
		first := random.IntN(n)
		for row := first; row < min(n, first+random.IntN(5)); row++ {
			rows = append(rows, int32(row))
		}
	}
	return rows
}

func (t *Table) allRows() []int32 {
	rows := make([]int32, t.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}
