package shell

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLinesAreSplitAsAShellDoes(t *testing.T) {
	for _, tc := range []struct {
		line string
		want []string
	}{
		{"", nil},
		{" \t\n ", nil},
		{"shares -o csv", []string{"shares", "-o", "csv"}},
		{"\tshares\n-o  csv ", []string{"shares", "-o", "csv"}},
		{`lookup 'a b'`, []string{"lookup", "a b"}},
		{`lookup "a b"`, []string{"lookup", "a b"}},
		{`lookup a\ b`, []string{"lookup", "a b"}},
		{`a'b'"c"\d`, []string{"abcd"}},
		{`''`, []string{""}},
		{`"" ''`, []string{"", ""}},
		{`x''`, []string{"x"}},
		{`'it'\''s'`, []string{"it's"}},
		{`'a\b"c'`, []string{`a\b"c`}},
		{`"a\"b\\c\d\e\$f\` + "`" + `"`, []string{`a"b\c\d\e$f` + "`"}},
		{"\"a\\\nb\"", []string{"ab"}},
		{"a\\\nb \\\n c", []string{"ab", "c"}},
		{"'a\\\nb'", []string{"a\\\nb"}},
		{`\'\"\\`, []string{`'"\`}},
		{`"'" '"'`, []string{"'", `"`}},
		{"grüße 'ö ä' \\日本", []string{"grüße", "ö ä", "日本"}},
		{"a\xff\\\xfeb", []string{"a\xff\xfeb"}},
		{"a\rb", []string{"a\rb"}},
	} {
		got, err := Split(tc.line)
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%q: %q, %v; want %q", tc.line, got, err, tc.want)
		}
	}
}

func TestNothingInALineIsExpanded(t *testing.T) {
	for _, word := range []string{"$HOME", "${x}", "$(id)", "`id`", "*", "?", "[a-z]", "{a,b}", "~", "#", ";", "&", "|", "<", ">", "!", "x=1", "$'a'x"} {
		want := []string{strings.ReplaceAll(word, "'", ""), "y"}
		if got, err := Split(word + " y"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", word, got, err)
		}
	}
}

func TestLinesThatCannotBeSplit(t *testing.T) {
	for line, want := range map[string]error{
		`'`: ErrOpenQuote, `"`: ErrOpenQuote, `a 'b`: ErrOpenQuote, `a "b`: ErrOpenQuote, `"a\`: ErrOpenQuote, `"a\"`: ErrOpenQuote,
		`'a\'b'`: ErrOpenQuote, `\`: ErrOpenBackslash, `a \`: ErrOpenBackslash, `a\`: ErrOpenBackslash,
	} {
		if words, err := Split(line); !errors.Is(err, want) || words != nil {
			t.Errorf("%q: %q, %v; want %v", line, words, err, want)
		}
	}
}

// TestAShellReadsTheSameWords gives a shell all short lines of the characters that are special.
func TestAShellReadsTheSameWords(t *testing.T) {
	sh := interpreterOf(t, POSIX)
	var script strings.Builder
	var want []string
	script.WriteString(`show() { printf '%s\000' "$@"; }` + "\n")
	for _, line := range linesOf([]string{`'`, `"`, `\`, " ", "a"}, 6) {
		words, err := Split(line)
		if err != nil {
			continue
		}
		script.WriteString("show " + line + " END\n")
		want = append(append(want, words...), "END")
	}
	if len(want) < 10_000 {
		t.Fatalf("%d words", len(want))
	}
	if diff := cmp.Diff(want, sh.run(t, "", script.String())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// linesOf are all lines of up to n parts.
func linesOf(parts []string, n int) []string {
	lines := []string{""}
	previous := lines
	for range n {
		var next []string
		for _, line := range previous {
			for _, part := range parts {
				next = append(next, line+part)
			}
		}
		previous = next
		lines = append(lines, next...)
	}
	return lines
}

// FuzzSplit splits lines of any bytes, and the words that come of it once more.
func FuzzSplit(f *testing.F) {
	for _, line := range []string{"", "shares -o csv", `lookup 'a b' "c\"d" e\ f`, `a 'b`, "x\\\ny", "''", "\xff\\\xfe", "$(id) `id` *"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, err := Split(line)
		if err != nil {
			if words != nil || !errors.Is(err, ErrOpenQuote) && !errors.Is(err, ErrOpenBackslash) {
				t.Fatalf("%q: %q, %v", line, words, err)
			}
			return
		}
		if size := len(strings.Join(words, " ")); size > len(line) {
			t.Fatalf("%q: %d bytes in %q", line, size, words)
		}
		again, err := Split(POSIX.Join(words...))
		if err != nil || !slices.Equal(again, words) {
			t.Fatalf("%q: %q, and then %q, %v", line, words, again, err)
		}
		if !strings.ContainsAny(line, `'"\`) && !slices.Equal(words, strings.FieldsFunc(line, isBlank)) {
			t.Fatalf("%q: %q", line, words)
		}
	})
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }
