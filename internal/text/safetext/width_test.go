package safetext

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestTruncate(t *testing.T) {
	tests := []struct {
		name, text string
		width      int
		want       string
	}{
		{"fits", "report", 6, "report"},
		{"one too many", "reports", 6, "repor…"},
		{"one cell", "report", 1, "…"},
		{"no cell", "report", 0, ""},
		{"fewer than none", "report", -1, ""},
		{"wide runes that fit", "日本", 4, "日本"},
		{"wide runes that do not", "日本語", 5, "日本…"},
		{"half a wide rune", "日本語", 4, "日…"},
		{"a wide rune in one cell", "日", 1, "…"},
		{"marks stay on their base", "e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"family stays together", family + family, 9, family + "…"},
		{"flag stays together", "🇩🇰🇯🇵", 3, "🇩🇰…"},
		{"keycap stays together", "1️⃣2️⃣", 3, "1️⃣…"},
		{"direction mark at the end", "שלום\u200e", 4, "שלום\u200e"},
		{"huge", strings.Repeat("x", 1<<20), 4, "xxx…"},
		{"huge width", "report", 1 << 62, "report"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Truncate(tt.text, tt.width); got != tt.want {
				t.Errorf("Truncate(%+q, %d) = %+q, want %+q", tt.text, tt.width, got, tt.want)
			}
			if got := Clip(tt.text, tt.width); got != tt.want {
				t.Errorf("Clip(%+q, %d) = %+q, want %+q", tt.text, tt.width, got, tt.want)
			}
		})
	}
}

func TestClipMakesTextSafeAndSaysThatMoreFollows(t *testing.T) {
	tests := []struct {
		name, text string
		width      int
		want       string
	}{
		{"escape sequence", "\x1b[2J", 10, "␛[2J"},
		{"widened by what is shown", "a\u202eb", 4, "a‹U…"},
		{"huge and harmful", strings.Repeat("\x1b", 1<<20), 4, "␛␛␛…"},
		{"huge and narrow", "a" + strings.Repeat("\u0301", 1<<20), 12, "a" + strings.Repeat("\u0301", 11) + "‹+326›…"},
		{"huge and not UTF-8", strings.Repeat("\x80", 1<<20), 7, `‹\x80›…`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Clip(tt.text, tt.width); got != tt.want {
				t.Errorf("Clip(%+.40q, %d) = %+q, want %+q", tt.text, tt.width, got, tt.want)
			}
		})
	}
}

func TestPadding(t *testing.T) {
	tests := []struct {
		name, text         string
		width              int
		pad, padLeft, fits string
	}{
		{"narrow", "ab", 4, "ab  ", "  ab", "ab  "},
		{"exact", "abcd", 4, "abcd", "abcd", "abcd"},
		{"too wide", "abcde", 4, "abcde", "abcde", "abc…"},
		{"wide runes", "日", 4, "日  ", "  日", "日  "},
		{"a wide rune that does not fit", "日本語", 4, "日本語", "日本語", "日… "},
		{"marks", "e\u0301", 2, "e\u0301 ", " e\u0301", "e\u0301 "},
		{"Arabic", "سلام", 5, "سلام ", " سلام", "سلام "},
		{"empty", "", 2, "  ", "  ", "  "},
		{"no cell", "ab", 0, "ab", "ab", ""},
		{"fewer than none", "ab", -3, "ab", "ab", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Pad(tt.text, tt.width); got != tt.pad {
				t.Errorf("Pad(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.pad)
			}
			if got := PadLeft(tt.text, tt.width); got != tt.padLeft {
				t.Errorf("PadLeft(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.padLeft)
			}
			if got := Fit(tt.text, tt.width); got != tt.fits {
				t.Errorf("Fit(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.fits)
			}
		})
	}
}

func TestTruncateFillsItsWidthWithTheDensestSafeText(t *testing.T) {
	dense := Line(strings.Repeat("\U00020000"+strings.Repeat("\U000e0100", maxClusterRunes-1)+"\u200e", 5000))
	for _, width := range []int{1, 2, 3, 40, 201} {
		if got := Width(Truncate(dense, width)); got < width-1 {
			t.Errorf("Truncate to %d cells gives %d", width, got)
		}
	}
}

func TestCuttingReadsNoMoreThanCanShow(t *testing.T) {
	for name, text := range map[string]string{
		"letters":   strings.Repeat("x", 1<<20),
		"wide":      strings.Repeat("日", 1<<20),
		"marks":     "a" + strings.Repeat("\u0301", 1<<20),
		"not UTF-8": strings.Repeat("\x80", 1<<20),
	} {
		for _, width := range []int{1, 20, 200} {
			head := prefix(text, width)
			if maxHead := (width + 1) * maxCellBytes; len(head) > maxHead || len(head) < maxHead-3 {
				t.Errorf("%s: %d bytes are read for %d cells", name, len(head), width)
			}
			if utf8.ValidString(text) && !utf8.ValidString(head) {
				t.Errorf("%s: cut within a rune for %d cells", name, width)
			}
		}
	}
}

// checkFit returns what is wrong with the text s in so many cells, if anything.
func checkFit(s string, width int) error {
	safe := Line(s)
	whole := Width(safe)
	if got := Width(Fit(safe, width)); got != width {
		return fmt.Errorf("Fit(%+q, %d) takes %d cells", safe, width, got)
	}
	if got := Width(PadLeft(safe, width)); got != max(width, whole) {
		return fmt.Errorf("PadLeft(%+q, %d) takes %d cells", safe, width, got)
	}
	cut := Truncate(safe, width)
	if whole <= width && width > 0 && cut != safe {
		return fmt.Errorf("Truncate(%+q, %d) = %+q, though it fits", safe, width, cut)
	}
	if Line(cut) != cut || Width(cut) > width {
		return fmt.Errorf("Truncate(%+q, %d) = %+q", safe, width, cut)
	}
	clipped := Clip(s, width)
	if Line(clipped) != clipped || Width(clipped) > width {
		return fmt.Errorf("Clip(%+q, %d) = %+q", s, width, clipped)
	}
	return nil
}

// TestPlainCharactersAreWhatTheLibraryTakesForOneCell compares each of them with the
// library, alone and before each other one of a few.
func TestPlainCharactersAreWhatTheLibraryTakesForOneCell(t *testing.T) {
	plain := 0
	for r := range rune(0x3000) {
		text := string(r)
		if Plain(text) == 0 {
			continue
		}
		plain++
		if Plain(text) != len(text) {
			t.Errorf("%U has %d bytes, not %d", r, len(text), Plain(text))
		}
		for _, next := range []string{"", "a", " ", "é", "·", "│", "★", "⠋", text} {
			if cluster, cells := ansi.FirstGraphemeCluster(text+next, ansi.GraphemeWidth); cluster != text || cells != 1 {
				t.Errorf("%U before %q: the library has %q in %d cells", r, next, cluster, cells)
			}
		}
	}
	if plain < 500 {
		t.Errorf("only %d characters are plain", plain)
	}
	for _, text := range []string{"\x1b", "\x7f", "\u00a0", "\u00ad", "\u0301", "日", "\u200b", "\xe2", "\xe2\x94", "\xc3", "\xc3a", "\xe2\x94a"} {
		if Plain(text) != 0 {
			t.Errorf("%q is plain", text)
		}
	}
}
