package lists_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"gatehouse/internal/lists"
)

func TestASpreadsheetFindsNoFormula(t *testing.T) {
	for _, text := range []string{
		"=1+1", "+1+1", "-1+1", "@SUM(1)", "=", "@", " =1", "\u00a0=1", "\u3000=1", "\ufeff=1", "\u200b=1", "\x00=1", "\x1b=1",
		`"=1`, `"' =1`, "'=1", "''=1", "＝1", "＋x", "－x", "＠x", "+cmd|' /C calc'!A0", "-2+3", "+49-30", "-A1", " -5", `"+45`, "--5", "-5%", "+1(2)",
		"-5;x", "-5,cmd|' /C calc'!A0",
	} {
		if got := lists.Defuse(lists.String, text); !strings.HasPrefix(got, "'"+text[:1]) {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestOrdinaryTextIsKept(t *testing.T) {
	for _, text := range []string{
		"", "Board minutes", "a=1", "1+1", "1-2", "-5", "-5.25", "+49 30 1234", "-", "'quoted'", `"quoted"`, " blanks ", "ann@x.example", "#1", "日本", "é=1", "🎉 =1",
		"\u200b", "\xff=1", "[1]", "(=1)", "2026-11-21", "'", "  ",
		"one, two; three", "a\nb\r\nc\td", "ann@x.example;bo@x.example", ";", "x;", ",,", "separate=1",
	} {
		if got := lists.Defuse(lists.String, text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// TestNoPartOfATextIsAFormula is about spreadsheets that split lines at another character
// than the comma, and so split a cell, whose quotes they take for a part of it.
func TestNoPartOfATextIsAFormula(t *testing.T) {
	for text, want := range map[string]string{
		"x;=cmd|' /C calc'!A0":   "x;'=cmd|' /C calc'!A0",
		"x\n=1+1":                "x\n'=1+1",
		"x\r\n@SUM(1)":           "x\r\n'@SUM(1)",
		"x\r=1+1":                "x\r'=1+1",
		"x\t+1+1":                "x\t'+1+1",
		"x,-1+1":                 "x,'-1+1",
		`x; "=1`:                 `x;' "=1`,
		"x;'=1;''=2":             "x;''=1;'''=2",
		"=1;=2":                  "'=1;'=2",
		"\n=1":                   "\n'=1",
		"x;-5,cmd|' /C calc'!A0": "x;'-5,cmd|' /C calc'!A0",
		"x;;\t;＝1":               "x;;\t;'＝1",
	} {
		got := lists.Defuse(lists.String, text)
		if got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestNoPartOfAnArrayIsAFormula(t *testing.T) {
	for text, want := range map[string]string{
		`["x;=cmd|' /C calc'!A0"]`:  `["x;\u003dcmd|' /C calc'!A0"]`,
		`["x","=1"]`:                `["x","\u003d1"]`,
		`{"a;@b":"c, -1+1"}`:        `{"a;\u0040b":"c, \u002d1+1"}`,
		`["＝;＝1","\"",";\\=1"]`:     `["＝;\uff1d1","\"",";\\=1"]`,
		`["=1"]`:                    `["=1"]`,
		`["x",-5 ,[-5e+3],"-0 A1"]`: `["x",-5 ,[-5e+3],"\u002d0 A1"]`,
		`["x;-5,-]","-+,",-1]`:      `["x;\u002d5,\u002d]","\u002d+,",-1]`,
		`["a=1; b=2","c","\"=1"]`:   `["a=1; b=2","c","\"=1"]`,
	} {
		kind := lists.Array
		if text[0] == '{' {
			kind = lists.Object
		}
		got := lists.Defuse(kind, text)
		if got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
		requireSameJSON(t, text, got)
	}
}

func TestAValueThatIsNoTextIsNoFormula(t *testing.T) {
	for _, kind := range []lists.Kind{lists.Number, lists.Bool, lists.Null, lists.Missing} {
		if got := lists.Defuse(kind, "-1e+5"); got != "-1e+5" {
			t.Errorf("%v becomes %q", kind, got)
		}
	}
}

var number = regexp.MustCompile(`^[+-][\d .]*("|$)`)

// requireNoFormula splits a file as careless spreadsheets do, at one character or another and
// whatever stands in quotes, and fails if a field of it would be run.
func requireNoFormula(t *testing.T, file string) {
	t.Helper()
	for _, separator := range []string{"\t", ";", ",", "\n", "\r"} {
		for line := range strings.SplitSeq(file, "\r\n") {
			for field := range strings.SplitSeq(line, separator) {
				field = strings.TrimLeft(field, "\" \t\r\n")
				if strings.HasPrefix(field, "=") || strings.HasPrefix(field, "@") ||
					(strings.HasPrefix(field, "+") || strings.HasPrefix(field, "-")) && !number.MatchString(strings.FieldsFunc(field, isSeparator)[0]) {
					t.Errorf("split at %q, %q is a formula of %q", separator, field, file)
				}
			}
		}
	}
}

func isSeparator(r rune) bool { return strings.ContainsRune(",;\t\r\n", r) }

func requireSameJSON(t *testing.T, want, got string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(want), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(got), &b); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	again, _ := json.Marshal(a)
	if other, _ := json.Marshal(b); string(again) != string(other) {
		t.Errorf("%s became %s", want, got)
	}
}
