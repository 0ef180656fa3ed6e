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
	"gatehouse/ui/domains"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// root holds the stack of screens, gives each message to the screen that it is
// meant for, and draws the frame around the uppermost one.
type root struct {
	options Options
	env     *screen.Env
	styling styles.Options
	painter *paint.Painter
	// canvas is an empty frame for the terminal as it is known.
	canvas paint.Frame
	// send reaches the program from outside of its loop.
	send func(tea.Msg)
	stop []func()

	width, height int

	// service is nil until the profile has been opened.
	service *session.Service
	warning string // what is to be known of it
	notice  string // the operator's
	// stack has, from below, the domains, the one that the person is in, the sign-in
	// form over either, and overlays. It is empty while there is something to wait for.
	stack  screen.Stack
	kept   *domainPage // the one that was left last
	recent recent
	resume func() tea.Cmd // after the sign-in, if anything waits for it

	user     identity
	waiting  string // what is done while there is no screen
	reseller string
	results  *device.History // of device logins, by whoever is signed in
	clock    int
	toast    toast
	crash    *crash
	// suspendable is whether the program can be stopped and continued.
	suspendable bool

	// What follows is settled after each update.
	focused screen.Screen
	actions []screen.Action // that can be done now, with their keys and words
	frame   frame
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
		o.Keys = Keys()
	}
	r := &root{options: o, painter: painter, send: func(tea.Msg) {}, waiting: "opening the session", suspendable: canSuspend(), results: &device.History{}}
	r.env = &screen.Env{Context: ctx, Theme: new(styles.Theme), Now: o.Now, Keys: o.Keys, State: o.State, Records: o.Records, Remote: o.Remote, Root: r}
	r.styling.Choice = o.Theme
	r.restyle()
	r.recallMouse()
	r.settle()
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
	r.closeScreens()
	if r.service != nil {
		if err := r.service.Close(); err != nil && r.options.Late != nil {
			r.options.Late(err)
		}
	}
}

func (r *root) update(msg tea.Msg) tea.Cmd {
	return tea.Batch(r.handle(msg), r.settle())
}

// settle makes the focus, the frame and the actions agree with what has changed.
func (r *root) settle() tea.Cmd {
	cmd := r.moveFocus()
	r.layOut()
	return cmd
}

// moveFocus tells the screens concerned that another one is uppermost than before.
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
		if r.stackOf(msg.To) != nil { // it may be closed since it asked
			return msg.To.Update(msg.Msg)
		}
	case openedMsg, signedOutMsg, sessionMsg, clockMsg:
		return r.sessionUpdate(msg)
	case copiedMsg:
		return r.copied(msg)
	case noticeMsg:
		return r.noticed(msg)
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

// restyle changes the theme in place, for every screen holds it.
func (r *root) restyle() { *r.env.Theme = *styles.New(r.styling) }

// page is the uppermost screen that is no overlay, nil while there is something to
// wait for.
func (r *root) page() screen.Screen { return r.stack.Page() }

// innermost is the page, or that of the tab that it shows.
func (r *root) innermost() screen.Screen {
	if inside := r.domain(); inside != nil {
		return inside.pane().Page()
	}
	return r.page()
}

// modal reports whether an overlay of the root has the keyboard to itself.
func (r *root) modal() bool {
	_, ok := r.stack.Top().(interface{ modal() })
	return ok
}

// signIn is the sign-in form if it is shown, else nil.
func (r *root) signIn() *signin.Model {
	form, _ := r.page().(*signin.Model)
	return form
}

// domain is the domain that the person is in, if it is shown, else nil.
func (r *root) domain() *domainPage {
	inside, _ := r.page().(*domainPage)
	return inside
}

// domains is the list of domains, shown or not; nil before somebody signed in.
func (r *root) domains() *domains.Model {
	for _, s := range r.stack.Screens() {
		if list, ok := s.(*domains.Model); ok {
			return list
		}
	}
	return nil
}

// domainPages are the one that the person is in, shown or not, and the one left last.
func (r *root) domainPages() []*domainPage {
	list := []*domainPage{}
	for _, s := range r.stack.Screens() {
		if inside, ok := s.(*domainPage); ok {
			list = append(list, inside)
		}
	}
	if r.kept != nil {
		list = append(list, r.kept)
	}
	return list
}

// stackOf is the stack that a screen is on, shown or not; nil where there is none.
func (r *root) stackOf(s screen.Screen) *screen.Stack {
	if r.stack.Has(s) {
		return &r.stack
	}
	for _, p := range r.domainPages() {
		for _, pane := range p.panes {
			if pane.Has(s) {
				return &pane.Stack
			}
		}
	}
	return nil
}

// Push implements [screen.Root].
func (r *root) Push(over, pushed screen.Screen) tea.Cmd {
	if stack := r.stackOf(over); stack != nil {
		return stack.Push(pushed)
	}
	return nil
}

// Pop implements [screen.Root].
func (r *root) Pop(popped screen.Screen) tea.Cmd {
	if stack := r.stackOf(popped); stack != nil {
		stack.Pop(popped)
	}
	return nil
}

// EnterDomain implements [screen.Root]: it leaves the domain that the person may be
// in. The one left last is found as it was.
func (r *root) EnterDomain(domain string) tea.Cmd {
	r.domains().Remember(domain)
	if inside := r.domain(); inside != nil {
		if inside.domain == domain {
			return nil
		}
		r.leaveDomain()
	}
	if kept := r.kept; kept != nil && kept.domain == domain {
		r.kept = nil
		r.stack.Restore(kept)
		return nil
	}
	return r.stack.Push(r.newDomainPage(domain))
}

// leaveDomain goes back to the list of domains, and keeps the domain that is left
// as it is. Of those left before none is kept.
func (r *root) leaveDomain() tea.Cmd {
	r.closeOverlays()
	if r.kept != nil {
		r.kept.Close()
		r.recent.forget(r.kept)
	}
	r.kept, _ = r.stack.Take().(*domainPage)
	return nil
}

// closeOverlays leaves the page alone on top.
func (r *root) closeOverlays() {
	for r.stack.Top() != r.page() {
		r.stack.Pop(r.stack.Top())
	}
}

// closeScreens ends all screens: what another person saw is not kept.
func (r *root) closeScreens() {
	r.stack.Close()
	if r.kept != nil {
		r.kept.Close()
	}
	r.kept, r.recent = nil, recent{}
}

// FoundReseller implements [screen.Root]: it gives a reseller's id to the lists of
// companies that lack one.
func (r *root) FoundReseller(id string) tea.Cmd {
	r.reseller = id
	used := false
	for _, p := range r.domainPages() {
		used = p.found(id) || used
	}
	if !used {
		return nil
	}
	return r.Say("The companies of this reseller can be read in the Companies tab.", false)
}
