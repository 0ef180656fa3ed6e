package batch

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestLists(t *testing.T) {
	both := []string{"ada@x.example", "Ben@x.example"}
	utf16LE := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune("Email\tName\r\nada@x.example\tÅda\r\nBen@x.example\t\r\n")) {
		utf16LE = append(utf16LE, byte(unit), byte(unit>>8))
	}
	for name, tc := range map[string]struct {
		text, column string
		want         []string
	}{
		"one a line":                 {text: "ada@x.example\nBen@x.example\n", want: both},
		"no line end":                {text: "ada@x.example\r\nBen@x.example", want: both},
		"a byte order mark":          {text: "\ufeffada@x.example\nBen@x.example\n", want: both},
		"comments":                   {text: "# people\n\n  \n#x@y.example\nada@x.example\n # more\nBen@x.example\n", want: both},
		"twice":                      {text: "ada@x.example\nADA@x.example\nBen@x.example\nAda <ada@x.example>\n", want: both},
		"what is none":               {text: "ada@x.example\nno one\n", want: []string{"ada@x.example", "no one"}},
		"commas":                     {text: "id,email,name\n1,ada@x.example,Ada\n2,Ben@x.example,Ben\n", want: both},
		"a spelling of email":        {text: "name;E-Mail\nAda, A;ada@x.example\nBen;Ben@x.example", want: both},
		"semicolons":                 {text: "name;E-Mail;EMAIL\nAda, A;;ada@x.example\nBen;;Ben@x.example", want: both},
		"tabs":                       {text: "\temail\n\tada@x.example\n\tBen@x.example\n", want: both},
		"one column":                 {text: "Email\nada@x.example\nBen@x.example\n", want: both},
		"quotes":                     {text: "\ufeff\"name\";\"email\"\r\n\"A \"\"the; one\"\"\nlives\"; \"ada@x.example\"\r\n\"B\";\"Ben@x.example\"\r\n", want: both},
		"a name in the column":       {text: "email\n\"Lovelace, Ada\" <ada@x.example>\nBen@x.example\n", want: both},
		"another column":             {text: "email,login\nx@x.example,ada@x.example\ny@x.example,Ben@x.example\n", column: "LOGIN", want: both},
		"short and blank rows":       {text: "id,email\n\n2,ada@x.example\n#4,no@x.example\n5,Ben@x.example\n1\n3,\n", want: append(both, "")},
		"a column by what is in it":  {text: "Name,Manager,Contact\nAda,-,ada@x.example\nBen,ada@x.example,Ben@x.example\nC,,\n", want: append(both, "")},
		"a table without headings":   {text: "Ada;ada@x.example;Sales\nBen;Ben@x.example;\n", want: both},
		"names before the addresses": {text: "Lovelace, Ada <ada@x.example>\nBen <Ben@x.example>,\n", want: both},
		"UTF-16":                     {text: string(utf16LE), want: both},
		"a line for Excel":           {text: "\ufeffsep=;\r\nName;Email\r\nAda;ada@x.example\r\nBen;Ben@x.example\r\n", want: both},
		"a line for Excel in quotes": {text: "\"SEP=\t\"\nName\tEmail\nAda\tada@x.example\nBen\tBen@x.example\n", want: both},
	} {
		got, err := Read(strings.NewReader(tc.text), tc.column)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(tc.want, got.Addresses); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for i, email := range got.Addresses {
			if at, found := got.Find(strings.ToUpper(email)); at != i || !found {
				t.Errorf("%s: %s is found at %d, %v", name, email, at, found)
			}
		}
	}
}

func TestCellsInAnotherEncodingAreNoticed(t *testing.T) {
	for text, want := range map[string]bool{
		"name,email\nM\u00fcller,ada@x.example\n":      false,
		"name,email\nM\xfcller,ada@x.example\n":        true,
		"n\xe4me,email\nMiller,ada@x.example\n":        true,
		"\x8a\xd4,email\n\x89\xbd,ada@x.example\n":     true,
		"name,email\nM\u00fcller,no address: \u00fc\n": false,
	} {
		list, err := Read(strings.NewReader(text), "")
		if err != nil || list.NotUTF8 != want {
			t.Errorf("%q: %+v, %v", text, list, err)
		}
	}
}

func TestTheOtherColumnsOfAFileStayBesideItsAddresses(t *testing.T) {
	for name, tc := range map[string]struct {
		text    string
		columns []string
		at      int
		rows    []string // as JSON
		blank   int
	}{
		"headings": {
			"Team,Email,Team,\nSales,ada@x.example,a,\nOps,b@x.example\n,ADA@x.example,\"x\ny\",extra\n",
			[]string{"Team", "Email", "Team column 3", "column 4"}, 1, []string{
				`{"Team":"Sales","Email":"ada@x.example","Team column 3":"a","column 4":""}`,
				`{"Team":"Ops","Email":"b@x.example","Team column 3":"","column 4":""}`,
				`{"Team":"","Email":"ADA@x.example","Team column 3":"x\ny","column 4":"extra"}`,
			}, 0,
		},
		"none": {"ada@x.example;Ada\nben@x.example;Ben\n", []string{"column 1", "column 2"}, 0, []string{`{"column 1":"ada@x.example","column 2":"Ada"}`, `{"column 1":"ben@x.example","column 2":"Ben"}`}, 0},
		"rows without any": {
			"email,name\n,Ada\n,,,\n Ada <a@x.example>,A\n \u00a0,B\n", []string{"email", "name"}, 0,
			[]string{`{"email":"","name":"Ada"}`, `{"email":"Ada \u003ca@x.example\u003e","name":"A"}`, `{"email":"","name":"B"}`}, 2,
		},
		"addresses alone":    {"email\nada@x.example\nada@x.example\n", nil, 0, []string{`{}`, `{}`}, 0},
		"a row that is long": {"email,name\na@x.example,A\nb@x.example,B,C\n", []string{"email", "name", "column 3"}, 0, []string{`{"email":"a@x.example","name":"A","column 3":""}`, `{"email":"b@x.example","name":"B","column 3":"C"}`}, 0},
	} {
		list, err := Read(strings.NewReader(tc.text), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var rows []string
		for line := range list.Len() {
			text, err := json.Marshal(list.Row(line))
			if err != nil {
				t.Fatal(err)
			}
			var again Row
			if err := json.Unmarshal(text, &again); err != nil || !cmp.Equal(again, list.Row(line), cmpopts.EquateEmpty()) {
				t.Errorf("%s: %s is read as %+v, %v", name, text, again, err)
			}
			rows = append(rows, string(text))
		}
		if diff := cmp.Diff(tc.rows, rows); diff != "" || !cmp.Equal(tc.columns, list.Columns) || list.AddressColumn != tc.at || list.Blank != tc.blank {
			t.Errorf("%s: %q, %d, %d blank; rows (-want +got):\n%s", name, list.Columns, list.AddressColumn, list.Blank, diff)
		}
	}
}

func TestAnAddressKnowsItsLines(t *testing.T) {
	list := listOf(t, "a@x", "b@x", "A@X", "c@x", "a@x")
	if diff := cmp.Diff([]int{0, 2, 4}, list.LinesOf(0)); diff != "" || list.Len() != 5 || list.Count(0) != 3 || list.Count(1) != 1 || list.Repeated() != 2 {
		t.Errorf("%d lines, those of the first (-want +got):\n%s", list.Len(), diff)
	}
	if list.AddressOf(3) != 2 || !cmp.Equal(list.LinesOf(2), []int{3}) {
		t.Errorf("line 3 has address %d", list.AddressOf(3))
	}
}

func TestListsThatCannotBeUsed(t *testing.T) {
	for name, tc := range map[string]struct{ text, column, want string }{
		"empty":                      {"", "", "it has no address"},
		"comments alone":             {"# nobody\n\n", "", "it has no address"},
		"a header alone":             {"id,email\n", "", "it has no address"},
		"no cell has one":            {"id,email\n1,\n2,\n", "", "it has no address"},
		"binary":                     {"ada@x.example\nPK\x03\x00\n", "", "line 2: this is not text"},
		"a line of 2 MiB":            {"ada@x.example\n" + strings.Repeat("x", 2<<20), "", "line 2: this line is too long"},
		"a binary CSV":               {"email\nada@x.example\n\x00", "", "line 3: this is not text"},
		"no such column":             {"id,email\n1,ada@x.example\n", "mail", `it has no column "mail"; its first line is "id,email"`},
		"no column":                  {"ada@x.example\n", "mail", `it has no column "mail"; its first line is "ada@x.example"`},
		"another header":             {"id;mail\n1;2\n", "", `it has no column "email"; its first line is "id;mail"`},
		"an unclosed quote":          {"id,email\n1,ada@x.example\n\"2,ben@x.example\n", "", "line 3: a quote is not closed, or stands within a field"},
		"a quote in a heading":       {"name,\"mail\n1,2\n", "", "line 1: a quote is not closed, or stands within a field"},
		"a bare quote, by contents":  {"Name,Work\nA,ada@x.example\n5\" B,ben@x.example\n", "", "line 3: a quote is not closed, or stands within a field"},
		"an open quote, by contents": {"Name,Work\nA,ada@x.example\n\"B,ben@x.example\n", "", "line 3: a quote is not closed, or stands within a field"},
		"a workbook":                 {"PK\x03\x04\x14\x00", "", "it is a workbook of a spreadsheet (xlsx, ods) or a zip archive"},
		"an old workbook":            {"\xd0\xcf\x11\xe0\xa1\xb1", "", "it is a workbook of an older spreadsheet (xls)"},
		"gzip":                       {"\x1f\x8b\x08\x00", "email", "it is compressed with gzip"},
		"a PDF":                      {"%PDF-1.7\n", "", "it is a PDF"},
		"a bare quote":               {"name,email\n5\" pipe,ada@x.example\n", "", "line 2: a quote is not closed, or stands within a field"},
	} {
		_, err := Read(strings.NewReader(tc.text), tc.column)
		if _, ok := errors.AsType[*FileError](err); !ok || err.Error() != tc.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken := errors.New("broken")
	for _, text := range []string{"", "a@b\n", "email\na@b\n"} {
		if _, err := Read(io.MultiReader(strings.NewReader(text), failing{broken}), ""); !errors.Is(err, broken) {
			t.Errorf("%q and an error: %v", text, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestAListHasALimit(t *testing.T) {
	const email = "a@x.example" // an address that is repeated counts as well
	const want = "it has more than 1,000,000 addresses"
	list, err := Of(slices.Repeat([]string{email}, maxAddresses))
	if err != nil || list.Len() != maxAddresses {
		t.Fatalf("as many as there may be: %v", err)
	}
	if err := list.add(email, nil); err == nil || err.Error() != want {
		t.Errorf("one too many: %v", err)
	}
	if _, err := Of(slices.Repeat([]string{email}, maxAddresses+1)); err == nil || err.Error() != want {
		t.Errorf("one too many from the start: %v", err)
	}
	lines := strings.Repeat(email+"\n", 1000)
	endless := readerFunc(func(p []byte) (int, error) { return copy(p, lines), nil })
	full := &listReader{in: bufio.NewReader(endless), list: list}
	if err := full.read(""); err == nil || err.Error() != want {
		t.Errorf("a list that is read and full: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestAddressesInPastedText(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string
		err  string
	}{
		"lines":            {"a@x.example\r\n\r\n  b@x.example \nA@X.example\n# c@x.example", []string{"a@x.example", "b@x.example"}, ""},
		"angle brackets":   {"Ada Lovelace <a@x.example>\n\"Doe, Jane\" <j@x.example>", []string{"a@x.example", "j@x.example"}, ""},
		"a line of a mail": {`"Doe, Jane" <j@x.example>, Ada <a@x.example>`, []string{"j@x.example", "a@x.example"}, ""},
		"semicolons":       {"Doe, Jane <j@x.example>; Ada <a@x.example>;b@x.example", []string{"j@x.example", "a@x.example", "b@x.example"}, ""},
		"a CSV":            {"Name,E-Mail,email\nAda,z@y.example,a@x.example\n\"B, C\",,b@x.example", []string{"a@x.example", "b@x.example"}, ""},
		"no address":       {"a@x.example\nhello\nb@x.example", []string{"a@x.example", "hello", "b@x.example"}, ""},
		"none at all":      {"hello\nworld", nil, "the pasted text has no e-mail address"},
		"blank":            {"\n\n \n", nil, "what was pasted cannot be used: it has no address"},
		"binary":           {"a@x.example\n\x00", nil, "what was pasted cannot be used: line 2: this is not text"},
		"other names":      {"ä@bücher.example\n山@例え.example", []string{"ä@bücher.example", "山@例え.example"}, ""},
	} {
		list, err := Pasted(tt.text, false)
		if err != nil {
			if err.Error() != tt.err {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, list.Addresses); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	var many strings.Builder
	for i := range maxRemote + 1 {
		fmt.Fprintf(&many, "p%d@x.example\n", i)
	}
	if _, err := Pasted(many.String(), false); err != nil {
		t.Error(err)
	}
	if _, err := Pasted(many.String(), true); err == nil || !strings.Contains(err.Error(), "1,001 addresses, but at most 1,000") {
		t.Errorf("too many for a visitor: %v", err)
	}
}

func TestColumnsThatMayBeMeantAsWellAreSaid(t *testing.T) {
	for text, want := range map[string][]string{
		"Name,Work,Home\nA,a@x.example,b@x.example\nB,c@x.example,d@x.example\n": {"Home"},
		"Name,Work,Home\nA,a@x.example,b@x.example\nB,c@x.example,\n":            nil,
		"E-mail,Name,Email\na@x.example,A,b@x.example\n":                         {"E-mail"},
		"email,Manager\na@x.example,b@x.example\n":                               nil,
	} {
		list, err := Read(strings.NewReader(text), "")
		if err != nil || !cmp.Equal(want, list.Rivals) {
			t.Errorf("%q: %q, %v", text, list.Rivals, err)
		}
	}
	list, err := Read(strings.NewReader("E-mail,Email\na@x.example,b@x.example\n"), "e-mail")
	if err != nil || list.Rivals != nil || list.Addresses[0] != "a@x.example" {
		t.Errorf("a column that was named: %+v, %v", list, err)
	}
}

func TestMarksOfOtherProgramsAroundAddresses(t *testing.T) {
	const text = "• a@x.example\n- b@x.example\n1. c@x.example\n<a href=\"mailto:d@x.example\">Dora</a>\ne%40x.example\n"
	list, err := Read(strings.NewReader(text), "")
	want := []string{"a@x.example", "b@x.example", "c@x.example", "d@x.example", "e@x.example"}
	if err != nil || !cmp.Equal(want, list.Addresses) {
		t.Errorf("%q, %v", list.Addresses, err)
	}
	list, err = Read(strings.NewReader("Name;Contact\nA;<a href='mailto:a@x.example'>a@x.example</a>\nB;b%40x.example\n"), "")
	if err != nil || !cmp.Equal([]string{"a@x.example", "b@x.example"}, list.Addresses) {
		t.Errorf("in cells: %+v, %v", list, err)
	}
}

func TestAFileGivesItsNameToTheList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(path, []byte("a@x.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := ReadFile(path); err != nil || list.File != "people.csv" {
		t.Errorf("%+v, %v", list, err)
	}
	if err := os.WriteFile(path, []byte("PK\x03\x04"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), "save the sheet as CSV") {
		t.Errorf("a workbook: %v", err)
	}
}
