//go:build unix

package ui

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/term"
)

func TestAPanicPutsTheTerminalBackAndIsReportedWithoutSecrets(t *testing.T) {
	person, program, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	before, err := term.GetState(int(program.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	var drawn bytes.Buffer
	entered, read := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.CopyN(&drawn, person, 1)
		close(entered)
		_, _ = drawn.ReadFrom(person) // until the other side is closed
	}()

	dir := filepath.Join(t.TempDir(), "gatehouse")
	told := Run(t.Context(), &Options{
		Open: func(context.Context) (Opened, error) {
			<-entered
			panic("canary")
		},
		Input:   program,
		Output:  program,
		Environ: []string{"TERM=xterm-256color"},
		Reports: dir, Version: "v1.2.3",
	})
	after, err := term.GetState(int(program.Fd()))
	if err != nil || *after != *before {
		t.Errorf("the terminal is not as it was (%v)", err)
	}
	program.Close()
	<-read

	reports, _ := filepath.Glob(filepath.Join(dir, "crash-*.txt"))
	if len(reports) != 1 {
		t.Fatalf("%d reports", len(reports))
	}
	if told == nil || !strings.Contains(told.Error(), "because of a bug") {
		t.Errorf("told is %v", told)
	}
	report, err := os.ReadFile(reports[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Gatehouse v1.2.3", "go1.", "screen: none", "crash_test.go:", "ui.panicMsg"} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if strings.Contains(string(report)+told.Error()+drawn.String(), "canary") {
		t.Error("what the panic said is told")
	}
	if info, err := os.Stat(reports[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	requireLast(t, drawn.String(), "\x1b[?1049h", "\x1b[?1049l")
	requireLast(t, drawn.String(), "\x1b[22;2t", "\x1b[23;2t")
}

// broken is the input of a person far away whose connection has a mistake in it.
type broken struct{}

func (broken) Read([]byte) (int, error) { panic("canary") }

func TestAPanicOfWhatReadsTheInputPutsTheTerminalBack(t *testing.T) {
	var screen bytes.Buffer
	var report string
	told := Run(t.Context(), &Options{
		Open:    func(ctx context.Context) (Opened, error) { <-ctx.Done(); return Opened{}, ctx.Err() },
		Remote:  true,
		Input:   broken{},
		Output:  &screen,
		Size:    Size{Width: 80, Height: 24},
		Crashed: func(text string) { report = text },
	})
	if told == nil || !strings.Contains(told.Error(), "because of a bug") {
		t.Errorf("told is %v", told)
	}
	if !strings.Contains(report, "broken.Read") || strings.Contains(report, "canary") {
		t.Errorf("the report is %q", report)
	}
	if on, off := strings.Index(screen.String(), "\x1b[?1049h"), strings.LastIndex(screen.String(), "\x1b[?1049l"); on > off {
		t.Errorf("the terminal is left in %q", screen.String())
	}
}
