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

// terminal is the person's terminal: what is known of it, and how it is drawn on.
type terminal struct {
	options *Options
	env     *screen.Env
	news    *news
	painter *paint.Painter
	profile colorprofile.Profile
	// own is the output if it is a terminal that the process can control.
	own file
	// suspendable is set if the program can be suspended.
	suspendable bool

	styling styles.Options
	// canvas is an empty frame with the known properties of the terminal.
	canvas paint.Frame
	// showsProgress is set if the terminal shows the progress of long work.
	showsProgress bool

	width, height int
}

// file is an open file.
type file interface {
	io.ReadWriteCloser
	Fd() uintptr
}

// slowGap is the minimum time between frames over a network that do not answer the
// person, such as those of a list that is loading.
const slowGap = 100 * time.Millisecond

// detect determines what the terminal can do.
func (t *terminal) detect() {
	o := t.options
	if o.Output == nil {
		o.Output = os.Stdout
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	v := variablesOf(o.Environ)
	t.profile = colorprofile.Env(o.Environ)
	if f, ok := o.Output.(file); ok && o.Size == (Size{}) && term.IsTerminal(int(f.Fd())) {
		t.own, t.profile = f, colorprofile.Detect(f, o.Environ)
	}
	if t.profile == colorprofile.ANSI256 && v.hasTrueColourInTmux() {
		t.profile = colorprofile.TrueColor
	}
	t.setProfile(t.profile)
	t.setFeatures(v)
}

// startPainter starts to paint frames, with questions to the terminal: for its background, and for
// synchronized output if it can be expected to answer.
func (t *terminal) startPainter(panicked func()) {
	o := paint.Options{Ask: ansi.RequestBackgroundColor, Panicked: panicked}
	if variablesOf(t.options.Environ).answersQueries(t.options.Remote) {
		o.Ask = ansi.RequestModeSynchronizedOutput + ansi.RequestBackgroundColor
	}
	if t.options.Remote {
		o.Gap = slowGap
	}
	t.painter = paint.Start(t.options.Output, o)
}

// programOptions let the library handle the input, and modes, size and suspension of the
// process's terminal, but give it nothing to draw.
func (t *terminal) programOptions() []tea.ProgramOption {
	o := t.options
	list := []tea.ProgramOption{
		tea.WithFilter(t.leave),
		tea.WithoutSignalHandler(), // the caller of Run ends the context on a signal
		tea.WithEnvironment(o.Environ),
		tea.WithColorProfile(t.profile),
		tea.WithFPS(1), // the minimum: its frames are empty
	}
	if o.Remote {
		list = append(list, tea.WithInput(nil)) // remoteInput reads it
	} else if o.Input != nil {
		list = append(list, tea.WithInput(o.Input))
	}
	if t.own != nil {
		return append(list, tea.WithOutput(mute{t.own}))
	}
	list = append(list, tea.WithOutput(io.Discard), tea.WithoutRenderer())
	if o.Size != (Size{}) {
		list = append(list, tea.WithWindowSize(o.Size.Width, o.Size.Height))
	}
	return list
}

// mute is a terminal that discards all output.
type mute struct{ file }

func (mute) Write(b []byte) (int, error) { return len(b), nil }

// restoreTimeout is how long to wait for a terminal to accept the sequences that restore
// it.
const restoreTimeout = time.Second

// withRestoreTimeout calls do with a context that ends after restoreTimeout.
func withRestoreTimeout(do func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.Background(), restoreTimeout)
	defer cancel()
	do(ctx)
}

// leave restores the terminal before the library quits or suspends the program. The library
// does that without an update, and the terminal then echoes typed keys; only its message filter
// runs early enough.
func (t *terminal) leave(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.QuitMsg, tea.SuspendMsg:
		withRestoreTimeout(t.painter.Leave)
	}
	return msg
}

// restyle changes the theme in place, as every screen refers to it.
func (t *terminal) restyle() {
	if t.env.Theme.Options != t.styling {
		*t.env.Theme = *styles.New(t.styling)
		if t.styling.ASCII {
			t.env.Keys = t.env.Keys.InWords()
		}
	}
}

// update handles messages about the terminal.
func (t *terminal) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		t.width, t.height = msg.Width, msg.Height
		t.canvas.Redraw++
	case tea.SuspendMsg: // sent when the program continues
		t.painter.Enter()
	case tea.BackgroundColorMsg:
		t.styling.Light = !msg.IsDark()
		t.restyle()
	case tea.ColorProfileMsg:
		t.setProfile(msg.Profile)
	case tea.ModeReportMsg:
		supported := msg.Value == ansi.ModeReset // one that is set already is left alone
		t.canvas.Synchronized = t.canvas.Synchronized || supported && msg.Mode == ansi.ModeSynchronizedOutput
	}
}

// setProfile sets the colour profile of the terminal.
func (t *terminal) setProfile(profile colorprofile.Profile) {
	t.styling.NoColor = profile <= colorprofile.ASCII
	t.styling.Basic = profile == colorprofile.ANSI
	t.styling.Indexed = profile == colorprofile.ANSI256
	t.restyle()
}

// setFeatures sets what is known of the terminal from its variables.
func (t *terminal) setFeatures(v variables) {
	t.canvas.Links, t.showsProgress = v.hasLinks(), v.showsProgress()
	t.styling.ASCII = v.lacksUnicode()
	t.restyle()
}

// mouseKey is the key in the state for whether the program uses the mouse.
const mouseKey = "root.mouse"

// restoreMouse restores the choice of an earlier run, unless the options turn the mouse
// off. Over a network the terminal keeps the mouse until the person changes that.
func (t *terminal) restoreMouse() {
	used := !t.options.Remote
	t.env.State.Get(mouseKey, &used)
	t.options.NoMouse = t.options.NoMouse || !used
}

// switchMouse leaves the mouse to the terminal, or uses it again.
func (t *terminal) switchMouse() tea.Cmd {
	t.options.NoMouse = !t.options.NoMouse
	t.env.State.Set(mouseKey, !t.options.NoMouse)
	if t.options.NoMouse {
		return t.news.Say("Mouse off: you can select text with it. "+t.env.Keys.Key("root.mouse")+" turns it on.", false)
	}
	return t.news.Say("Mouse on. "+t.env.Keys.Key("root.mouse")+" turns it off, to select text.", false)
}

// Size is the size of a terminal in cells. It is an alias, so that a server's channel of
// sizes can be used as it is.
type Size = struct{ Width, Height int }

// resizeInterval is the minimum time between two changes of size: dragging a window makes
// hundreds, and each redraws the whole screen.
const resizeInterval = 50 * time.Millisecond

// follow sends changes of the size, and notices of the operator, until the context ends or
// both channels are closed.
func follow(ctx context.Context, changes <-chan Size, notices <-chan string, send func(tea.Msg)) {
	resized := changes
	var pause <-chan time.Time
	for changes != nil || notices != nil {
		select {
		case <-ctx.Done():
			return
		case text, open := <-notices:
			if !open {
				notices = nil
				break
			}
			send(noticeMsg{text})
		case size, open := <-resized:
			if !open {
				changes, resized = nil, nil
				break
			}
			send(tea.WindowSizeMsg(size))
			resized, pause = nil, time.After(resizeInterval)
		case <-pause:
			resized = changes
		}
	}
}
