package lists_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/jsonscan"
)

func TestSyntaxErrorsSayWhereAndWhy(t *testing.T) {
	tests := []struct {
		name, body string
		want       jsonscan.SyntaxError
	}{
		{"empty", "", jsonscan.SyntaxError{Reason: "the body is empty"}},
		{"white space", " \r\n\t", jsonscan.SyntaxError{Reason: "the body is empty"}},
		{"byte order mark alone", "\uFEFF", jsonscan.SyntaxError{Reason: "the body is empty"}},
		{"html", "<html>", jsonscan.SyntaxError{Reason: "'<' where a value was expected", Line: 1, Column: 1}},
		{"in a third line", "[\n  1,\n  x\n]", jsonscan.SyntaxError{Reason: "'x' where a value was expected", Line: 3, Column: 3}},
		{"behind long characters", `["東京😀" 1]`, jsonscan.SyntaxError{Reason: "'1' where a comma or ']' was expected", Line: 1, Column: 15}},
		{"behind a mark", "\uFEFF{x", jsonscan.SyntaxError{Reason: "'x' where a member name was expected", Line: 1, Column: 5}},
		{"far behind", "[" + strings.Repeat("1,", 50) + "é]", jsonscan.SyntaxError{Reason: "'é' where a value was expected", Line: 1, Column: 102}},
		{"cut in a string", `[{"a":"b`, jsonscan.SyntaxError{Reason: "the body ends inside a string", Line: 1, Column: 9}},
		{"second value", "{\"a\":1}\n{\"a\" 2}", jsonscan.SyntaxError{Reason: "'2' where a colon was expected", Line: 2, Column: 6}},
		{"an escape of Go in a name that was there", `[{"\u0007":1},{"\a":2}]`, jsonscan.SyntaxError{Reason: "'a' in an escape", Line: 1, Column: 18}},
		{"line break in a string", "[\"a\nb\"]", jsonscan.SyntaxError{Reason: "a control character in a string", Line: 1, Column: 4}},
		{"number with a zero before it", "[012]", jsonscan.SyntaxError{Reason: "'1' after a value", Line: 1, Column: 3}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, *syntaxError(t, test.body)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARecordOfTheDeepestNestingIsWrittenAndRead(t *testing.T) {
	const limit = 9_999
	writeJSON(t, parse(t, strings.Repeat(`{"a":`, limit)+"1"+strings.Repeat("}", limit)))
	if err := syntaxError(t, strings.Repeat("[", 5_000_000)); err.Reason != "more than 9999 levels of nesting" {
		t.Errorf("reason %q, want the nesting", err.Reason)
	}
}

func TestErrorTextIsOneSafeLine(t *testing.T) {
	tests := []struct{ body, want string }{
		{"", "not valid JSON: the body is empty"},
		{"[\n\"\x7f\u009b31m\u202e\" x", `not valid JSON: 'x' where a comma or ']' was expected at line 2, column 13`},
		{"[\u202e", `not valid JSON: '\u202e' where a value was expected at line 1, column 2`},
	}
	for _, test := range tests {
		if got := syntaxError(t, test.body).Error(); got != test.want {
			t.Errorf("error %s, want %s", got, test.want)
		}
	}
}

func syntaxError(t *testing.T, body string) *jsonscan.SyntaxError {
	t.Helper()
	_, err := lists.Parse([]byte(body))
	var syntax *jsonscan.SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("Parse(%.80q) = %v, want a *SyntaxError", body, err)
	}
	return syntax
}
