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
	tokens, err := tokensOf(&Scanner{Text: text})
	inPieces, errInPieces := tokensOf(inPieces(text, piece))
	if diff := cmp.Diff(tokens, inPieces); diff != "" {
		t.Fatalf("tokens of %q in pieces of %d (-want +got):\n%s", text, piece, diff)
	}
	if diff := cmp.Diff(err, errInPieces); diff != "" {
		t.Fatalf("error of %q in pieces of %d (-want +got):\n%s", text, piece, diff)
	}
	checkError(t, text, err, piece)
	if valid {
		checkTokens(t, text, tokens)
	}
}

// checkError fails if Value finds another error than Next.
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

// checkTokens fails if the tokens of a valid text are not all of it, or not what the
// functions find that walk over it.
func checkTokens(t *testing.T, text []byte, tokens []Token) {
	t.Helper()
	var joined, compact bytes.Buffer
	for _, token := range tokens {
		joined.Write(token.Of(text))
	}
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	without := strings.NewReplacer(",", "", ":", "")
	if got, want := without.Replace(joined.String()), without.Replace(compact.String()); got != want {
		t.Fatalf("tokens of %q: %q, want %q", text, got, want)
	}
	start := ValueAt(text, 0)
	if bytes.TrimSpace(text[start.End:]); start.Start != tokens[0].Start || start.End != tokens[len(tokens)-1].End {
		t.Fatalf("the value of %q is at %v", text, start)
	}
	for i, token := range tokens {
		if token.Kind == ObjectStart || token.Kind == ArrayStart {
			checkItems(t, text, tokens[i:])
		}
	}
}

// checkItems fails if the items of the container in which the tokens begin are others
// than the tokens in it.
func checkItems(t *testing.T, text []byte, tokens []Token) {
	t.Helper()
	if len(tokens) > 200 { // each container would go through all that are in it
		return
	}
	var want []Item
	depth := 0
	var name Span
	for _, token := range tokens {
		if token.Kind == ObjectEnd || token.Kind == ArrayEnd {
			if depth--; depth == 0 {
				break
			}
			if depth == 1 {
				want[len(want)-1].Value.End = token.End
			}
			continue
		}
		switch {
		case depth != 1:
		case token.Kind == Name:
			name = token.Span
		default:
			want = append(want, Item{name, token.Span})
		}
		if token.Kind == ObjectStart || token.Kind == ArrayStart {
			depth++
		}
	}
	var got []Item
	for item := range Items(text, tokens[0].Start) {
		got = append(got, item)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("items at %d of %q (-want +got):\n%s", tokens[0].Start, text, diff)
	}
}

func tokensOf(s *Scanner) (tokens []Token, err error) {
	for {
		token, err := s.Next()
		if err != nil || token.Kind == End {
			return tokens, err
		}
		tokens = append(tokens, token)
	}
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

func TestTokens(t *testing.T) {
	text := []byte(` {"a\u0062":[1,{},"x"], "c" : {"d":null}} [] -1`)
	var got []string
	tokens, err := tokensOf(&Scanner{Text: text})
	for _, token := range tokens {
		got = append(got, strconv.Itoa(int(token.Kind))+string(token.Of(text)))
	}
	want := []string{`1{`, `5"a\u0062"`, `3[`, `71`, `1{`, `2}`, `6"x"`, `4]`, `5"c"`, `1{`, `5"d"`, `8null`, `2}`, `2}`, `3[`, `4]`, `7-1`}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("tokens (-want +got), error %v:\n%s", err, diff)
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
	b.Run("Next", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			s := Scanner{Text: text}
			for {
				if token, err := s.Next(); err != nil || token.Kind == End {
					break
				}
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
