package files_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/files"
)

func TestNamesAreSafeAndSayWhatTheyWereMadeOf(t *testing.T) {
	tests := []struct {
		parts []string
		want  string
	}{
		{[]string{"shares", "harbor.example", "2026-11-21.csv"}, "shares-harbor.example-2026-11-21.csv"},
		{[]string{"東京支社 📷", "Møder.json"}, "東京支社 📷-Møder.json"},
		{[]string{"", "a", "", "b.csv"}, "a-b.csv"},
		{[]string{"../../etc/passwd"}, "_.._etc_passwd"},
		{[]string{`C:\Windows\x.csv`}, "C__Windows_x.csv"},
		{[]string{"..", ".csv"}, "export.csv"},
		{[]string{}, "export"},
		{[]string{"", ".ndjson"}, "export.ndjson"},
		{[]string{"-rf", "~", "x.csv"}, "rf-~-x.csv"},
		{[]string{"~/x.csv"}, "_x.csv"},
		{[]string{"...hidden.csv"}, "hidden.csv"},
		{[]string{"a\x00b\x1b[2J\nc\u202egpj.exe\u200b.csv"}, "ab[2J cgpj.exe.csv"},
		{[]string{"a\xff\u2028b.csv"}, "a b.csv"},
		{[]string{"what?*<>|\".csv"}, "what______.csv"},
		{[]string{"trailing. . .csv"}, "trailing.csv"},
		{[]string{"no extension. "}, "no extension"},
		{[]string{"con.csv"}, "_con.csv"},
		{[]string{"Lpt1"}, "_Lpt1"},
		{[]string{"aux.tar.gz"}, "_aux.tar.gz"},
		{[]string{"NUL .csv"}, "_NUL.csv"},
		{[]string{"com¹.csv"}, "_com¹.csv"},
		{[]string{"CLOCK$.csv"}, "_CLOCK$.csv"},
		{[]string{"..／..∕x＼y\u115f.csv"}, "_.._x_y.csv"},
		{[]string{"C：x\u3164.csv"}, "C_x.csv"},
		{[]string{"console.csv"}, "console.csv"},
		{[]string{strings.Repeat("x", 300) + ".csv"}, strings.Repeat("x", 95) + ".csv"},
		{[]string{strings.Repeat("東", 100) + ".csv"}, strings.Repeat("東", 31) + ".csv"},
		{[]string{"a." + strings.Repeat("b", 300)}, "a." + strings.Repeat("b", 97)},
	}
	for _, test := range tests {
		got := files.ExportName(test.parts...)
		if got != test.want {
			t.Errorf("%q becomes %q, want %q", test.parts, got, test.want)
		}
		checkName(t, got)
	}
}

func FuzzName(f *testing.F) {
	f.Add("shares", "harbor.example", "2026-11-21.csv")
	f.Add("../..", "con", ".csv")
	f.Add("\u202e\xff\x00", strings.Repeat("東", 50), "-.~ .")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		checkName(t, files.ExportName(a, b, c))
		checkName(t, files.ExportName(c))
	})
}

var device = regexp.MustCompile(`^(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³])$`)

func checkName(t *testing.T, name string) {
	t.Helper()
	stem, _, _ := strings.Cut(name, ".")
	switch {
	case name == "" || len(name) > 100 || !utf8.ValidString(name):
		t.Fatalf("%q is empty, too long or no text", name)
	case filepath.Join("d", name) != "d/"+name && filepath.Join("d", name) != `d\`+name, !filepath.IsLocal(name):
		t.Fatalf("%q leaves its directory", name)
	case strings.ContainsAny(name, `<>:"/\|?*`):
		t.Fatalf("%q has a character that some system forbids", name)
	case strings.ContainsAny(name[:1], ".-~ ") || strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		t.Fatalf("%q begins or ends badly", name)
	case device.MatchString(strings.ToUpper(strings.TrimRight(stem, " "))):
		t.Fatalf("%q is a device", name)
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }):
		t.Fatalf("%q has a character that nobody sees", name)
	}
}

func TestTheHomeDirectoryTakesThePlaceOfATilde(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for path, want := range map[string]string{
		"~": home, "~/x.csv": filepath.Join(home, "x.csv"), "~/a/../x.csv": filepath.Join(home, "x.csv"),
		"~ann/x.csv": "~ann/x.csv", "x~.csv": "x~.csv", "a/~/x.csv": "a/~/x.csv", "/x.csv": "/x.csv", "": "",
	} {
		if got, err := files.ExpandHome(path); got != want || err != nil {
			t.Errorf("%q becomes %q, %v; want %q", path, got, err, want)
		}
	}
}
