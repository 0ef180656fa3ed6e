package ui

import (
	"context"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"gatehouse/styles"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
)

// terminal is the person's terminal, as described by the options.
type terminal struct {
	input   io.Reader // nil is that of the process
	output  io.Writer
	environ []string
	profile colorprofile.Profile
	remote  bool
	size    Size
	// own is the output if it is a terminal that the process can control.
	own file
}

// file is an open file.
type file interface {
	io.ReadWriteCloser
	Fd() uintptr
}

func newTerminal(o *Options) *terminal {
	t := &terminal{input: o.Input, output: o.Output, environ: o.Environ, remote: o.Remote, size: o.Size}
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
	if t.profile == colorprofile.ANSI256 && variablesOf(t.environ).hasTrueColourInTmux() {
		t.profile = colorprofile.TrueColor
	}
	return t
}

// slowGap is the minimum time between frames over a network that do not answer the
// person, such as those of a list that is loading.
const slowGap = 100 * time.Millisecond

// gap is the minimum time between frames that do not answer the person; 0 is the
// painter's default.
func (t *terminal) gap() time.Duration {
	if t.remote {
		return slowGap
	}
	return 0
}

// options let the library handle the input, and modes, size and suspension of the
// process's terminal, but give it nothing to draw.
func (t *terminal) options() []tea.ProgramOption {
	list := []tea.ProgramOption{
		tea.WithoutSignalHandler(), // the caller of Run ends the context on a signal
		tea.WithEnvironment(t.environ),
		tea.WithColorProfile(t.profile),
		tea.WithFPS(1), // the minimum: its frames are empty
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

// mute is a terminal that discards all output.
type mute struct{ file }

func (mute) Write(b []byte) (int, error) { return len(b), nil }

// queries are sent to the terminal at the start: for its background, and for synchronized output
// if it can be expected to answer.
func (t *terminal) queries() string {
	if variablesOf(t.environ).answersQueries(t.remote) {
		return ansi.RequestModeSynchronizedOutput + ansi.RequestBackgroundColor
	}
	return ansi.RequestBackgroundColor
}

// restoreTimeout is how long to wait for a terminal to accept the sequences that restore
// it.
const restoreTimeout = time.Second

// withRestoreTimeout calls do with a context that ends after restoreTimeout.
func withRestoreTimeout(do func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.Background(), restoreTimeout)
	defer cancel()
	do(ctx)
}

// leaveTerminal restores the terminal before the library quits or suspends the program.
// The library does that without an update, and the terminal then echoes typed keys; only
// its message filter runs early enough.
func (r *root) leaveTerminal(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.QuitMsg, tea.SuspendMsg:
		withRestoreTimeout(r.painter.Leave)
	}
	return msg
}

// display is what is known of the terminal, and how it is drawn on.
type display struct {
	env     *screen.Env
	styling styles.Options
	// canvas is an empty frame with the known properties of the terminal.
	canvas paint.Frame
	// showsProgress is set if the terminal shows the progress of long work.
	showsProgress bool

	width, height int
}

// restyle changes the theme in place, as every screen refers to it.
func (d *display) restyle() {
	if d.env.Theme.Options != d.styling {
		*d.env.Theme = *styles.New(d.styling)
		if d.styling.ASCII {
			d.env.Keys = d.env.Keys.InWords()
		}
	}
}

// terminalUpdate handles messages about the terminal.
func (r *root) terminalUpdate(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		r.width, r.height = msg.Width, msg.Height
		r.canvas.Redraw++
	case tea.SuspendMsg: // sent when the program continues
		r.painter.Enter()
	case tea.BackgroundColorMsg:
		r.styling.Light = !msg.IsDark()
		r.restyle()
	case tea.ColorProfileMsg:
		r.setProfile(msg.Profile)
	case tea.ModeReportMsg:
		supported := msg.Value == ansi.ModeReset // one that is set already is left alone
		r.canvas.Synchronized = r.canvas.Synchronized || supported && msg.Mode == ansi.ModeSynchronizedOutput
	}
}

// setProfile sets the colour profile of the terminal.
func (d *display) setProfile(profile colorprofile.Profile) {
	d.styling.NoColor = profile <= colorprofile.ASCII
	d.styling.Basic = profile == colorprofile.ANSI
	d.styling.Indexed = profile == colorprofile.ANSI256
	d.restyle()
}

// setFeatures sets what is known of the terminal from its variables.
func (d *display) setFeatures(environ []string) {
	v := variablesOf(environ)
	d.canvas.Links, d.showsProgress = v.hasLinks(), v.showsProgress()
	d.styling.ASCII = v.lacksUnicode()
	d.restyle()
}

// Size is the size of a terminal in cells. It is an alias, so that a server's channel of
// sizes can be used as it is.
type Size = struct{ Width, Height int }

// resizeInterval is the minimum time between two changes of size: dragging a window makes
// hundreds, and each redraws the whole screen.
const resizeInterval = 50 * time.Millisecond

// follow sends changes of the size, and notices of the operator, until the context ends or
// both channels are closed. Of many sizes in a short time it sends only some, but always the
// last.
func follow(ctx context.Context, changes <-chan Size, notices <-chan string, send func(tea.Msg)) {
	var newest Size
	var pause <-chan time.Time
	for pending := false; changes != nil || notices != nil || pending; {
		select {
		case <-ctx.Done():
			return
		case text, open := <-notices:
			if !open {
				notices = nil
				break
			}
			send(noticeMsg{text})
		case s, ok := <-changes:
			if !ok {
				changes = nil
				break
			}
			newest, pending = s, true
		case <-pause:
			pause = nil
		}
		if pending && pause == nil {
			send(tea.WindowSizeMsg(newest))
			pending, pause = false, time.After(resizeInterval)
		}
	}
}
