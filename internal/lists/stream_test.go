package lists

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/jsonscan"
)

func TestEveryCutKeepsTheCompleteRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	bodies := [][]byte{[]byte("\uFEFF[1,23,{\"a\":4}]"), []byte("12"), []byte("null"), []byte(" 1 23\n\"x\"45 ")}
	for range 30 {
		bodies = append(bodies, randomBody(random))
	}
	for _, body := range bodies {
		if recordsMove(body) {
			continue
		}
		records := recordsOf(t, body)
		for end := range len(body) + 1 {
			checkCut(t, body, records, end)
		}
	}
}

func FuzzStream(f *testing.F) {
	random := rand.New(rand.NewPCG(13, 14))
	for _, body := range []string{"", " \n", "\uFEFF"} {
		f.Add([]byte(body), []byte{}, uint16(0))
	}
	bodies := 25
	if testkit.Long() {
		bodies = 200
	}
	for range bodies {
		body := randomBody(random)
		f.Add(body, randomSizes(random), uint16(random.IntN(300)))
		f.Add(spoil(random, body), randomSizes(random), uint16(0))
	}
	f.Fuzz(func(t *testing.T, body, sizes []byte, end uint16) {
		checkStream(t, body, sizes)
		if _, err := Parse(body); err == nil && !recordsMove(body) {
			checkCut(t, body, recordsOf(t, body), min(int(end), len(body)))
		}
	})
}

func TestWhatIsShownWhileABodyArrives(t *testing.T) {
	tests := []struct {
		name   string
		pieces []string
		want   []string // the rows before each piece, and at the end
	}{
		{"array", []string{`[{"a":1}`, `,{"a":2},{"a"`, `:3}`, `]`}, []string{``, `{"a":1}`, `{"a":1} {"a":2}`, `{"a":1} {"a":2} {"a":3}`, `{"a":1} {"a":2} {"a":3}`}},
		{"numbers end with what follows", []string{`[12`, `3`, `,4`, `5]`, ` `}, []string{``, ``, ``, `123`, `123 45`, `123 45`}},
		{"a scalar ends with the body", []string{`12`, `3`}, []string{``, ``, `123`}},
		{"lines", []string{`{"a":1}`, "\n", `{"a":2`, "}\n"}, []string{``, `{"a":1}`, `{"a":1}`, `{"a":1}`, `{"a":1} {"a":2}`}},
		{"envelope", []string{`{"m":0,"Data":[1,2`, `,3`, `]`, `,"n":4`, `}`}, []string{``, `1`, `1 2`, `1 2 3`, `1 2 3`, `1 2 3`}},
		{"a list with a better name comes", []string{`{"tags":[1],`, `"Data":[`, `2,3`, `]}`}, []string{``, `1`, ``, `2`, `2 3`}},
		{"two lists are no envelope", []string{`{"x":[1],`, `"y":[2,`, `3]`, `}`}, []string{``, `1`, `1`, `1`, `{"x":[1],"y":[2,3]}`}},
		{"several values after a list", []string{`[1,2] `, `3`, ` `}, []string{``, `1 2`, `[1,2]`, `[1,2] 3`}},
		{"a null alone is no record", []string{`null `, `1 `}, []string{``, ``, `null 1`}},
		{"two lists come in one piece", []string{`[1][2]`}, []string{``, `[1] [2]`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := NewStream(-1)
			var got []string
			show := func() {
				got = append(got, strings.Join(rowsOf(s.Table()), " "))
				if rows := s.Progress().Rows; rows != s.Table().Len() {
					t.Errorf("%d rows of progress, %d in the table", rows, s.Table().Len())
				}
			}
			next := 0
			_, err := s.ReadFrom(readerFunc(func(p []byte) (int, error) {
				if next == len(test.pieces) {
					return 0, io.EOF
				}
				show()
				next++
				return copy(p, test.pieces[next-1]), nil
			}))
			if err != nil {
				t.Fatal(err)
			}
			show()
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

func TestACutSaysWhatIsMissing(t *testing.T) {
	reset := errors.New("connection reset")
	many := "[" + strings.Repeat("0,", 1233)
	tests := []struct {
		name, body string
		expected   int64
		end        error
		want       string
	}{
		{"inside a record", many + `{"a":`, 5000, reset, "the body was cut off after 2472 of 5000 bytes: connection reset"},
		{"between records", `[1,`, -1, reset, "the body was cut off after 3 bytes: connection reset"},
		{"inside a number, as it seems", `[1,2`, -1, reset, "the body was cut off after 4 bytes: connection reset"},
		{"behind the records", `{"Data":[1],"Message":"Ok`, -1, reset, "the body was cut off after 25 bytes: connection reset"},
		{"in one object", `{"a":1`, -1, reset, "the body was cut off after 6 bytes: connection reset"},
		{"between lines", "1\n2\n", 100, io.EOF, "the body was cut off after 4 of 100 bytes: unexpected EOF"},
		{"before anything", "", 100, io.EOF, "the body was cut off after 0 of 100 bytes: unexpected EOF"},
		{"inside a byte order mark", "\xef\xbb", -1, reset, "the body was cut off after 2 bytes: connection reset"},
		{"without an error", `["a`, -1, io.EOF, `the body was cut off after 3 bytes: unexpected EOF: not valid JSON: the body ends inside a string at line 1, column 4`},
		{"inside a number, without an error", `[1,2`, -1, io.EOF, `the body was cut off after 4 bytes: unexpected EOF: not valid JSON: the body ends where a comma or ']' was expected at line 1, column 5`},
		{"cancelled", `[1,2`, -1, context.Canceled, "the body was cut off after 4 bytes: context canceled"},
		{"a reader that brings nothing", `[1`, -1, nil, "the body was cut off after 2 bytes: " + io.ErrNoProgress.Error()},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := NewStream(test.expected)
			n, err := s.ReadFrom(io.MultiReader(strings.NewReader(test.body), readerFunc(func([]byte) (int, error) { return 0, test.end })))
			var cut *CutError
			if !errors.As(err, &cut) {
				t.Fatalf("error %v, want a *CutError", err)
			}
			if got := cut.Error(); got != test.want {
				t.Errorf("error %s\nwant  %s", got, test.want)
			}
			if n != int64(len(test.body)) || cut.Bytes != n {
				t.Errorf("%d bytes read, %d in the error", n, cut.Bytes)
			}
			if test.end == reset && !errors.Is(err, reset) || test.end == io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("error %v does not wrap its cause", err)
			}
		})
	}
}

func TestASyntaxErrorEndsTheReadingAndKeepsTheRecords(t *testing.T) {
	for _, body := range []string{"[1,\n{\"a\":2},\nx", "1\n{\"a\":2}\nx", "{\"Data\":[1,\n{\"a\":2},\nx"} {
		s := NewStream(1000)
		_, err := s.ReadFrom(io.MultiReader(strings.NewReader(body), readerFunc(func([]byte) (int, error) {
			t.Error("read on behind the error")
			return 0, io.EOF
		})))
		var syntax *jsonscan.SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != 3 || syntax.Column != 1 {
			t.Errorf("%q: error %v", body, err)
		}
		if diff := cmp.Diff([]string{"1", `{"a":2}`}, rowsOf(s.Table())); diff != "" {
			t.Errorf("%q: rows (-want +got):\n%s", body, diff)
		}
	}
}

// A scan that began again with every piece would not end here.
func TestALongRecordInTheSmallestPieces(t *testing.T) {
	body := `[{"a":"` + strings.Repeat(`x\n`, 200_000) + `","b":` + strings.Repeat("1", 400_000) + `,"c":[` + strings.Repeat(" ", 200_000) + `]}]`
	s := NewStream(-1)
	if _, err := s.ReadFrom(&piecesReader{body: []byte(body), sizes: []byte{1}}); err != nil {
		t.Fatal(err)
	}
	if got := rowsOf(s.Table()); len(got) != 1 || got[0] != body[1:len(body)-1] {
		t.Errorf("%d records, want the one that was sent", len(got))
	}
}

func TestTablesAreReadWhileTheBodyArrives(t *testing.T) {
	var body bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&body, `{"Id":%d,"all":{"y %d":1},"column %[2]d":{"x":[%d]}}`+"\n", i, i/100, i)
	}
	want, err := Parse(body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	s, done := NewStream(-1), make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for last := 0; ; {
				table := s.Table()
				if table.Len() < last || s.Progress().Rows < table.Len() {
					t.Errorf("%d rows after %d, with a progress of %d", table.Len(), last, s.Progress().Rows)
				}
				for row := last; row < table.Len(); row++ {
					if got := table.Cells(row, nil); len(got) != len(table.Columns()) || !bytes.Equal(table.Record(row), want.Record(row)) {
						t.Errorf("row %d: %s", row, table.Record(row))
					}
				}
				last = table.Len()
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	_, err = s.ReadFrom(&piecesReader{body: body.Bytes(), sizes: []byte{200, 3, 255}})
	close(done)
	readers.Wait()
	if err != nil || s.Table().Len() != want.Len() {
		t.Errorf("%d rows, want %d; error %v", s.Table().Len(), want.Len(), err)
	}
}

func TestMemoryGrowsWithWhatCame(t *testing.T) {
	const mb = 1 << 20
	tests := []struct {
		name     string
		expected int64
		length   int
		want     int
		most     int64
	}{
		{"announced and small", 300, 0, 300 + spare, 0},
		{"announced and large", 10 << 30, 0, 4*mb + spare, 0},
		{"a large one begins", 400 * mb, 4*mb + spare, 400*mb + spare, 0},
		{"a large one begins that is held once", 10 * mb, 4*mb + spare, 10*mb + spare, 320 * mb},
		{"longer than announced", 300, 300 + spare, 16 << 10, 0},
		{"unknown", -1, 0, 16 << 10, 0},
		{"unknown and small", -1, 2 * mb, 4 * mb, 0},
		{"unknown and large", -1, 96 * mb, 108 * mb, 0},
		{"unknown, small and held once", -1, 2 * mb, 4 * mb, 320 * mb},
		{"unknown, large and held once", -1, 4 * mb, 320*mb + spare, 320 * mb},
	}
	for _, test := range tests {
		in := bodyReader{expected: test.expected, holdOnce: test.most, body: make([]byte, test.length)}
		if got := in.nextSize(); got != test.want {
			t.Errorf("%s: memory for %d bytes, want %d", test.name, got, test.want)
		}
	}
}

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
	if diff := cmp.Diff(rowsOf(want), rowsOf(got)); diff != "" {
		t.Fatalf("records of %q (-want +got):\n%s", body, diff)
	}
	if diff := cmp.Diff(want.columns.paths, got.columns.paths); diff != "" || want.Truncated() != got.Truncated() {
		t.Fatalf("columns of %q (-want +got), truncated %t:\n%s", body, got.Truncated(), diff)
	}
	if diff := cmp.Diff(want.Explanation(), got.Explanation()); diff != "" {
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
	want := mustParse(t, []byte("["+strings.Join(rowsOf(table), ",")+"]"))
	if diff := cmp.Diff(want.columns.paths, table.columns.paths); diff != "" {
		t.Fatalf("columns of %d rows of %q (-want +got):\n%s", table.Len(), table.body, diff)
	}
}

// checkStart fails if the rows that were shown are not the first ones in the end.
func checkStart(t *testing.T, shown, final *Table) {
	t.Helper()
	if shown.Len() > final.Len() {
		t.Fatalf("%d rows of %q shown, which has %d", shown.Len(), final.body, final.Len())
	}
	for row := range shown.Len() {
		if !bytes.Equal(shown.Record(row), final.Record(row)) {
			t.Fatalf("row %d of %q shown as %q", row, final.body, shown.Record(row))
		}
	}
}

// recordsMove reports whether other values than the records of a valid body are taken
// for them before it is complete.
func recordsMove(body []byte) bool {
	s := jsonscan.Scanner{Text: bytes.TrimPrefix(body, []byte(jsonscan.ByteOrderMark))}
	s.Space()
	first := s.At
	_ = s.Value()
	several := !s.AtEnd()
	arrays, unsure := 0, several
	switch s.Text[first] {
	case '[':
		return several
	case '{':
		for member := range jsonscan.Items(s.Text, first) {
			name, c := plainName(string(jsonscan.Unquote(member.Name.Of(s.Text)))), s.Text[member.Value.Start]
			if c == '[' || c == '{' && listNames[name] {
				arrays++
			}
			unsure = unsure || c == '{' && listNames[name] || identityNames[name] || answerNames[name]
		}
	}
	return arrays > 1 || arrays == 1 && unsure
}

func recordsOf(t *testing.T, body []byte) (records []jsonscan.Span) {
	t.Helper()
	table := mustParse(t, body)
	for row, start := range table.records.starts {
		records = append(records, jsonscan.Span{Start: start, End: start + len(table.Record(row))})
	}
	return records
}

// checkCut fails if of a valid body with those records, cut off at end, others are
// kept than those that are complete there.
func checkCut(t *testing.T, body []byte, all []jsonscan.Span, end int) {
	t.Helper()
	rows, gone := 0, errors.New("cut")
	for _, record := range all {
		if record.End < end || record.End == end && !jsonscan.IsDigit(body[end-1]) {
			rows++
		}
	}
	s := NewStream(-1)
	_, err := s.ReadFrom(io.MultiReader(bytes.NewReader(body[:end]), readerFunc(func([]byte) (int, error) { return 0, gone })))
	if cut, ok := errors.AsType[*CutError](err); !ok || *cut != (CutError{Bytes: int64(end), Expected: -1, Err: gone}) {
		t.Fatalf("%q cut at %d: error %v, want a *CutError", body, end, err)
	}
	table := s.Table()
	if table.Len() != rows {
		t.Fatalf("%q cut at %d: %d rows, want %d", body, end, table.Len(), rows)
	}
	for row := range table.Len() {
		if !bytes.Equal(table.Record(row), all[row].Of(body)) {
			t.Fatalf("%q cut at %d: row %d is %q", body, end, row, table.Record(row))
		}
	}
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
