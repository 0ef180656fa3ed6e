package safetext

import (
	"strings"
	"testing"
)

// addSeeds gives the fuzzer one of each kind of rune that a rule is about.
func addSeeds(f *testing.F) {
	for _, tt := range realNames {
		f.Add(tt.text)
	}
	f.Add("\x1b]52;c;x\a\x9b\u009b\x00\x7f\xff\n\t\r")
	f.Add("\u202e\u2066\u2069\u2028\ufeff\u200b\u00ad\u3164\ufdd0")
	f.Add("\u200e\u0301\u200f\u200f\ufe0f🏽\u200d❤")
	f.Add("\u0600\u0d4e\u0d4e\u0301\u0e33ｶﾞ")
	f.Add("👩\u200d" + scotland + strings.Repeat("\u0301", 20))
	f.Add(strings.Repeat("\u1100", 15) + "\u1161\u11a8" + strings.Repeat("क्", 9))
}

func FuzzLine(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		if err := checkLine(s); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzBlock(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		safe := Block(s)
		if again := Block(safe); again != safe {
			t.Fatalf("Block(%+q) = %+q, and of that %+q", s, safe, again)
		}
		for line := range strings.SplitSeq(safe, "\n") {
			if Line(line) != line {
				t.Fatalf("Block(%+q) has the unsafe line %+q", s, line)
			}
		}
	})
}

func FuzzFit(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		for width := range 201 {
			if err := checkFit(s, width); err != nil {
				t.Fatal(err)
			}
		}
	})
}
