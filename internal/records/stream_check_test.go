package records

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/jsonscan"
)

// checkStream fails if a stream of pieces of those sizes ends otherwise than Parse, or
// shows on its way what it should not.
func checkStream(t *testing.T, body []byte, sizes []byte) {
	t.Helper()
	want, wantErr := Parse(body)
	s := NewStream(int64(len(body)))
	if len(sizes)%2 == 1 {
		s = NewStream(-1)
	}
	var tables []*Table
	n, err := s.ReadFrom(&piecesReader{body: body, sizes: sizes, before: func() { tables = append(tables, s.Table()) }})
	if wantErr != nil {
		var got *jsonscan.SyntaxError
		if !errors.As(err, &got) || !cmp.Equal(error(got), wantErr) {
			t.Fatalf("error of %q: %v, want %v", body, err, wantErr)
		}
		return
	}
	if err != nil || n != int64(len(body)) {
		t.Fatalf("%d of %d bytes of %q read, error %v", n, len(body), body, err)
	}
	got := s.Table()
	if diff := cmp.Diff(want.records, got.records); diff != "" {
		t.Fatalf("records of %q (-want +got):\n%s", body, diff)
	}
	if diff := cmp.Diff(want.columns.paths, got.columns.paths); diff != "" || want.Truncated() != got.Truncated() {
		t.Fatalf("columns of %q (-want +got), truncated %t:\n%s", body, got.Truncated(), diff)
	}
	if diff := cmp.Diff(want.Message(), got.Message()); diff != "" {
		t.Fatalf("message of %q (-want +got):\n%s", body, diff)
	}
	move := recordsMove(body)
	for _, table := range tables {
		checkColumns(t, table)
		if !move {
			checkStart(t, table, got)
		}
	}
}

// checkColumns fails if a table has other columns than its rows.
func checkColumns(t *testing.T, table *Table) {
	t.Helper()
	want := newSchema()
	want.learnAll(table.body, table.records)
	if !slices.EqualFunc(want.paths, table.columns.paths, slices.Equal[path]) {
		t.Fatalf("columns of %d rows of %q: %q, want %q", table.Len(), table.body, table.columns.paths, want.paths)
	}
}

// checkStart fails if the rows that were shown are not the first ones in the end.
func checkStart(t *testing.T, shown, final *Table) {
	t.Helper()
	if shown.Len() > final.Len() {
		t.Fatalf("%d rows of %q shown, which has %d", shown.Len(), final.body, final.Len())
	}
	for row := range shown.records {
		if !bytes.Equal(shown.Record(row), final.Record(row)) {
			t.Fatalf("row %d of %q shown as %q", row, final.body, shown.Record(row))
		}
	}
}

// recordsMove reports whether other values than the records of a valid body are taken
// for them before it is complete.
func recordsMove(body []byte) bool {
	values, _ := plainScan(body)
	switch first := values[0].Of(body); first[0] {
	case '[':
		return len(values) > 1
	case '{':
		arrays := 0
		for member := range jsonscan.Items(first, 0) {
			if first[member.Value.Start] == '[' {
				arrays++
			}
		}
		return arrays > 1 || arrays == 1 && len(values) > 1
	default:
		return false
	}
}

func plainRecordsOf(t *testing.T, body []byte) []jsonscan.Span {
	t.Helper()
	records, _, _, err := plainParse(body)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// checkCut fails if of a valid body with those records, cut off at end, others are
// kept than those that are complete there.
func checkCut(t *testing.T, body []byte, all []jsonscan.Span, end int) {
	t.Helper()
	want := CutError{Bytes: int64(end), Expected: -1, Err: errors.New("cut")}
	for _, record := range all {
		if record.End < end || record.End == end && !jsonscan.IsDigit(body[end-1]) {
			want.Rows++
		} else if record.Start < end {
			want.Inside = fmt.Sprintf("inside record %d", want.Rows+1)
		}
	}
	s := NewStream(-1)
	_, err := s.ReadFrom(io.MultiReader(bytes.NewReader(body[:end]), readerFunc(func([]byte) (int, error) { return 0, want.Err })))
	var got *CutError
	if !errors.As(err, &got) || !errors.Is(err, want.Err) {
		t.Fatalf("%q cut at %d: error %v, want a *CutError", body, end, err)
	}
	if got.Inside == "inside record 1" && beginsObject(body) {
		want.Inside = got.Inside // so far, the envelope may be the record
	}
	if diff := cmp.Diff(want, *got, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Err" }, cmp.Ignore())); diff != "" {
		t.Fatalf("%q cut at %d (-want +got):\n%s", body, end, diff)
	}
	table := s.Table()
	if table.Len() != want.Rows {
		t.Fatalf("%q cut at %d: %d rows, want %d", body, end, table.Len(), want.Rows)
	}
	for row := range table.records {
		if !bytes.Equal(table.Record(row), all[row].Of(body)) {
			t.Fatalf("%q cut at %d: row %d is %q", body, end, row, table.Record(row))
		}
	}
}

func beginsObject(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(body, []byte(jsonscan.ByteOrderMark))), []byte("{"))
}

func rowsOf(table *Table) []string {
	var rows []string
	for row := range table.Len() {
		rows = append(rows, string(table.Record(row)))
	}
	return rows
}

func randomSizes(random *rand.Rand) []byte {
	sizes := make([]byte, random.IntN(5))
	for i := range sizes {
		sizes[i] = byte(random.IntN(1 << random.IntN(9)))
	}
	return sizes
}

// piecesReader reads a body in pieces of those sizes, again and again; without any, at once.
type piecesReader struct {
	body   []byte
	sizes  []byte
	next   int
	before func() // is called before every piece
}

func (r *piecesReader) Read(p []byte) (int, error) {
	if r.before != nil {
		r.before()
	}
	if len(r.body) == 0 {
		return 0, io.EOF
	}
	if len(r.sizes) > 0 {
		p = p[:min(len(p), max(1, int(r.sizes[r.next%len(r.sizes)])))]
		r.next++
	}
	n := copy(p, r.body)
	r.body = r.body[n:]
	if len(r.body) == 0 && r.next%2 == 1 {
		return n, io.EOF // both at once, as readers may
	}
	return n, nil
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
