package safetext

import (
	"slices"
	"strings"
	"testing"
)

const (
	bold  = "\x1b[1;38:5:9m"
	plain = "\x1b[m"
	link  = "\x1b]8;;https://harbor.example\x1b\\"
	ended = "\x1b]8;;\x1b\\"
)

func TestADrawnTextIsMadeOfCharactersAndSequences(t *testing.T) {
	type part struct {
		text  string
		cells int
	}
	for text, want := range map[string][]part{
		"":                       nil,
		"a東":                     {{"a", 1}, {"東", 2}},
		bold + "a" + plain:       {{bold, 0}, {"a", 1}, {plain, 0}},
		link + "a" + ended:       {{link, 0}, {"a", 1}, {ended, 0}},
		"\x1b[0;9ma":             {{"\x1b[0;9m", 0}, {"a", 1}},
		"\x1b[2Ja":               {{"\x1b[2J", 0}, {"a", 1}},
		"a\n\x7f\x1fb~":          {{"a", 1}, {"\n", 0}, {"\x7f", 0}, {"\x1f", 0}, {"b", 1}, {"~", 1}},
		"\x1b[1":                 {{"\x1b[1", 0}},
		"\x1b[" + "東" + "x" + "": {{"\x1b[", 0}, {"東", 2}, {"x", 1}},
	} {
		var got []part
		for piece, cells := range pieces(text) {
			got = append(got, part{piece, cells})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is made of %+v, want %+v", text, got, want)
		}
	}
	for range pieces("ab") {
		break // which ends it
	}
	for text, want := range map[string]int{
		"\x1b[m": 3, "\x1b[0m": 4, "\x1b[9;0:1mx": 8, "\x1b[1": 0, "\x1b[1J": 0, "\x1b[<m": 0, "\x1b[/m": 0, "\x1b]8;;m": 0,
	} {
		if got := styleSize(text); got != want {
			t.Errorf("the style of %q has %d bytes, want %d", text, got, want)
		}
	}
}

func TestADrawnLineIsCutWithinItsStyles(t *testing.T) {
	for _, tt := range []struct {
		line  string
		width int
		want  string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{bold + "abc" + plain, 3, bold + "abc" + plain},
		{bold + "abcd" + plain + "e" + link + "f" + ended, 3, bold + "ab…" + plain + link + ended},
		{"東京支社", 8, "東京支社"},
		{"東京支社", 7, "東京支…"},
		{"東京支社", 6, "東京…"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
	} {
		if got := Cut(tt.line, tt.width, "…"); got != tt.want {
			t.Errorf("%q in %d cells is %q, want %q", tt.line, tt.width, got, tt.want)
		}
	}
	if got := Cut("abc", 2, ""); got != "ab" {
		t.Errorf("without a tail it is %q", got)
	}
}

func TestADrawnLineIsCutFromTheLeftWithinItsStyles(t *testing.T) {
	for _, tt := range []struct {
		line  string
		width int
		want  string
	}{
		{"abc", 0, "abc"},
		{"abc", 2, "c"},
		{"abc", 9, ""},
		{bold + "ab" + plain + "c", 1, bold + "b" + plain + "c"},
		{bold + "ab" + plain + "c", 2, bold + plain + "c"},
		{"東京", 2, "京"},
		{"東京", 1, "京"},
	} {
		if got := CutLeft(tt.line, tt.width); got != tt.want {
			t.Errorf("%q without %d cells is %q, want %q", tt.line, tt.width, got, tt.want)
		}
	}
}

func TestALineThatIsFullIsBroken(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  string
	}{
		{"abcdef", 3, "abc\ndef"},
		{"abcdefg", 3, "abc\ndef\ng"},
		{"ab\ncdef", 3, "ab\ncde\nf"},
		{bold + "abcd" + plain, 3, bold + "abc\nd" + plain},
		{"a東京", 3, "a東\n京"},
		{"ab東", 3, "ab\n東"},
		{"東京", 1, "東\n京"},
	} {
		if got := Hardwrap(tt.text, tt.width); got != tt.want {
			t.Errorf("%q in lines of %d is %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

func TestALineEndsBetweenWords(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		signs string
		want  string
	}{
		{"one two three", 7, "", "one two\nthree"},
		{"a long-known host", 9, "", "a long-\nknown\nhost"},
		{"on 2026-11-29 at noon", 13, "", "on 2026-11-29\nat noon"},
		{"on 2026-11-29 at noon", 11, "", "on\n2026-11-29\nat noon"},
		{"on 2026-11-29 at noon", 10, "", "on\n2026-11-29\nat noon"},
		{"wait for 30 s.", 12, "", "wait for\n30 s."},
		{"wait for 09 h", 11, "", "wait for\n09 h"},
		{"wait for 30 people", 12, "", "wait for 30\npeople"},
		{"wait for all s", 12, "", "wait for all\ns"},
		{"1000 kB", 6, "", "1000\nkB"},
		{"1000 kB", 7, "", "1000 kB"},
		{"https://harbor.example/a/b", 17, "/", "https://\nharbor.example/a/\nb"},
		{"東京支社 東京", 8, "", "東京支社\n東京"},
		{"x\uE0ADy", 9, "", "x\uE0ADy"},
		{"ab", 0, "", "a\nb"},
	} {
		got := Wrap(tt.text, tt.width, tt.signs)
		if got != tt.want {
			t.Errorf("%q in lines of %d is %q, want %q", tt.text, tt.width, got, tt.want)
		}
		for line := range strings.SplitSeq(got, "\n") {
			if tt.width > 0 && Width(line) > tt.width {
				t.Errorf("%q is wider than %d", line, tt.width)
			}
		}
	}
}

func TestAFlagOfARegionKeepsItsLetters(t *testing.T) {
	const flag, cancel = "\U0001F3F4", "\U000E007F"
	tags := func(letters string) string {
		return strings.Map(func(r rune) rune { return 0xe0000 + r }, letters)
	}
	for letters, want := range map[string]bool{
		"gbsct": true, "az09": true, "gbscot": true, "gbscots": false, "": false, "`": false, "{": false, "/": false, ":": false, "GB": false,
	} {
		text := flag + tags(letters) + cancel
		if got := Line(text); (got == text) != want {
			t.Errorf("the flag of %q is shown as %q", letters, got)
		}
	}
	if text := flag + tags("gb"); Line(text) == text {
		t.Error("a flag without an end hides what follows")
	}
}
