package ui

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// terminal is what the person sits at, as far as the options tell.
type terminal struct {
	input   io.Reader // nil is the process's
	output  io.Writer
	environ []string
	profile colorprofile.Profile
	remote  bool
	size    Size
	// own is the output where it is a terminal that the process can control.
	own file
}

// file is an open file, such as a terminal.
type file interface {
	io.ReadWriteCloser
	Fd() uintptr
}

func newTerminal(o Options) terminal {
	t := terminal{input: o.Input, output: o.Output, environ: o.Environ, remote: o.Remote, size: o.Size}
	if t.output == nil {
		t.output = os.Stdout
	}
	if t.environ == nil {
		t.environ = os.Environ()
	}
	if f, ok := t.output.(file); ok && o.Size == (Size{}) && term.IsTerminal(int(f.Fd())) {
		t.own, t.profile = f, colorprofile.Detect(f, t.environ)
	} else {
		t.profile = colorprofile.Env(t.environ)
	}
	return t
}

// slowGap is the time between frames over a network that nothing the person did
// has caused, such as those of a list that is loading.
const slowGap = 100 * time.Millisecond

// gap is the least time between frames that nothing the person did has caused.
func (t terminal) gap() time.Duration {
	if t.remote {
		return slowGap
	}
	return 0
}

// options leave to the library the input, and the modes, the size and the
// suspension of a terminal of the process, but nothing to draw.
func (t terminal) options() []tea.ProgramOption {
	list := []tea.ProgramOption{
		tea.WithoutSignalHandler(), // whoever runs the UI ends its context with the signals
		tea.WithEnvironment(t.environ),
		tea.WithColorProfile(t.profile),
		tea.WithFPS(1), // the least; there is nothing in those frames
	}
	if t.remote {
		list = append(list, tea.WithInput(nil)) // remoteInput reads it
	} else if t.input != nil {
		list = append(list, tea.WithInput(t.input))
	}
	if t.own != nil {
		return append(list, tea.WithOutput(mute{t.own}))
	}
	list = append(list, tea.WithOutput(io.Discard), tea.WithoutRenderer())
	if t.size != (Size{}) {
		list = append(list, tea.WithWindowSize(t.size.Width, t.size.Height))
	}
	return list
}

// mute is a terminal to which nothing is written.
type mute struct{ file }

func (mute) Write(b []byte) (int, error) { return len(b), nil }

// questions are what the terminal is asked at the start: its background, and the
// modes it knows where it can be expected to answer.
func (t terminal) questions() string {
	if asksForModes(t.environ, t.remote) {
		return ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore + ansi.RequestBackgroundColor
	}
	return ansi.RequestBackgroundColor
}

// asksForModes reports whether a terminal, by its variables, answers questions for
// modes. Some print them, and over a network only few are known not to.
func asksForModes(environ []string, remote bool) bool {
	variables := make(map[string]string, len(environ))
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		variables[name] = value
	}
	for _, known := range []string{"ghostty", "wezterm", "alacritty", "kitty", "rio"} {
		if strings.Contains(variables["TERM"], known) {
			return true
		}
	}
	if _, ok := variables["WT_SESSION"]; ok {
		return true
	}
	_, ssh := variables["SSH_TTY"]
	return !remote && !ssh && !strings.Contains(variables["TERM_PROGRAM"], "Apple")
}

// patience is how long a terminal may take to accept what puts it back.
const patience = time.Second

// within does something that may wait for the terminal, and waits no longer than
// the patience lasts.
func within(do func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	do(ctx)
}

// leaveTerminal gives the terminal back before the library ends or suspends the
// program. The library does either without an update, and then the terminal shows
// the keys that are typed: its filter of messages is the only place before.
func (r *root) leaveTerminal(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.QuitMsg, tea.SuspendMsg:
		within(r.painter.Leave)
	}
	return msg
}

// terminalUpdate takes note of what is learned of the terminal.
func (r *root) terminalUpdate(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		r.width, r.height = msg.Width, msg.Height
		r.canvas.Redraw++
	case tea.SuspendMsg: // comes when that is over
		r.painter.Enter()
	case tea.BackgroundColorMsg:
		r.styling.Light = !msg.IsDark()
		r.restyle()
	case tea.ColorProfileMsg:
		r.coloured(msg.Profile)
	case tea.ModeReportMsg:
		r.modeReport(msg)
	}
}

// modeReport takes note of a mode that the terminal knows. One that is on already
// is left alone.
func (r *root) modeReport(msg tea.ModeReportMsg) {
	if msg.Value != ansi.ModeReset {
		return
	}
	switch msg.Mode {
	case ansi.ModeSynchronizedOutput:
		r.canvas.Synchronized = true
	case ansi.ModeUnicodeCore:
		r.canvas.Graphemes = true
	}
}

// coloured draws with as many colours as the terminal has.
func (r *root) coloured(profile colorprofile.Profile) {
	r.canvas.Profile = profile
	r.styling.NoColor = profile <= colorprofile.ASCII
	r.styling.Basic = profile == colorprofile.ANSI
	r.restyle()
}

// Size is how large a terminal is, in cells. It is an alias, so that a server's channel
// of sizes can be followed as it is.
type Size = struct{ Width, Height int }

// resizePause is the time from one change of size that is told to the next: dragging
// a window makes hundreds, and each has the whole screen drawn.
const resizePause = 50 * time.Millisecond

// follow tells of the changes of a size, the last always, until the context ends
// or the channel is closed. Of many in a short time it tells only some.
func follow(ctx context.Context, changes <-chan Size, tell func(Size)) {
	var newest Size
	var pause <-chan time.Time
	for untold := false; changes != nil || untold; {
		select {
		case <-ctx.Done():
			return
		case s, ok := <-changes:
			if !ok {
				changes = nil
				break
			}
			newest, untold = s, true
		case <-pause:
			pause = nil
		}
		if untold && pause == nil {
			tell(newest)
			untold, pause = false, time.After(resizePause)
		}
	}
}
