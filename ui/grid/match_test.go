package grid

import (
	"strings"
	"testing"

	"gatehouse/styles"
)

func TestMatchesAreMarkedWithoutCaseAndByGrapheme(t *testing.T) {
	tests := []struct {
		text  string
		words []string
		want  string
	}{
		{"Contracts", []string{"CON", "act"}, "<Con>tr<act>s"},
		{"banana", []string{"ana"}, "b<anana>"},
		{"Ærø ÆRØ", []string{"ærø"}, "<Ærø> <ÆRØ>"},
		{"Σίσυφος", []string{"σ"}, "<Σ>ί<σ>υφο<ς>"},
		{"\u212Belvin", []string{"kel"}, "\u212Belvin"},
		{"\u212Aelvin", []string{"kel"}, "<\u212Ael>vin"},
		{"İstanbul", []string{"ist"}, "<İst>anbul"},
		{"Cafe\u0301s", []string{"fe"}, "Ca<fe\u0301>s"},
		{"x👨‍👩‍👧‍👦y", []string{"\U0001f469"}, "x<👨‍👩‍👧‍👦>y"},
		{"short", []string{"shorter"}, "short"},
		{"", []string{"a"}, ""},
		{"none", []string{""}, "none"},
	}
	for _, tt := range tests {
		got := string(AppendMarked(nil, tt.text, tt.words, styles.SGR{Open: "<", Close: ">"}))
		if got != tt.want {
			t.Errorf("%q in %q: %q, want %q", tt.words, tt.text, got, tt.want)
		}
		if found := Contains(tt.text, tt.words[0]); found != strings.Contains(got, "<") {
			t.Errorf("Contains(%q, %q) is %v, marked is %q", tt.text, tt.words[0], found, got)
		}
	}
}
