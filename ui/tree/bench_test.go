package tree

import (
	"strings"
	"testing"
)

// large is a record of almost a megabyte: an array of small objects.
func large() []byte {
	one := `{"Id":"b5c1a0","Size":[1,2,3],"Name":"Quay \u00e9","Deleted":false,"Usage":9223372036854775807},`
	return []byte("[" + strings.Repeat(one, maxBytes/len(one)-1) + "0]")
}

func BenchmarkOpenMegabyte(b *testing.B) {
	raw := large()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		draw(Open(dark(), raw), 120, 40)
	}
}

// A key in the search line.
func BenchmarkSearchMegabyte(b *testing.B) {
	raw := large()
	m := maskTokens(Open(dark(), raw))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		m.find("nowhere")
	}
}

func BenchmarkViewAfterCursorMove(b *testing.B) {
	m := Open(dark(), large())
	m.find("quay")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.cursor.MoveTo(i % len(m.rows))
		draw(m, 120, 40)
	}
}

// The dearest key: to unfold everything.
func BenchmarkUnfoldAll(b *testing.B) {
	m := Open(dark(), large())
	for b.Loop() {
		m.foldAll()
		m.root.children = nil
		m.unfold(maxUnfolded)
	}
}
