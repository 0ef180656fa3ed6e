package records

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"gatehouse/internal/jsonscan"
)

func TestCellsAreTheSameOnceTheKindsAreKnown(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	unique := 0
	for range 300 {
		table := mustParse(t, randomBody(random))
		before := make([][]Cell, table.Len())
		for row := range before {
			before[row] = table.Cells(row, nil)
		}
		if _, err := table.Kinds(t.Context()); err != nil {
			t.Fatal(err)
		}
		if table.kinds.unique.Load() {
			unique++
		}
		for row, cells := range before {
			for col, want := range cells {
				if got := table.Cell(row, col); !bytes.Equal(got.raw, want.raw) {
					t.Fatalf("row %d, column %d of %q is %q, want %q", row, col, table.body, got.raw, want.raw)
				}
			}
		}
	}
	if unique < 20 || unique > 280 {
		t.Errorf("%d of 300 bodies have no path twice, want some", unique)
	}
}

func TestAKeyIsToldFromANameBeforeItIsDecoded(t *testing.T) {
	names := []string{"", "a", "ab", "b", `\`, `\u0061`, `a\`, "é", "\uFFFD", "ü"}
	for _, quoted := range []string{`""`, `"a"`, `"ab"`, `"\u0061"`, `"\u0061b"`, `"\\"`, `"\\u0061"`, `"a\\"`, `"\u00e9"`, `"é"`, "\"\xff\"", `"\ud83d"`} {
		for _, name := range names {
			want := string(jsonscan.Unquote([]byte(quoted))) == name
			if end, got := jsonscan.MatchName([]byte(`{`+quoted+`:1}`), 1, name); got != want || end != 1+len(quoted) {
				t.Errorf("%s is %q: %t, up to %d; want %t, up to %d", quoted, name, got, end, want, 1+len(quoted))
			}
		}
	}
}
