package api

import (
	"strings"
	"testing"
)

func TestCodesAreExplainedAsFarAsTheInterfaceDoes(t *testing.T) {
	for _, tt := range []struct {
		code  string
		known bool
		says  string
	}{
		{"U103", true, "has no primary domain"},
		{"U105", true, "differs from the domain in the request"},
		{"U107", true, "is not validated"},
		{" U107\r\n", true, "is not validated"},
		{"U100", false, "does not explain U100"},
		{"", false, "carries no code"},
		{"u103", false, "does not explain this code"},
		{"U104", false, "does not explain this code"},
		{"\x1b[31m", false, "does not explain this code"},
	} {
		got := ExplainCode(tt.code)
		if got.Known != tt.known || !strings.Contains(got.Meaning, tt.says) || got.NextStep == "" {
			t.Errorf("%q: got %+v", tt.code, got)
		}
		if got.Code != strings.TrimSpace(tt.code) {
			t.Errorf("%q: Code = %q", tt.code, got.Code)
		}
		if strings.Contains(got.Meaning+got.NextStep, "\x1b") {
			t.Errorf("%q: text from outside is in the explanation", tt.code)
		}
	}
}
