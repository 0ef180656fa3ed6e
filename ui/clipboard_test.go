package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

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

func TestACopiedValueIsOneLine(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 24)
		copied := make(chan string, 1)
		d.model.root.options.Clipboard = func(_ context.Context, text string) error {
			copied <- text
			return nil
		}
		const text = "ls\nrm -rf ~\r\n\t\x1b"
		for what, test := range map[string]struct {
			copy func(text, what string) tea.Cmd
			want string
		}{
			"a value":    {d.model.root.Copy, "ls␊rm -rf ~␍␊\t␛"},
			"a document": {d.model.root.CopyDocument, "ls\nrm -rf ~\r\n\t␛"},
		} {
			d.Run(test.copy(text, what))
			d.Until("the copy", func() bool { return len(copied) > 0 })
			if got := <-copied; got != test.want {
				t.Errorf("%s is copied as %q, want %q", what, got, test.want)
			}
		}
	})
}

func TestWhatIsTooLongForAClipboardIsRefused(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 24)
		d.model.root.Copy(strings.Repeat("x", maxCopy+1), "all of it")
		d.Expect("Not copied: 75.0 kB is more than")
		d.model.root.Copy("", "the name")
		d.Press("f2").Expect("Not copied: the name is empty.")
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
		d.Expect("Not copied: the clipboard did not take")
	})
}

func TestACopyThatTmuxMayDropSaysSo(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 24)
		for variable, dropped := range map[string]bool{
			"TERM=tmux-256color": true, "TERM=screen": true, "TMUX=/tmp/tmux-0/default,1,0": true,
			"TERM=xterm-256color": false, "TMUX=": false,
		} {
			d.model.root.options.Environ = []string{"LANG=C", variable}
			d.model.root.Copy("text", "the "+variable)
			d.Press("f1", "esc").Expect("Copied the " + variable)
			if said := strings.Contains(d.Frame(), "set-clipboard on"); said != dropped {
				t.Errorf("%s: said %v, want %v", variable, said, dropped)
			}
		}
		// What a tool takes arrives in any case.
		d.model.root.options.Clipboard = func(context.Context, string) error { return nil }
		d.model.root.options.Environ = []string{"TERM=tmux-256color"}
		d.Run(d.model.root.Copy("text", "it"))
		d.Expect("Copied it.")
	})
}

func TestWhatATerminalWithoutAClipboardIsGivenIsNotCopied(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 24)
		for _, variables := range [][]string{
			{"TERM=linux"}, {"TERM=vt100"}, {"TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal"},
			{"TERM=screen", "STY=1.pts-0"}, {"TERM=screen.xterm-256color"},
		} {
			d.model.root.options.Environ, d.model.root.options.Clipboard = variables, nil
			d.model.root.Copy("text", "it")
			d.Press("f1", "esc").Expect("Not copied: this terminal has no clipboard for programs.")
			// What a tool takes arrives in any case, and is waited for.
			d.model.root.options.Clipboard = func(context.Context, string) error { return errors.New("no display") }
			d.Run(d.model.root.Copy("text", "it"))
			d.Expect("Not copied: the clipboard did not take it.")
			d.model.root.options.Clipboard = func(context.Context, string) error { return nil }
			d.Run(d.model.root.Copy("text", "it"))
			d.Expect("Copied it.")
		}
	})
}
