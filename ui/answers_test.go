package ui

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/config"
)

func TestATerminalIsAskedHowWideAmbiguousCharactersAre(t *testing.T) {
	const wideSign, narrowSign = "/\\ Gatehouse", "▟▙ Gatehouse"
	for name, tt := range map[string]struct {
		environ, setting string
		asked            bool
		answer           string
		shows            string
	}{
		"they are narrow":     {"TERM=xterm", "", true, "\x1b[2;4R", narrowSign},
		"they are wide":       {"TERM=xterm", config.AmbiguousAuto, true, "\x1b[2;7R", wideSign},
		"some are":            {"TERM=xterm", "", true, "\x1b[2;5R", wideSign},
		"no answer":           {"TERM=xterm", "", true, "", narrowSign},
		"a key with shift":    {"TERM=xterm", "", true, "\x1b[1;2R", narrowSign},
		"set to wide":         {"TERM=xterm", config.AmbiguousWide, false, "", wideSign},
		"set to narrow":       {"TERM=xterm", config.AmbiguousNarrow, false, "\x1b[2;7R", narrowSign},
		"a terminal for text": {"TERM=dumb", "", false, "\x1b[2;7R", narrowSign},
		"no variables":        {"TERM=", "", false, "\x1b[2;7R", narrowSign},
	} {
		t.Run(name, func(t *testing.T) {
			r := dial(t, t.Context(), Options{Size: Size{80, 24}, Environ: []string{tt.environ}, AmbiguousWidth: tt.setting})
			r.until("the first frame", shows("Gatehouse"))
			_, _ = io.WriteString(r.keys, tt.answer+"\x10") // the palette
			r.until("its signs", func(screen, raw string) bool { return strings.Contains(raw, "what to do") })
			r.until("its signs", shows(tt.shows))
			if asked := strings.Contains(r.raw.String(), "\x1b[6n"); asked != tt.asked {
				t.Errorf("asked: %v", asked)
			}
			_, _ = io.WriteString(r.keys, "\x03")
			<-r.ended
		})
	}
}

// What a terminal answers after the end would be typed into the shell.
func TestTheProgramEndsOnceTheTerminalHasAnswered(t *testing.T) {
	for name, tt := range map[string]struct{ after, ends time.Duration }{
		"soon":  {100 * time.Millisecond, 100 * time.Millisecond},
		"never": {time.Hour, answerTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				r := dial(t, t.Context(), Options{Size: Size{80, 24}})
				synctest.Wait()
				_, _ = io.WriteString(r.keys, "\x03")
				time.AfterFunc(tt.after, func() { _, _ = io.WriteString(r.keys, "\x1b[2;4R") })
				<-r.ended
				if took := time.Since(begun); took != tt.ends {
					t.Errorf("it ends after %v", took)
				}
			})
		})
	}
}
