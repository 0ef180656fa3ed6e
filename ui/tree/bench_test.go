package tree

import (
	"strings"
	"testing"
)

// huge is a record of 100 MB: an array of small objects.
func huge() []byte {
	one := `{"Id":"b5c1a0","Size":[1,2,3],"Name":"Quay \u00e9","Deleted":false,"Usage":9223372036854775807},`
	return []byte("[" + strings.Repeat(one, 100<<20/len(one)) + "0]")
}

func BenchmarkOpenHugeRecord(b *testing.B) {
	raw := huge()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		m, cmd := Open(b.Context(), dark(), raw, atOnce)
		finish(m, cmd)
	}
}

func BenchmarkSearchHugeRecord(b *testing.B) {
	raw := huge()
	m, cmd := Open(b.Context(), dark(), raw, atOnce)
	finish(m, cmd)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		finish(m, m.find("nowhere"))
	}
}

// A key in a huge record: to unfold a group of 10,000 values, and a frame.
func BenchmarkUnfoldInHugeRecord(b *testing.B) {
	m, cmd := Open(b.Context(), dark(), huge(), atOnce)
	finish(m, cmd)
	draw(m, 120, 40)
	for b.Loop() {
		m.cursor.MoveTo(1)
		m.selected().children = nil
		m.toggle()
		draw(m, 120, 40)
		m.toggle()
	}
}

func BenchmarkOpenMegabyte(b *testing.B) {
	raw := huge()[:openedAtOnce]
	raw = append(raw[:strings.LastIndexByte(string(raw), '}')+1], ']')
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		m, cmd := Open(b.Context(), dark(), raw, atOnce)
		finish(m, cmd)
		draw(m, 120, 40)
	}
}

func BenchmarkViewAfterCursorMove(b *testing.B) {
	m, cmd := Open(b.Context(), dark(), huge(), atOnce)
	finish(m, cmd)
	m.cursor.MoveTo(1)
	m.toggle()
	finish(m, m.find("quay"))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.cursor.MoveTo(i % len(m.rows))
		draw(m, 120, 40)
	}
}

// The dearest key: to unfold everything.
func BenchmarkUnfoldAll(b *testing.B) {
	one := `{"Id":"b5c1a0","List":[` + strings.Repeat(`{"a":1},`, 1000) + `0]},`
	m := open(b, "["+strings.Repeat(one, 400)+"0]")
	for b.Loop() {
		m.foldAll()
		m.root.children = nil
		m.unfold(maxUnfolded)
	}
}
