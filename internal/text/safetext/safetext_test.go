package safetext

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/testkit"
)

const (
	family   = "👨‍👩‍👧‍👦"
	scotland = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
)

// realNames is text that must come through as it is, with its width in cells.
var realNames = []struct {
	name, text string
	width      int
}{
	{"empty", "", 0},
	{"ASCII", "Quarterly report (final).pdf", 28},
	{"Danish", "Søren Ærøskøbing", 16},
	{"combining accent", "Rene\u0301e", 5},
	{"Vietnamese with two marks", "Nguye\u0302\u0303n", 6},
	{"Japanese", "日本語の契約書", 14},
	{"Japanese with wide spaces", "山田\u3000太郎", 10},
	{"Chinese with an ideographic variation", "葛\U000e0100城", 4},
	{"Korean", "서울 지사", 9},
	{"Korean, decomposed", "\u1109\u1165\u110b\u116e\u11af", 7},
	{"Arabic", "شركة المرفأ", 11},
	{"Arabic with points", "مُحَمَّد", 4},
	{"Arabic with direction marks", "مشروع \u200fA\u061c", 8},
	{"Persian with a non-joiner", "می\u200cخواهم", 7},
	{"Hebrew with points", "שָׁלוֹם", 4},
	{"Hebrew with a left-to-right mark", "דוח\u200e 3", 5},
	{"Devanagari", "नमस्ते", 4},
	{"Sinhala with a joiner", "ශ්\u200dරී", 2},
	{"Tamil", "தமிழ்", 4},
	{"Thai with a spacing vowel", "น้ำ", 2},
	{"Burmese with a mark of Unicode 5.1", "မြန်မာ", 6},
	{"emoji", "🎉 done", 7},
	{"emoji family", family, 8},
	{"emoji with skin tones", "👩🏽‍❤️‍💋‍👨🏿", 11},
	{"emoji by variation selector", "❤️ ☀️ ©️", 8},
	{"text by variation selector", "☀\ufe0e", 1},
	{"keycap", "1️⃣", 2},
	{"flag of a country", "🇩🇰 🇯🇵", 5},
	{"flag of a region", scotland, 2},
	{"replacement character that came as such", "a\ufffdb", 3},
	{"flag of a region with a number", "🏴\U000e0066\U000e0072\U000e0037\U000e0035\U000e0063\U000e007f", 2},
	{"keycap of a sign", "*️⃣#️⃣", 4},
	{"private use", "\ue000\U000f0000", 2},
	{"no-break space", "10\u00a0000", 6},
	{"our own notation", "‹U+202E› ␛", 10},
}

func TestRealNamesComeThroughAsTheyAre(t *testing.T) {
	for _, tt := range realNames {
		t.Run(tt.name, func(t *testing.T) {
			if got := Line(tt.text); got != tt.text {
				t.Errorf("Line(%+q) = %+q", tt.text, got)
			}
			if got := Block(tt.text); got != tt.text {
				t.Errorf("Block(%+q) = %+q", tt.text, got)
			}
			if got := Width(tt.text); got != tt.width {
				t.Errorf("Width(%+q) = %d, want %d", tt.text, got, tt.width)
			}
		})
	}
}

func TestLineMakesHarmfulTextVisible(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"colour", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"screen clear", "\x1b[2J\x1b[H", "␛[2J␛[H"},
		{"window title", "\x1b]0;owned\a", "␛]0;owned␇"},
		{"clipboard write, OSC 52", "\x1b]52;c;cm0gLXJm\x1b\\", `␛]52;c;cm0gLXJm␛\`},
		{"hyperlink, OSC 8", "\x1b]8;;https://x.example\x1b\\bank\x1b]8;;\x1b\\", `␛]8;;https://x.example␛\bank␛]8;;␛\`},
		{"device control string", "\x1bP+q544e\x1b\\", `␛P+q544e␛\`},
		{"application and privacy messages", "\x1b_Gi=1\x1b\\\x1b^x\x1b\\", `␛_Gi=1␛\␛^x␛\`},
		{"CSI as a code point", "\u009b31m", "‹U+009B›31m"},
		{"CSI as a byte", "\x9b31m", `‹\x9b›31m`},
		{"OSC and ST as bytes", "\x9d0;owned\x9c", `‹\x9d›0;owned‹\x9c›`},
		{"new line, tab, return", "a\nb\tc\rd", "a␊b␉c␍d"},
		{"backspace over text", "safe\b\b\b\bevil", "safe␈␈␈␈evil"},
		{"null and delete", "\x00\x7f", "␀␡"},
		{"next line", "a\u0085b", "a‹U+0085›b"},
		{"right-to-left override", "invoice\u202excod.exe", "invoice‹U+202E›xcod.exe"},
		{"all embeddings and overrides", "\u202a\u202b\u202c\u202d\u202e", "‹U+202A›‹U+202B›‹U+202C›‹U+202D›‹U+202E›"},
		{"all isolates", "\u2066\u2067\u2068\u2069", "‹U+2066›‹U+2067›‹U+2068›‹U+2069›"},
		{"direction marks in a row", "a\u200f\u200f\u200eb", "a\u200f‹U+200F›‹U+200E›b"},
		{"line and paragraph separators", "a\u2028b\u2029c", "a‹U+2028›b‹U+2029›c"},
		{"byte order mark", "\ufeffname", "‹U+FEFF›name"},
		{"zero width space", "pay\u200bpal", "pay‹U+200B›pal"},
		{"soft hyphen", "co\u00adop", "co‹U+00AD›op"},
		{"word joiner and invisible operators", "a\u2060\u2063b", "a‹U+2060›‹U+2063›b"},
		{"interlinear annotation", "\ufff9a\ufffab\ufffb", "‹U+FFF9›a‹U+FFFA›b‹U+FFFB›"},
		{"fillers that show as nothing", "\u3164\u115f\u1160\uffa0", "‹U+3164›‹U+115F›‹U+1160›‹U+FFA0›"},
		{"non-characters", "\ufdd0\ufffe\U0010ffff", "‹U+FDD0›‹U+FFFE›‹U+10FFFF›"},
		{"text in tag characters", "ok\U000e0068\U000e0069", "ok‹U+E0068›‹U+E0069›"},
		{"language tag", "\U000e0001\U000e0065", "‹U+E0001›‹U+E0065›"},
		{"flag tags without an end", "🏴\U000e0067\U000e0062x", "🏴‹U+E0067›‹U+E0062›x"},
		{"flag of too many tags", "🏴" + strings.Repeat("\U000e0061", 7) + "\U000e007f", "🏴" + strings.Repeat("‹U+E0061›", 7) + "‹U+E007F›"},
		{"flag of no tags", "🏴\U000e007f", "🏴‹U+E007F›"},
		{"flag behind a joiner", "👩\u200d" + scotland[:8] + "\U000e007f", "👩\u200d🏴‹U+E0067›‹U+E007F›"},
		{"sign that encloses its successor", "\u06001", "‹U+0600›1"},
		{"letter that merges with its successor", "\u0d4e|", "‹U+0D4E›|"},
		{"mark without a base", "\u0301\u0302a", "‹U+0301›‹U+0302›a"},
		{"mark after a direction mark", "a\u200f\u0301", "a\u200f‹U+0301›"},
		{"mark after a control character", "\x1b\u0301", "␛\u0301"},
		{"joiner in front", "\u200d👩", "‹U+200D›👩"},
		{"emoji selector in front", "\ufe0fa", "‹U+FE0F›a"},
		{"emoji selector on a letter", "a\ufe0f", "a‹U+FE0F›"},
		{"skin tone on a letter", "a🏽", "a‹U+1F3FD›"},
		{"skin tone on a keycap", "1🏽", "1‹U+1F3FD›"},
		{"zalgo", "h" + strings.Repeat("\u0335", 50) + "e", "h" + strings.Repeat("\u0335", 11) + "‹+39›e"},
		{"endless emoji", strings.Repeat("👩\u200d", 9), strings.Repeat("👩\u200d", 6) + "‹+6›"},
		{"endless Hangul syllable", strings.Repeat("\u1100", 20), strings.Repeat("\u1100", 12) + "‹+8›"},
		{"a character that this Unicode does not have yet", "a\u0378b", "a\u0378b"},
		{"not UTF-8", "caf\xe9 \xff", `caf‹\xe9› ‹\xff›`},
		{"cut in a rune", "日\xe6\x97", `日‹\xe6›‹\x97›`},
		{"surrogate", "\xed\xa0\x80", `‹\xed›‹\xa0›‹\x80›`},
		{"overlong slash", "\xc0\xaf", `‹\xc0›‹\xaf›`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Line(tt.text)
			if got != tt.want {
				t.Errorf("Line(%+q)\n got %+q\nwant %+q", tt.text, got, tt.want)
			}
			if again := Line(got); again != got {
				t.Errorf("Line(%+q) = %+q: not the same the second time", got, again)
			}
		})
	}
}

func TestEveryControlCharacterIsShown(t *testing.T) {
	for r := range rune(0xa0) {
		if !unicode.IsControl(r) {
			continue
		}
		want := fmt.Sprintf("‹%U›", r)
		switch {
		case r < ' ':
			want = string(rune(0x2400) + r)
		case r == 0x7f:
			want = "\u2421"
		}
		if got := Line(string(r)); got != want {
			t.Errorf("Line(%+q) = %q, want %q", r, got, want)
		}
		if r < utf8.RuneSelf {
			continue
		}
		want = fmt.Sprintf(`‹\x%02x›`, r)
		if got := Line(string([]byte{byte(r)})); got != want {
			t.Errorf("Line of the byte %#x = %q, want %q", r, got, want)
		}
	}
}

func TestEveryRuneIsSafeAndKeepsToItself(t *testing.T) {
	check := func(first, last rune) {
		for r := range testkit.Runes(t, first, last) {
			if err := checkLine(fmt.Sprintf("%ca%c👍%c", r, r, r)); err != nil {
				t.Fatal(err)
			}
		}
	}
	check(0, 0x200ff)       // planes 2 and 3 are more Han, 4 to 13 are empty
	check(0xe0000, 0xe0fff) // planes 15 and 16 are for private use
	check(0xffff0, 0x1000ff)
	check(0x10fff0, utf8.MaxRune)
}

func TestBlockKeepsLinesAndExpandsTabs(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"lines", "one\n\ntwo\n", "one\n\ntwo\n"},
		{"Windows lines", "one\r\ntwo\r\n", "one\ntwo\n"},
		{"a return inside a line", "safe\rEVIL\r\r\n\rx", "safe␍EVIL␍\n␍x"},
		{"tabs", "\ta\tb\n12345678\tc", "    a    b\n12345678    c"},
		{"harmful text around tabs", "\x1b[2J\t\u202e\n\x9b", "␛[2J    ‹U+202E›\n‹\\x9b›"},
		{"a mark after a tab", "a\t\u0301", "a    ‹U+0301›"},
		{"a lone return", "a\r", "a␍"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Block(tt.text)
			if got != tt.want {
				t.Errorf("Block(%+q)\n got %+q\nwant %+q", tt.text, got, tt.want)
			}
			if again := Block(got); again != got {
				t.Errorf("Block(%+q) = %+q: not the same the second time", got, again)
			}
		})
	}
}

// Were each of these runes to cost a look at all that follow, this would take
// minutes, and run into the time limit of go test with the race detector.
func TestALongRunOfOneRuneTakesLinearTime(t *testing.T) {
	size, limit := testkit.LongAnswer(t)
	n := size / 4
	tests := []struct{ name, unit, want string }{
		{"marks without a base", "\u0301", strings.Repeat("‹U+0301›", n)},
		{"skin tones without a base", "🏽", strings.Repeat("‹U+1F3FD›", n)},
		{"letters that merge", "\u0d4e", strings.Repeat("‹U+0D4E›", n)},
		{"joiners", "\u200d", strings.Repeat("‹U+200D›", n)},
		{"Hangul", "\u1100", strings.Repeat("\u1100", 12) + fmt.Sprintf("‹+%d›", n-12)},
		{"emoji", "👩\u200d", strings.Repeat("👩\u200d", 6) + fmt.Sprintf("‹+%d›", 2*n-12)},
		{"flags", "🇩", strings.Repeat("🇩", n)},
		{"flags without an end", "🏴\U000e0067", strings.Repeat("🏴‹U+E0067›", n)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			testkit.RequireCPU(t, limit, "making it safe", func() {
				if got := Line(strings.Repeat(tt.unit, n)); got != tt.want {
					t.Errorf("Line gives %d bytes, beginning with %+.80q", len(got), got)
				}
			})
		})
	}
}

func TestCleanTextCostsNoAllocation(t *testing.T) {
	for _, tt := range realNames {
		marks := 0
		for _, r := range tt.text {
			if isEmojiMark(r) {
				marks++
			}
		}
		if n := testing.AllocsPerRun(10, func() { Line(tt.text) }); n > float64(marks) {
			t.Errorf("Line(%s) allocates %v times", tt.name, n)
		}
	}
}

// checkLine returns what is wrong with Line(s), if anything.
func checkLine(s string) error {
	safe := Line(s)
	if !utf8.ValidString(safe) {
		return fmt.Errorf("Line(%+q) = %+q is not UTF-8", s, safe)
	}
	for _, r := range safe {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r),
			0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, r == '\ufeff', r == '\u200b':
			return fmt.Errorf("Line(%+q) = %+q lets %U through", s, safe, r)
		}
	}
	if again := Line(safe); again != safe {
		return fmt.Errorf("Line(%+q) = %+q, and of that %+q", s, safe, again)
	}
	if framed := Width("|" + safe + "|"); framed != Width(safe)+2 {
		return fmt.Errorf("Line(%+q) = %+q merges with what stands around it", s, safe)
	}
	return nil
}
