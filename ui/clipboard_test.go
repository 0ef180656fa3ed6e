package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestACopyHoldsNothingThatATerminalObeys(t *testing.T) {
	for text, want := range map[string]string{
		"plain\n\tlines\r\n":            "plain\n\tlines\r\n",
		"日本 \U0001f468\u200d\U0001f469": "日本 \U0001f468\u200d\U0001f469",
		"a\x1b[201~b":                   "a␛[201~b",
	} {
		if got := visibleControls(text); got != want {
			t.Errorf("%q is copied as %q, want %q", text, got, want)
		}
	}
	if got := visibleControls("a\u009bb"); strings.ContainsRune(got, '\u009b') {
		t.Errorf("%q holds a control character", got)
	}
}

func TestWhatIsTooLongForAClipboardIsRefused(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 24)
		d.model.root.Copy(strings.Repeat("x", maxCopy+1), "all of it")
		d.Expect("Not copied: 75.0 kB is more than")
		d.model.root.Copy(strings.Repeat("x", maxCopy), "all of it")
		d.Press("f1").Expect("Copied all of it.")
	})
}

func TestWhereThereIsADesktopItsClipboardIsFilledAsWell(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 24)
		copied := make(chan string, 2)
		var refused error
		d.model.root.options.Clipboard = func(_ context.Context, text string) error {
			copied <- text
			return refused
		}
		for _, long := range []string{"short", strings.Repeat("x", maxCopy+1)} {
			d.Run(d.model.root.Copy(long, "all of it"))
			d.Until("the copy", func() bool { return len(copied) > 0 })
			if got := <-copied; got != long {
				t.Errorf("%d bytes were copied", len(got))
			}
			d.Press("f1", "esc").Expect("Copied all of it.")
		}
		refused = errors.New("no display")
		d.Run(d.model.root.Copy(strings.Repeat("x", maxCopy+1), "all of it"))
		d.Expect("Not copied: the clipboard of this desktop")
	})
}
