package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// suite are the cases of JSONTestSuite by their names: y_ is valid, n_ is not, and of
// i_ readers differ.
func suite(t testing.TB) map[string][]byte {
	t.Helper()
	file, err := os.ReadFile("testdata/suite.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string][]byte{
		"n_structure_100000_opening_arrays": bytes.Repeat([]byte("["), 100_000),
		"n_structure_open_array_object":     append(bytes.Repeat([]byte(`[{"":`), 50_000), '\n'),
	}
	for line := range strings.Lines(string(file)) {
		if name, quoted, _ := strings.Cut(strings.TrimSpace(line), " "); name != "#" {
			text, err := strconv.Unquote(quoted)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			cases[name] = []byte(text)
		}
	}
	if len(cases) != 318 {
		t.Fatalf("%d cases, want 318", len(cases))
	}
	return cases
}

// isValid reports whether a text is one JSON value with white space around it.
func isValid(text []byte) bool {
	s := Scanner{Text: text}
	return s.Value() == nil && s.AtEnd()
}

func TestTheSuite(t *testing.T) {
	for name, text := range suite(t) {
		want := name[0] == 'y'
		if name[0] == 'i' { // what readers are free to do is done as encoding/json does it
			want = json.Valid(text)
		}
		if got := isValid(text); got != want {
			t.Errorf("%s is valid: %t, want %t", name, got, want)
		}
		checkText(t, text, 1)
	}
}

// checkText fails if the ways to scan a text differ in what they find, between each other
// or from encoding/json.
func checkText(t *testing.T, text []byte, piece int) {
	t.Helper()
	valid := json.Valid(text)
	if got := isValid(text); got != valid {
		t.Fatalf("%q is valid: %t, want %t", text, got, valid)
	}
	items, err := itemsOf(&Scanner{Text: text})
	inPieces, errInPieces := itemsOf(inPieces(text, piece))
	if diff := cmp.Diff(items, inPieces); diff != "" {
		t.Fatalf("items of %q in pieces of %d (-want +got):\n%s", text, piece, diff)
	}
	if diff := cmp.Diff(err, errInPieces); diff != "" {
		t.Fatalf("error of %q in pieces of %d (-want +got):\n%s", text, piece, diff)
	}
	checkError(t, text, err, piece)
	if valid && len(items) < 200 { // each container would go through all that are in it
		if diff := cmp.Diff(items, walked(text, Item{Value: ValueAt(text, 0)})); diff != "" {
			t.Fatalf("items of %q (-scanned +walked):\n%s", text, diff)
		}
	}
}

// checkError fails if Value finds another error than those that go down by hand.
func checkError(t *testing.T, text []byte, want error, piece int) {
	t.Helper()
	for _, s := range []*Scanner{{Text: text}, inPieces(text, piece)} {
		var err error
		for err == nil && !s.AtEnd() {
			err = s.Value()
		}
		if diff := cmp.Diff(want, err); diff != "" {
			t.Fatalf("error of the values of %q (-want +got):\n%s", text, diff)
		}
	}
}

// itemsOf goes down into the values of a text by hand, each after what is in it.
func itemsOf(s *Scanner) (items []Item, err error) {
	for err == nil && !s.AtEnd() {
		err = down(s, Span{}, &items)
	}
	return items, err
}

func down(s *Scanner, name Span, items *[]Item) error {
	s.Space()
	start := s.At
	if c := s.Peek(); c != '{' && c != '[' {
		if err := s.Value(); err != nil {
			return err
		}
	} else if err := s.Open(); err != nil {
		return err
	} else {
		for {
			more, err := s.Item()
			if err != nil {
				return err
			}
			if !more {
				break
			}
			inner := Span{}
			if c == '{' {
				inner = s.Name
			}
			if err := down(s, inner, items); err != nil {
				return err
			}
		}
	}
	*items = append(*items, Item{name, Span{start, s.At}})
	return nil
}

// walked is an item behind all that are in it, as the functions find them that walk over text.
func walked(text []byte, item Item) (items []Item) {
	if c := text[item.Value.Start]; c == '{' || c == '[' {
		for inner := range Items(text, item.Value.Start) {
			items = append(items, walked(text, inner)...)
		}
	}
	return append(items, item)
}

// inPieces returns a scanner of a text that arrives in pieces of that size, each time
// in other memory.
func inPieces(text []byte, size int) *Scanner {
	s := new(Scanner)
	s.Read = func() bool {
		had := len(s.Text)
		s.Text = bytes.Clone(text[:min(len(text), had+size)])
		return len(s.Text) > had
	}
	return s
}

func FuzzScanner(f *testing.F) {
	for name, text := range suite(f) {
		if len(text) < 100 {
			f.Add(text, uint8(len(name)))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, piece uint8) { checkText(t, text, int(piece)+1) })
}

func TestItems(t *testing.T) {
	text := []byte(` {"a\u0062":[1,{},"x"], "c" : {"d":null}} [] -1`)
	var got []string
	items, err := itemsOf(&Scanner{Text: text})
	for _, item := range items {
		got = append(got, string(item.Name.Of(text))+" "+string(item.Value.Of(text)))
	}
	want := []string{" 1", " {}", ` "x"`, `"a\u0062" [1,{},"x"]`, `"d" null`, `"c" {"d":null}`, ` {"a\u0062":[1,{},"x"], "c" : {"d":null}}`, " []", " -1"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("items (-want +got), error %v:\n%s", err, diff)
	}
}

func TestHowDeepATextMayNest(t *testing.T) {
	nested := func(depth int) []byte { return []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth)) }
	for _, test := range []struct{ limit, depth int }{{0, DefaultMaxDepth}, {3, 3}} {
		for depth, want := range map[int]bool{test.depth: true, test.depth + 1: false} {
			s := Scanner{Text: nested(depth), MaxDepth: test.limit}
			if err := s.Value(); (err == nil) != want {
				t.Errorf("%d levels with a limit of %d: %v", depth, test.limit, err)
			}
		}
	}
}

func TestWhetherATextIsCutOrWrong(t *testing.T) {
	for text, cut := range map[string]bool{
		`{"a`: true, `{"a":tr`: true, `[1,`: true, `{"a":1`: true, `"\u00`: true, `[-`: true, "[\"\u6771"[:4]: true,
		`{"a":trx`: false, `[1,]`: false, "\"\x01": false, `{1`: false, `01`: false,
	} {
		s := Scanner{Text: []byte(text)}
		err := s.Value()
		if !errors.As(err, new(*SyntaxError)) || (s.At == len(s.Text)) != cut {
			t.Errorf("%q: at %d of %d: %v", text, s.At, len(text), err)
		}
	}
}

func BenchmarkValue(b *testing.B) {
	text := []byte(`[` + strings.Repeat(`{"Id":"0000abcd-0000-4000-8000-000000001234","CompanyId":17,"Name":"Annual report 2019","Tags":[],`+
		`"Default":{"Owner":"ann.lee@harbor.example","Category":2},"Tick":635584236915068204,"Parent":null},`, 50_000) + `{}]`)
	b.Run("Value", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			s := Scanner{Text: text}
			if err := s.Value(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding_json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			json.Valid(text)
		}
	})
}
