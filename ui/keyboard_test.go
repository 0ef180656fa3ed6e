package ui

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
)

// events has the pieces typed one after the other, and then nothing more.
func events(pieces ...string) []string {
	said := []string{}
	input := &keyboard{send: func(msg tea.Msg) {
		switch msg := msg.(type) {
		case tea.KeyPressMsg:
			said = append(said, msg.String())
		case tea.PasteMsg:
			said = append(said, fmt.Sprintf("paste %.20q", msg.Content))
		default:
			said = append(said, fmt.Sprintf("%T", msg))
		}
	}}
	for _, piece := range pieces {
		input.take([]byte(piece), false)
	}
	input.take(nil, true)
	return said
}

func TestWhatATerminalFarAwaySendsIsUnderstood(t *testing.T) {
	for name, tc := range map[string]struct {
		typed []string
		want  []string
	}{
		"keys":                            {[]string{"jq\r\tA"}, []string{"j", "q", "enter", "tab", "A"}},
		"arrows":                          {[]string{"\x1b[A\x1bOB\x1b[6~\x1b[1;5C"}, []string{"up", "down", "pgdown", "ctrl+right"}},
		"an arrow in pieces":              {[]string{"\x1b", "[", "A"}, []string{"up"}},
		"esc":                             {[]string{"\x1b"}, []string{"esc"}},
		"a character in pieces":           {[]string{"\xe6\x97", "\xa5"}, []string{"日"}},
		"a click":                         {[]string{"\x1b[<0;3;4M"}, []string{"tea.MouseClickMsg"}},
		"the background, late":            {[]string{"j", "\x1b]11;rgb:00", "00/0000/0000\x1b\\k"}, []string{"j", "tea.BackgroundColorMsg", "k"}},
		"a mode report":                   {[]string{"\x1b[?2026;2$y"}, []string{"tea.ModeReportMsg"}},
		"a size that nobody asked for":    {[]string{"\x1b[48;9;9;9;9t" + "j"}, []string{"j"}},
		"a paste":                         {[]string{"\x1b[200~de\rmo\x1b[201~j"}, []string{`paste "de\rmo"`, "j"}},
		"a paste in pieces":               {[]string{"\x1b[20", "0~d\x1b[", "201", "~"}, []string{`paste "d"`}},
		"a paste with half of an end":     {[]string{"\x1b[200~a\x1b[20", "1b\x1b[201~"}, []string{`paste "a\x1b[201b"`}},
		"a paste of something else":       {[]string{"\x1b[200~a\xff\x1b[201~"}, []string{"ui.notTakenMsg"}},
		"a paste of UTF-16":               {[]string{"\x1b[200~a\x00\x1b[201~"}, []string{"ui.notTakenMsg"}},
		"a paste whose end is lost":       {[]string{"\x1b[200~demo"}, []string{`paste "demo"`}},
		"ctrl+c in a paste":               {[]string{"\x1b[200~de\x03j"}, []string{`paste "de"`, "ctrl+c", "j"}},
		"ctrl+c of a newer terminal":      {[]string{"\x1b[200~de\x1b[99;", "5uj"}, []string{`paste "de"`, "ctrl+c", "j"}},
		"ctrl+c as xterm may send it":     {[]string{"\x1b[200~de\x1b[27;5;99~j"}, []string{`paste "de"`, "ctrl+c", "j"}},
		"a title in a paste":              {[]string{"\x1b[200~a\x1b]0;b\x1b[201~j"}, []string{`paste "a\x1b]0;b"`, "j"}},
		"a letter that is not UTF-8":      {[]string{"p\xe4ss"}, []string{"p", "ui.notTakenMsg", "s", "s"}},
		"such a letter alone":             {[]string{"\xe4"}, []string{"ui.notTakenMsg"}},
		"keys of the console of Linux":    {[]string{"\x1b[[A\x1b[[", "Ej"}, []string{"f1", "f5", "j"}},
		"a keypad in application mode":    {[]string{"\x1bOp\x1bOy\x1bOj\x1bOm\x1bOn\x1bOo\x1bOM"}, []string{"0", "9", "*", "-", ".", "/", "enter"}},
		"a keypad of a newer terminal":    {[]string{"\x1b[57400u\x1b[57410u\x1b[57414u"}, []string{"1", "/", "enter"}},
		"a paste that is too long":        {[]string{"\x1b[200~", strings.Repeat("x", maxPaste), "y\x1b[201~j"}, []string{"ui.notTakenMsg", "j"}},
		"an end of no paste":              {[]string{"\x1b[201~j"}, []string{"j"}},
		"a sequence that is none":         {[]string{"\x1b[99999999x"}, []string{}},
		"a sequence that never ends":      {append([]string{"\x1b]"}, strings.Split(strings.Repeat("0,", 2*maxSequence), ",")...), nil},
		"a device string that never ends": {append([]string{"\x1bP"}, strings.Split(strings.Repeat("0,", 2*maxSequence), ",")...), nil},
	} {
		got := events(tc.typed...)
		if diff := cmp.Diff(tc.want, got); diff != "" && tc.want != nil {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhatNeverEndsIsNotKept(t *testing.T) {
	for _, beginning := range []string{"\x1b]", "\x1bP", "\x1b_", "\x1b[", "\x1b[200~"} {
		input := &keyboard{send: func(tea.Msg) {}}
		input.take([]byte(beginning), false)
		for range 150 {
			input.take([]byte(strings.Repeat("0", maxPaste/50)), false)
		}
		if kept := cap(input.pending) + cap(input.paste); kept > 2*maxPaste {
			t.Errorf("of %q %d bytes are kept", beginning, kept)
		}
	}
}

func TestTheEndOfTheInputQuits(t *testing.T) {
	err := Run(t.Context(), &Options{Open: neverOpens, Input: strings.NewReader(""), Output: io.Discard, Remote: true, Environ: []string{"TERM=xterm"}})
	if err != nil {
		t.Error(err)
	}
}

func FuzzRemoteInput(f *testing.F) {
	f.Add([]byte("j\x1b[A\x1b]11;rgb:0/0/0\a"), uint8(3))
	f.Add([]byte("\x1b[200~paste\x1b[201~\x1b[<0;1;1M\x1b[?2026;2$y"), uint8(1))
	f.Add([]byte("\x1bP+r524742\x1b\\\x1b[?62;c\x1b_Gi=1\x1b\\\x9b31m\xff"), uint8(7))
	f.Fuzz(func(t *testing.T, typed []byte, size uint8) {
		input := &keyboard{send: func(tea.Msg) {}}
		for len(typed) > 0 {
			n := min(len(typed), int(size)+1)
			input.take(typed[:n], false)
			typed = typed[n:]
		}
		input.take(nil, true)
		if !input.pasting && len(input.pending) > 0 {
			t.Errorf("%q stays", input.pending)
		}
	})
}

func TestAFloodOfKeysIsSlowedDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, taken := time.Now(), 0
		input := &keyboard{send: func(msg tea.Msg) {
			if _, ok := msg.(tea.KeyPressMsg); ok {
				taken++
			}
		}}
		input.run(t.Context(), strings.NewReader(strings.Repeat("j", messageBurst+10*messagesPerSecond)))
		if took := time.Since(began); taken != messageBurst+10*messagesPerSecond || took < 9*time.Second || took > 11*time.Second {
			t.Errorf("%d keys in %v", taken, took)
		}
	})
}

// TestAPauseTellsEscFromTheBeginningOfAKey types pieces with a pause after each.
func TestAPauseTellsEscFromTheBeginningOfAKey(t *testing.T) {
	const short = escapeDelay * 3 / 5
	synctest.Test(t, func(t *testing.T) {
		var said []string
		input := &keyboard{send: func(msg tea.Msg) {
			if key, ok := msg.(tea.KeyPressMsg); ok {
				said = append(said, key.String())
			}
		}}
		from, to := io.Pipe()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			input.run(t.Context(), from)
		}()
		for _, typed := range []struct {
			piece string
			pause time.Duration
		}{
			{"\x1b", short}, {"[", short}, {"A", short}, // an arrow, for longer than the delay in all
			{"\x1b", 2 * escapeDelay}, {"j", short},
			{"\x1b", 2 * escapeDelay}, {"\x1b", 2 * escapeDelay},
			{"\x1b", 0}, // and the end
		} {
			if _, err := io.WriteString(to, typed.piece); err != nil {
				t.Fatal(err)
			}
			<-time.After(typed.pause)
			synctest.Wait()
		}
		_ = to.Close()
		<-ended
		if diff := cmp.Diff([]string{"up", "esc", "j", "esc", "esc"}, said); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
