package linemode

import (
	"testing"
	"time"
)

func TestASpanIsSaidInItsTwoLargestUnits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:                      "0 seconds",
		0:                                 "0 seconds",
		time.Second:                       "1 second",
		59*time.Second + 999e6:            "59 seconds",
		time.Minute:                       "1 minute",
		4*time.Minute + 10*time.Second:    "4 minutes and 10 seconds",
		time.Hour + time.Second:           "1 hour",
		25*time.Hour + 30*time.Minute:     "1 day and 1 hour",
		30 * 24 * time.Hour:               "30 days",
		2*time.Hour + 59*time.Minute + 59: "2 hours and 59 minutes",
	} {
		if got := span(d); got != want {
			t.Errorf("span(%v) is %q, want %q", d, got, want)
		}
	}
}

func TestTextIsClippedInWords(t *testing.T) {
	for text, want := range map[string]string{
		"":        "",
		"abcde":   "abcde",
		"abcdef":  "abcd, and more",
		"日本語":     "日本, and more",
		"日本x":     "日本x",
		"abcd…":   "abcd…",
		"ab\x1bd": "ab␛d",
	} {
		if got := clip(text, 5); got != want {
			t.Errorf("clip(%q) is %q, want %q", text, got, want)
		}
	}
}
