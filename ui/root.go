package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/records"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/activity"
	"gatehouse/ui/device"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
)

// root routes: it knows which screen is shown, gives it the messages that are
// meant for it, and draws the frame around it.
type root struct {
	options Options
	env     *screen.Env
	look    styles.Options
	painter *paint.Painter
	// canvas is an empty frame for the terminal as it is known.
	canvas paint.Frame
	// send reaches the program from outside of its loop.
	send func(tea.Msg)
	stop []func()

	width, height int

	// service is nil until the profile has been opened.
	service *session.Service
	notice  string
	news    string
	// pages is the way from the outermost screen to the one that is shown, overlays
	// what lies over that. kept is the place that was left last.
	pages    []page
	overlays []overlay
	kept     *place
	recent   recent
	resume   func() tea.Cmd // after the sign-in, if anything waits for it

	user     identity
	waiting  string // what is done while there is no screen
	reseller string
	results  *device.History // of device logins, by whoever is signed in
	clock    int
	toast    toast
	layout   frame
	crash    *crash
	// suspendable is whether the program can be stopped and continued.
	suspendable bool
}

func newRoot(ctx context.Context, o Options, painter *paint.Painter) *root {
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
	if o.Keys == nil {
		o.Keys = screen.DefaultKeys()
	}
	r := &root{options: o, painter: painter, send: func(tea.Msg) {}, waiting: "opening the session", suspendable: canSuspend(), results: &device.History{}}
	r.env = &screen.Env{Context: ctx, Theme: new(styles.Theme), Now: o.Now, Keys: o.Keys, State: o.State, Records: o.Records, Remote: o.Remote, Root: r}
	r.look.Choice = o.Theme
	r.dress()
	r.recallMouse()
	return r
}

// start is what happens first: the profile is opened while the first frame is
// already shown.
func (r *root) start() tea.Cmd {
	r.painter.Enter()
	return guarded(tea.Batch(r.open(r.options.Open), r.listen()))
}

func (r *root) close() {
	for _, stop := range r.stop {
		stop()
	}
	r.closePages()
	if r.service != nil {
		r.service.Close()
	}
}

func (r *root) update(msg tea.Msg) tea.Cmd {
	before := r.current()
	return tea.Batch(r.handle(msg), r.covered(before))
}

// covered tells the screens concerned that another one is shown than before.
func (r *root) covered(before screen.Screen) tea.Cmd {
	now := r.current()
	if before == now {
		return nil
	}
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
		return r.deliver(msg)
	case openedMsg, signedOutMsg, sessionMsg, clockMsg:
		return r.sessionUpdate(msg)
	case copiedMsg:
		return r.copied(msg)
	case newsMsg:
		return r.hear(msg)
	case toastEndMsg:
		r.toast.end(msg)
	case pasteTooLongMsg:
		return r.refusePaste()
	case tea.PasteMsg:
		return r.pass(msg)
	case tea.MouseClickMsg:
		return r.click(msg)
	case tea.MouseWheelMsg:
		return r.wheel(msg)
	}
	return nil
}

// FoundReseller implements [screen.Root]: it gives a reseller's id to the lists of companies that lack one.
func (r *root) FoundReseller(id string) tea.Cmd {
	r.reseller = id
	used := false
	for _, p := range r.places() {
		used = p.found(id) || used
	}
	if !used {
		return nil
	}
	return r.Say("The companies of this reseller can be read in the Companies tab.", false)
}

// dress changes the theme in place, for every screen holds it.
func (r *root) dress() { *r.env.Theme = *styles.New(r.look) }

// deliver gives an answer to the screen that asked, if it is still there.
func (r *root) deliver(msg screen.Addressed) tea.Cmd {
	if r.stackOf(msg.To) == nil {
		return nil
	}
	return msg.To.Update(msg.Msg)
}
