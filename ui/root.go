package ui

import (
	"context"
	"log/slog"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/problem"
	"gatehouse/internal/records"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/activity"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
)

// root holds the stack of screens, passes each message to the screen it is for, and draws
// the frame around the uppermost one.
type root struct {
	options Options
	env     *screen.Env
	styling styles.Options
	painter *paint.Painter
	// canvas is an empty frame with the known properties of the terminal.
	canvas paint.Frame
	// showsProgress is set if the terminal shows the progress of long work.
	showsProgress bool
	// send sends a message to the program from outside its loop.
	send func(tea.Msg)
	// rest stops the clock of the library's renderer, which has nothing to draw; nil leaves
	// it on, where the library has a terminal to restore.
	rest func() error
	stop []func()

	width, height int
	opening       opening
	// quiet ends when nothing has happened for a while.
	quiet *time.Timer

	// service is nil until the profile has been opened.
	service *session.Service
	warning string // about the service, such as that nothing is saved
	notice  string // of the operator
	// stack has, from the bottom, the list of domains, the current domain, the sign-in
	// form over either, and overlays. It is empty while the session is being opened or
	// closed.
	stack    screen.Stack
	person                // who is signed in, and what is theirs
	places   *placeKeeper // nil: the place is not kept
	waiting  string       // what is being done while there is no screen
	clock    int
	ticking  *time.Timer // nil: the clock stands still
	toast    toast
	tour     *tour // nil: there is none
	crash    *crash
	quitting bool // nothing more is drawn
	// suspendable reports whether the program can be suspended.
	suspendable bool

	// These are updated after each message.
	focused screen.Screen
	actions []screen.Action // enabled and disabled ones, with keys and texts
	frame   frame
}

func newRoot(ctx context.Context, given *Options, painter *paint.Painter) *root {
	r := &root{options: *given, painter: painter, send: func(tea.Msg) {}, waiting: "opening the session", suspendable: canSuspend(), person: newPerson()}
	o := &r.options
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.State == nil {
		o.State = files.MemoryState()
	}
	if o.Records == nil {
		o.Records = new(records.Pool)
	}
	if o.Activity == nil {
		o.Activity = &activity.Log{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Keys == nil {
		o.Keys = Keys()
	}
	r.styling.Choice = o.Theme
	r.env = &screen.Env{Context: ctx, Theme: styles.New(r.styling), Now: o.Now, Keys: o.Keys, State: o.State, Records: o.Records, Remote: o.Remote, Root: r}
	if o.Tour {
		r.tour = &tour{}
	}
	if o.Places != nil {
		r.places = &placeKeeper{store: o.Places, log: o.Log}
	}
	r.restoreMouse()
	r.settle()
	return r
}

// start opens the profile while the first frame is already shown.
func (r *root) start() tea.Cmd {
	r.painter.Enter()
	r.beginOpening()
	if o := r.options; o.Resizes != nil || o.Notices != nil {
		spawn(r.send, func() { follow(r.env.Context, o.Resizes, o.Notices, r.send) })
	}
	return guarded(tea.Batch(r.begin(), r.restLibrary()))
}

// begin opens the profile, or the screen that sets one up.
func (r *root) begin() tea.Cmd {
	if r.options.Setup != nil {
		return r.showSetup()
	}
	return r.open(r.options.Open)
}

// restLibrary keeps an idle visitor from waking the server each second. It fails only where
// there is a terminal.
func (r *root) restLibrary() tea.Cmd {
	if r.rest == nil {
		return nil
	}
	return func() tea.Msg {
		_ = r.rest()
		return nil
	}
}

func (r *root) close() {
	for _, timer := range []*time.Timer{r.quiet, r.ticking, r.opening.timer} {
		if timer != nil {
			timer.Stop()
		}
	}
	for _, stop := range r.stop {
		stop()
	}
	r.saveLastPlace()
	r.closeScreens()
	if r.service != nil {
		if err := r.service.Close(); err != nil && r.options.Late != nil {
			r.options.Late(err)
		}
	}
}

func (r *root) update(msg tea.Msg) tea.Cmd {
	if r.changesNothing(msg) {
		return nil
	}
	cmd := r.handle(msg)
	switch {
	case r.quitting:
		return cmd
	case r.stillOpens(msg):
		return tea.Batch(cmd, r.moveFocus())
	}
	return tea.Batch(cmd, r.settle())
}

// changesNothing reports whether a message tells what is known.
func (r *root) changesNothing(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.EnvMsg:
		return true
	case tea.ColorProfileMsg:
		return msg.Profile == r.canvas.Profile
	case openingMsg:
		return !r.opening.lasts
	}
	return false
}

// settle updates focus, frame and actions after a change.
func (r *root) settle() tea.Cmd {
	cmd := r.moveFocus()
	r.layOut()
	if r.tour != nil {
		cmd = tea.Batch(cmd, r.followTour())
		r.layOut()
	}
	if watcher, ok := r.focused.(screen.Watcher); ok {
		cmd = tea.Batch(cmd, watcher.Shown())
	}
	return tea.Batch(cmd, r.watchPlace())
}

// moveFocus calls Blur and Focus if another screen has become the innermost one.
func (r *root) moveFocus() tea.Cmd {
	before, now := r.focused, r.innermost()
	if before == now {
		return nil
	}
	r.focused = now
	if left, ok := before.(screen.Focuser); ok {
		left.Blur()
	}
	if shown, ok := now.(screen.Focuser); ok {
		return shown.Focus()
	}
	return nil
}

func (r *root) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg, tea.ModeReportMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.SuspendMsg:
		r.terminalUpdate(msg)
	case tea.KeyPressMsg:
		return r.key(msg)
	case screen.Addressed:
		if r.stackOf(msg.To) != nil { // it may have been closed meanwhile
			return msg.To.Update(msg.Msg)
		}
	case openedMsg:
		return r.opened(msg)
	case restoredMsg:
		return r.restored(msg)
	case placeMsg:
		return r.savePlace(msg)
	case placeLostMsg:
		return r.savePlaceAgain()
	case signedOutMsg:
		return r.signedOut(msg)
	case sessionMsg:
		return r.sessionEvent(msg.event)
	case clockMsg:
		r.tick(msg)
	case notBrowsedMsg:
		return r.notBrowsed(msg)
	case copiedMsg:
		return r.copied(msg)
	case noticeMsg:
		r.notice = problem.Sentence(msg.text) // until the next one
	case toastEndMsg:
		r.toast.end(msg)
	case pasteTooLongMsg:
		return r.refusePaste()
	case tea.PasteMsg:
		msg.Content = pastedLines.Replace(msg.Content)
		return r.pass(msg)
	case tea.MouseClickMsg:
		return r.click(msg)
	case tea.MouseWheelMsg:
		return r.wheel(msg)
	}
	return nil
}

// pastedLines ends lines as text does: most terminals send what the key enter sends in place of
// each end of a line that is pasted.
var pastedLines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// restyle changes the theme in place, as every screen refers to it.
func (r *root) restyle() {
	if r.env.Theme.Options != r.styling {
		*r.env.Theme = *styles.New(r.styling)
		if r.styling.ASCII {
			r.env.Keys = r.env.Keys.InWords()
		}
	}
}
