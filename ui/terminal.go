package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"gatehouse/internal/config"
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
	// own is the output if it is the terminal of the process; otherwise nil.
	own file
	// suspendable means that the program can be suspended.
	suspendable bool
	// program handles the input of the process's terminal, and stops handles signals that suspend
	// the process. Both are nil for a Remote person.
	program *tea.Program
	stops   *stops

	styling styles.Options
	// canvas is an empty frame with the known properties of the terminal.
	canvas paint.Frame
	// clicks means that the terminal can be expected to report clicks.
	clicks bool
	// pendingAnswers are those that the terminal has not given yet.
	pendingAnswers answers
	// showsProgress means that the terminal can show the progress of long work.
	showsProgress bool

	width, height int
}

// file is an open file that may be a terminal.
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
	if f, ok := o.Output.(file); ok && !o.Remote {
		t.own, t.profile = f, colorprofile.Detect(f, o.Environ)
	}
	switch {
	case v.lacksColours():
		t.profile = min(t.profile, colorprofile.ASCII)
	case t.profile == colorprofile.ANSI256 && v.hasTrueColourInTmux():
		t.profile = colorprofile.TrueColor
	}
	t.canvas.Links, t.showsProgress = v.hasLinks(), v.showsProgress()
	t.styling.ASCII = v.lacksUnicode()
	t.clicks = v.reportsClicks()
	t.hearClicks()
	if o.AmbiguousWidth == config.AmbiguousWide {
		t.widen()
	}
	t.setProfile(t.profile)
}

// startPainter starts to paint frames, with questions to the terminal: for its background, and for
// synchronized output if it can be expected to answer.
func (t *terminal) startPainter(send func(tea.Msg)) {
	o := paint.Options{
		Ask:      ansi.RequestBackgroundColor,
		Panicked: func() { send(panicMsg{callers()}) },
		Failed: func(err error) {
			if isGone(err) {
				go send(tea.QuitMsg{}) // the program may wait for the painter
			}
		},
	}
	if variablesOf(t.options.Environ).answersQueries(t.options.Remote) {
		o.Ask = ansi.RequestModeSynchronizedOutput + ansi.RequestBackgroundColor
	}
	if t.asksWidth() {
		o.Ask += askWidth
		t.pendingAnswers = newAnswers()
	}
	if t.options.Remote {
		o.Gap = slowGap
	}
	t.painter = paint.Start(t.options.Output, o)
}

// isGone reports whether a failure to write means that nothing more can be written.
func isGone(err error) bool {
	for _, gone := range []error{syscall.EIO, syscall.EPIPE, syscall.ENXIO, os.ErrClosed} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}

// programOptions have the library handle input, modes, size and suspension of the process's
// terminal, but draw nothing: the painter does that.
func (t *terminal) programOptions(send func(tea.Msg)) []tea.ProgramOption {
	o := t.options
	input := o.Input
	if input == nil {
		input = os.Stdin
	}
	list := []tea.ProgramOption{
		tea.WithFilter(t.leave),
		tea.WithoutSignalHandler(), // the caller of Run ends the context on a signal
		tea.WithEnvironment(o.Environ),
		tea.WithColorProfile(t.profile),
		tea.WithFPS(1), // the minimum: its frames are empty
		tea.WithOutput(mute{t.own}),
	}
	switch own := ownTerminal(input); {
	case own != nil && readsBytes:
		list = append(list, tea.WithInput(newHeard(own, send, t.answered)))
	case o.Input != nil:
		list = append(list, tea.WithInput(o.Input))
	}
	return list
}

// readsBytes is true where the input of a terminal is bytes. A Windows console has records, which
// the library reads.
const readsBytes = runtime.GOOS != "windows"

// ownTerminal is the input if it is a terminal of the process, else nil.
func ownTerminal(input io.Reader) *os.File {
	own, ok := input.(*os.File)
	if !ok || !term.IsTerminal(int(own.Fd())) {
		return nil
	}
	return own
}

// heard is a terminal whose keys the [keyboard] sends to the program. The library, which handles
// the modes of the terminal, reads nothing from it. It is a file, as the library stops reading
// only from files.
type heard struct {
	*os.File
	keyboard *keyboard
}

func newHeard(own *os.File, send func(tea.Msg), answered func()) *heard {
	h := &heard{File: own, keyboard: &keyboard{send: send, answered: answered}}
	h.keyboard.start()
	return h
}

// Read passes what is typed to the keyboard, and returns nothing to the library. If the terminal
// is gone, it ends the program without an error.
func (h *heard) Read(p []byte) (int, error) {
	n, err := h.File.Read(p)
	guardedBy(h.keyboard.send, func() { h.keyboard.read(p[:n]) })
	if err != nil {
		go h.keyboard.send(tea.QuitMsg{}) // the library may wait for the end of reading
		return 0, io.EOF
	}
	return 0, nil
}

// mute is a terminal that discards all output.
type mute struct{ file }

func (mute) Write(b []byte) (int, error) { return len(b), nil }

// restoreTimeout is how long to wait until a terminal has accepted the sequences that restore it.
const restoreTimeout = time.Second

// withRestoreTimeout calls do with a context that ends after restoreTimeout.
func withRestoreTimeout(do func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.Background(), restoreTimeout)
	defer cancel()
	do(ctx)
}

// leave is the library's message filter. It restores the terminal before the library quits: the
// library does not update the model then, and the terminal would echo keys that are typed
// meanwhile. It also suspends the program, as the signal that the library would use has no effect
// any more, see [stops].
func (t *terminal) leave(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.QuitMsg:
		withRestoreTimeout(t.painter.Leave)
	case tea.SuspendMsg:
		withRestoreTimeout(t.painter.Leave)
		t.suspend()
		return continuedMsg{}
	case resumedMsg:
		withRestoreTimeout(t.painter.Leave)
		if t.program.ReleaseTerminal() == nil {
			_ = t.program.RestoreTerminal()
		}
		return continuedMsg{}
	}
	return msg
}

// resumedMsg says that the program goes on after something else has stopped it, such as kill
// -STOP. The terminal has to be taken over again.
type resumedMsg struct{}

// continuedMsg says that the program was suspended and goes on.
type continuedMsg struct{}

// suspend stops the program until it is continued. If the terminal cannot be taken over then, the
// next read fails.
func (t *terminal) suspend() {
	if t.stops == nil || t.program.ReleaseTerminal() != nil {
		return
	}
	t.stops.stop()
	_ = t.program.RestoreTerminal()
}

// widen draws for a terminal on which characters of ambiguous width take two cells. The program's
// own signs are ASCII from then on.
func (t *terminal) widen() { t.canvas.Wide, t.styling.ASCII = true, true }

// asksWidth reports whether the terminal is asked how wide it draws ambiguous characters: if that
// is not known, if the program uses such characters, and if the terminal can be expected to
// answer.
func (t *terminal) asksWidth() bool {
	v, width := variablesOf(t.options.Environ), t.options.AmbiguousWidth
	isKnown := width == config.AmbiguousNarrow || width == config.AmbiguousWide
	isTerminal := v["TERM"] != "" && !v.isText() && (t.own != nil || t.options.Remote)
	return !isKnown && !t.styling.ASCII && isTerminal
}

// answered notes that the terminal has answered the last question.
func (t *terminal) answered() { t.pendingAnswers.take() }

// restyle makes the theme again. It replaces the content of the old one, to which all screens
// refer.
func (t *terminal) restyle() {
	*t.env.Theme = *styles.New(t.styling)
	if t.styling.ASCII {
		t.env.Keys = t.env.Keys.InWords()
	}
}

// update handles messages about the terminal.
func (t *terminal) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		t.width, t.height = msg.Width, msg.Height
		t.canvas.Redraw++
	case continuedMsg:
		t.painter.Enter()
	case tea.BackgroundColorMsg:
		t.styling.Light = !msg.IsDark()
		t.restyle()
	case tea.ColorProfileMsg:
		t.setProfile(msg.Profile)
	case tea.CursorPositionMsg:
		if t.pendingAnswers.came != nil && msg.Y == askedLine-1 && msg.X > askedCells {
			t.widen()
			t.restyle()
		}
	case tea.ModeReportMsg:
		isSupported := msg.Value == ansi.ModeReset // a mode that is set already belongs to somebody else
		if isSupported && msg.Mode == ansi.ModeSynchronizedOutput {
			t.canvas.Synchronized = true
		}
	}
}

// setProfile sets the colour profile of the terminal.
func (t *terminal) setProfile(profile colorprofile.Profile) {
	t.styling.NoColor = profile <= colorprofile.ASCII
	t.styling.Basic = profile == colorprofile.ANSI
	t.styling.Indexed = profile == colorprofile.ANSI256
	t.restyle()
}

// mouseKey is the key in the state for whether the program uses the mouse.
const mouseKey = "root.mouse"

// hearClicks tells the screens whether they can be clicked.
func (t *terminal) hearClicks() { t.env.Clicks = t.clicks && !t.options.NoMouse }

// switchMouse leaves the mouse to the terminal, or uses it again.
func (t *terminal) switchMouse() tea.Cmd {
	t.options.NoMouse = !t.options.NoMouse
	t.env.State.Set(mouseKey, !t.options.NoMouse)
	t.hearClicks()
	if t.options.NoMouse {
		return t.news.Say("Gatehouse now ignores the mouse, so you can select text. "+
			t.env.Keys.Key(screen.RootMouse)+" turns it on.", false)
	}
	return t.news.Say("Mouse on. "+t.env.Keys.Key(screen.RootMouse)+
		" turns it off, so that you can select text.", false)
}

// Size is the size of a terminal in cells. It is an alias of an unnamed type, so that the channel
// of sizes of another package can be used unchanged.
type Size = struct{ Width, Height int }

// resizeInterval is the minimum time between two changes of size: dragging a window makes
// hundreds, and each redraws the whole screen.
const resizeInterval = 50 * time.Millisecond

// variables are the environment variables, which tell what a terminal can do. Over a network only
// a few of them are known.
type variables map[string]string

// variablesOf makes variables of an environment of the form NAME=VALUE.
func variablesOf(environ []string) variables {
	v := make(variables, len(environ))
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		v[name] = value
	}
	return v
}

// isOneOf reports whether TERM contains the name of one of these terminals.
func (v variables) isOneOf(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.Contains(v["TERM"], name)
	})
}

// answersQueries reports whether the terminal answers queries for modes. Some print them
// instead, and over a network only a few are known not to.
func (v variables) answersQueries(remote bool) bool {
	if v.isOneOf("ghostty", "wezterm", "alacritty", "kitty", "rio") || v["WT_SESSION"] != "" {
		return true
	}
	return !remote && v["SSH_TTY"] == "" && !strings.Contains(v["TERM_PROGRAM"], "Apple")
}

// lacksUnicode reports whether the terminal shows ASCII alone: a text console, an old terminal,
// or a locale with another character set. C and POSIX count as ASCII only if they are set:
// containers and connections often have no locale, and a terminal with UTF-8.
func (v variables) lacksUnicode() bool {
	if v["TERM"] == "linux" || strings.HasPrefix(v["TERM"], "vt") {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		value := v[name]
		if value == "" {
			continue
		}
		language, charset, hasCharset := strings.Cut(value, ".")
		charset = strings.ToLower(strings.ReplaceAll(charset, "-", ""))
		isASCII := !hasCharset && (language == "C" || language == "POSIX")
		return isASCII || hasCharset && !strings.HasPrefix(charset, "utf8")
	}
	return false
}

// hasLinks reports whether hyperlinks can be sent to the terminal (OSC 8), which shows or ignores
// them.
func (v variables) hasLinks() bool {
	return v["TERM"] != "" && !v.isText() && !strings.Contains(v["TERM_PROGRAM"], "Apple")
}

// lacksColours reports whether the person wants no colours, by a variable that the library for
// colour profiles does not know, or the name of the terminal says that it has none.
func (v variables) lacksColours() bool {
	unwanted := v["CLICOLOR"] == "0" && (v["CLICOLOR_FORCE"] == "" || v["CLICOLOR_FORCE"] == "0")
	return unwanted || strings.HasSuffix(v["TERM"], "-mono") || strings.HasSuffix(v["TERM"], "-m")
}

// hasTrueColourInTmux reports whether the program runs in tmux and COLORTERM says that all
// colours are wanted: tmux takes them, and rounds them where its terminal has fewer.
func (v variables) hasTrueColourInTmux() bool {
	tmux := v["TMUX"] != "" || strings.HasPrefix(v["TERM"], "tmux")
	return tmux && (v["COLORTERM"] == "truecolor" || v["COLORTERM"] == "24bit")
}

// showsProgress reports whether the terminal is known to show the progress of long work
// (OSC 9;4). Others may take it for a message to the person.
func (v variables) showsProgress() bool {
	program := v["TERM_PROGRAM"]
	isGhostty := v.isOneOf("ghostty") || program == "ghostty"
	isKnown := isGhostty || program == "mintty" || v["WT_SESSION"] != "" || v["ConEmuANSI"] == "ON"
	isInside := v["TMUX"] != "" || v.isOneOf("screen", "tmux") // these do not pass it on
	return isKnown && !isInside
}

// clipboard is what a terminal does with text that a program copies (OSC 52). No terminal
// confirms that.
type clipboard uint8

const (
	takesCopies clipboard = iota // as far as is known
	// dropsCopies is tmux without `set-clipboard on`, which is not its default.
	dropsCopies
	// noCopies is a terminal that is known to give programs no clipboard.
	noCopies
)

// clipboard is what is known of the clipboard of the terminal. Inside screen, TERM is "screen."
// and the name of the terminal around it; inside tmux it may be "screen" alone.
func (v variables) clipboard() clipboard {
	switch {
	case v["TMUX"] != "" || strings.HasPrefix(v["TERM"], "tmux"):
		return dropsCopies
	case v["STY"] != "" || strings.HasPrefix(v["TERM"], "screen."):
		return noCopies
	case strings.HasPrefix(v["TERM"], "screen"):
		return dropsCopies
	case v.isText() || strings.Contains(v["TERM_PROGRAM"], "Apple"):
		return noCopies
	}
	return takesCopies
}

// isText reports whether the terminal shows text and little else: a text console, or an old one.
func (v variables) isText() bool {
	old := v["TERM"] == "linux" || strings.HasPrefix(v["TERM"], "vt")
	return old || v.isOneOf("dumb", "eterm", "cons25", "sun")
}

// reportsClicks reports whether the terminal can be expected to report clicks.
func (v variables) reportsClicks() bool { return !v.isText() }

// LineTheme is the theme for lines that a command prints to a terminal. As the terminal is not
// asked for its background, the theme has only the 16 colours that its owner has chosen, or none.
// lookup returns the value of an environment variable and whether it is set.
func LineTheme(lookup func(string) (string, bool)) *styles.Theme {
	var environ []string
	for _, name := range []string{
		"TERM", "COLORTERM", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LC_ALL", "LC_CTYPE", "LANG",
	} {
		if value, ok := lookup(name); ok {
			environ = append(environ, name+"="+value)
		}
	}
	v := variablesOf(environ)
	return styles.New(styles.Options{
		Basic:   true,
		NoColor: v.lacksColours() || colorprofile.Env(environ) <= colorprofile.ASCII,
		ASCII:   v.lacksUnicode(),
	})
}
