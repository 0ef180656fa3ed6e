package lists

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/jsonscan"
)

func FuzzLines(f *testing.F) {
	random := rand.New(rand.NewPCG(33, 34))
	for _, body := range []string{"[]", "{}", "null", "null 1", "12", "[1] [2]", "{\"Rows\":[1,2]}", "{\"a\":[1],\"b\":[2]}", "\uFEFF[1]", "\uFEFF{\"a\":\n1x}", "", " \n ", "\uFEFF", "[1,]"} {
		f.Add([]byte(body), []byte{})
		f.Add([]byte(body), []byte{1})
	}
	for range 100 {
		body := randomBody(random)
		f.Add(body, randomSizes(random))
		f.Add(spoil(random, body), randomSizes(random))
		f.Add(body[:random.IntN(len(body))], randomSizes(random))
	}
	f.Fuzz(func(t *testing.T, body, sizes []byte) { checkLines(t, body, sizes) })
}

// checkLines fails if the lines of a body are not the records that Parse finds, or if the
// error is another one than that of a stream.
func checkLines(t *testing.T, body, sizes []byte) {
	t.Helper()
	var out, want bytes.Buffer
	copied, err := CopyRecords(&out, &piecesReader{body: body, sizes: sizes}, int64(len(body)), AsNDJSON)
	if bytes.Count(out.Bytes(), []byte{'\n'}) != copied.Rows {
		t.Fatalf("%q: %d rows in %q", body, copied.Rows, &out)
	}
	if err == errLists {
		if _, err := Parse(body); err == nil && !recordsMove(body) {
			t.Fatalf("%q has one list, and the error is %v", body, err)
		}
		return
	}
	stream := NewStream(int64(len(body)))
	_, wantErr := stream.ReadFrom(bytes.NewReader(body))
	if err := stream.Table().Write(t.Context(), &want, AsNDJSON, View{}); err != nil {
		t.Fatal(err)
	}
	if wantErr == nil && out.String() != want.String() {
		t.Fatalf("%q has the lines %q, want %q", body, &out, &want)
	}
	var syntax, wantSyntax *jsonscan.SyntaxError
	if (err == nil) != (wantErr == nil) || errors.As(err, &syntax) != errors.As(wantErr, &wantSyntax) {
		t.Fatalf("%q: error %v, want %v", body, err, wantErr)
	}
	if diff := cmp.Diff(wantSyntax, syntax); diff != "" {
		t.Fatalf("%q (-want +got):\n%s", body, diff)
	}
	if wantErr == nil {
		checkOutline(t, stream.Table(), body, sizes)
	}
}

// checkOutline fails if a body is written in another way when it is not held.
func checkOutline(t *testing.T, held *Table, body, sizes []byte) {
	t.Helper()
	outline, err := ReadOutline(&piecesReader{body: body, sizes: sizes}, -1)
	if err != nil {
		t.Fatalf("%q: %v", body, err)
	}
	var array, csv, wantArray, wantCSV bytes.Buffer
	if err := errors.Join(
		outline.Write(t.Context(), &array, bytes.NewReader(body), AsJSON, View{}), outline.Write(t.Context(), &csv, bytes.NewReader(body), AsCSV, View{}),
		held.Write(t.Context(), &wantArray, AsJSON, View{}), held.Write(t.Context(), &wantCSV, AsCSV, View{}),
	); err != nil {
		t.Fatal(err)
	}
	if array.String() != wantArray.String() || csv.String() != wantCSV.String() {
		t.Fatalf("%q is written as %q and %q, want %q and %q", body, &array, &csv, &wantArray, &wantCSV)
	}
}

func TestAnOutlineKnowsTheColumnsOfAllRecords(t *testing.T) {
	var body bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintf(&body, `{"CreateTime":"2020-01-01T00:00:00Z","CreatedBy":"ann","Id":%d}`, i)
	}
	body.WriteString(`{"Last":1}`)
	whole := slices.Clone(body.Bytes())
	outline, err := ReadOutline(&body, -1)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := outline.First.ColumnsOf("last,created")
	if want := []int{3, 0}; err != nil || !slices.Equal(columns, want) || outline.First.Len() != sampleRows {
		t.Errorf("columns %v of %d records, error %v; want %v", columns, outline.First.Len(), err, want)
	}
	held, err := Parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	checkOutline(t, held, whole, nil)
}

func TestLinesComeAsSoonAsTheyAreComplete(t *testing.T) {
	for start, more := range map[string]string{`[{"a":1},{"b"`: `{"a":1}`, `{"Message":"Ok.","Data":[1,"x",`: "1\n\"x\"", `{"a":1} 2 `: "{\"a\":1}\n2"} {
		var out bytes.Buffer
		stop := errors.New("the network is gone")
		waited := 0
		body := readerFunc(func(p []byte) (int, error) {
			if waited++; waited == 1 {
				return copy(p, start), nil
			}
			if got := strings.TrimRight(out.String(), "\n"); got != more {
				t.Errorf("%q gives %q before more is read, want %q", start, got, more)
			}
			return 0, stop
		})
		copied, err := CopyRecords(&out, body, -1, AsNDJSON)
		cut, isCut := errors.AsType[*CutError](err)
		if !isCut || !errors.Is(err, stop) || copied.Rows != strings.Count(more, "\n")+1 || cut.Bytes != int64(len(start)) {
			t.Errorf("%q: %d rows, and the error %v", start, copied.Rows, err)
		}
	}
}

func TestLinesOfAListOfAnyName(t *testing.T) {
	for _, name := range []string{"Data", "Rows"} {
		var body, want bytes.Buffer
		fmt.Fprintf(&body, "{%q:[", name)
		for i := range 200_000 { // more than is held back
			fmt.Fprintf(&want, "{\"Id\":%d}\n", i)
		}
		body.Write(bytes.ReplaceAll(bytes.TrimSpace(want.Bytes()), []byte("\n"), []byte(",")))
		var out bytes.Buffer
		copied, err := CopyRecords(&out, io.MultiReader(bytes.NewReader(body.Bytes()), strings.NewReader(`],"Message":"Ok."}`)), -1, AsNDJSON)
		if err != nil || copied.Rows != 200_000 || !bytes.Equal(out.Bytes(), want.Bytes()) {
			t.Errorf("%s: %d rows, error %v", name, copied.Rows, err)
		}
		_, err = CopyRecords(io.Discard, io.MultiReader(bytes.NewReader(body.Bytes()), strings.NewReader(`],"Items":[]}`)), -1, AsNDJSON)
		if err != errLists {
			t.Errorf("%s beside another list: error %v", name, err)
		}
	}
}

func TestARecordThatIsTooLongForALine(t *testing.T) {
	head, unit := []byte(`[1,{"a":"`), bytes.Repeat([]byte("x"), 64<<10)
	read := 0
	body := readerFunc(func(p []byte) (int, error) {
		if len(head) > 0 {
			n := copy(p, head)
			head = head[n:]
			return n, nil
		}
		n := copy(p, unit)
		read += n
		return n, nil
	})
	var out bytes.Buffer
	copied, err := CopyRecords(&out, body, -1, AsNDJSON)
	if !errors.Is(err, errTooLong) || copied.Rows != 1 || out.String() != "1\n" || read > 3*maxRecord {
		t.Errorf("%d rows and the error %v after %d bytes", copied.Rows, err, read)
	}
}

func TestLinesEndWithTheirWriter(t *testing.T) {
	failed := errors.New("no space left")
	endless := readerFunc(func(p []byte) (int, error) { return copy(p, slices.Repeat([]byte(" 1"), len(p)/2+1)), nil })
	if _, err := CopyRecords(failingWriter{failed}, endless, -1, AsNDJSON); !errors.Is(err, failed) {
		t.Errorf("error %v, want the one of the writer", err)
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }
