package ui

import (
	"context"
	"log/slog"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/records"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/activity"
	"gatehouse/ui/check"
	"gatehouse/ui/device"
	"gatehouse/ui/domains"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
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

	// service is nil until the profile has been opened.
	service *session.Service
	warning string // about the service, such as that nothing is saved
	notice  string // of the operator
	// stack has, from the bottom, the list of domains, the current domain, the sign-in
	// form over either, and overlays. It is empty while the session is being opened or
	// closed.
	stack  screen.Stack
	kept   *domainPage    // the domain left last
	recent []visit        // the records opened recently, newest first
	used   []string       // titles of the entries of the palette used last, newest first
	resume func() tea.Cmd // run after signing in; may be nil

	places   *placeKeeper // nil: the place is not kept
	user     identity
	waiting  string // what is being done while there is no screen
	reseller string
	results  *device.History // of device logins of the current user
	checked  *check.History  // reports for the current user
	clock    int
	toast    toast
	tour     *tour // nil: there is none
	crash    *crash
	// suspendable reports whether the program can be suspended.
	suspendable bool

	// These are updated after each message.
	focused screen.Screen
	actions []screen.Action // enabled and disabled ones, with keys and texts
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
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Keys == nil {
		o.Keys = Keys()
	}
	r := &root{options: o, painter: painter, send: func(tea.Msg) {}, waiting: "opening the session", suspendable: canSuspend(), results: &device.History{}, checked: &check.History{}}
	r.env = &screen.Env{Context: ctx, Theme: new(styles.Theme), Now: o.Now, Keys: o.Keys, State: o.State, Records: o.Records, Remote: o.Remote, Root: r}
	if o.Tour {
		r.tour = &tour{}
	}
	if o.Places != nil {
		r.places = &placeKeeper{store: o.Places, log: o.Log}
	}
	r.styling.Choice = o.Theme
	r.restyle()
	r.restoreMouse()
	r.settle()
	return r
}

// start opens the profile while the first frame is already shown.
func (r *root) start() tea.Cmd {
	r.painter.Enter()
	return guarded(tea.Batch(r.open(r.options.Open), r.listen(), r.restLibrary()))
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
	return tea.Batch(r.handle(msg), r.settle())
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
		return r.tick(msg)
	case notBrowsedMsg:
		return r.notBrowsed(msg)
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

// restyle changes the theme in place, as every screen refers to it.
func (r *root) restyle() { *r.env.Theme = *styles.New(r.styling) }

// page is the uppermost screen that is not an overlay, nil if there is none.
func (r *root) page() screen.Screen { return r.stack.Page() }

// innermost is the page, or the page of its active tab.
func (r *root) innermost() screen.Screen {
	if inside := r.domain(); inside != nil {
		return inside.pane().Page()
	}
	return r.page()
}

// modal reports whether an overlay of the root is uppermost.
func (r *root) modal() bool {
	_, ok := r.stack.Top().(interface{ modal() })
	return ok
}

// signIn is the sign-in form if it is shown, else nil.
func (r *root) signIn() *signin.Model {
	form, _ := r.page().(*signin.Model)
	return form
}

// signingIn reports whether a sign-in form is open, shown or not.
func (r *root) signingIn() bool {
	return slices.ContainsFunc(r.stack.Screens(), func(s screen.Screen) bool {
		_, is := s.(*signin.Model)
		return is
	})
}

// domain is the page of the current domain if it is shown, else nil.
func (r *root) domain() *domainPage {
	inside, _ := r.page().(*domainPage)
	return inside
}

// domains is the list of domains, shown or not; nil before signing in.
func (r *root) domains() *domains.Model {
	for _, s := range r.stack.Screens() {
		if list, ok := s.(*domains.Model); ok {
			return list
		}
	}
	return nil
}

// domainPages are the current domain, shown or not, and the one left last.
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

// stackOf is the stack that a screen is on, shown or not; nil if there is none.
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

// EnterDomain implements [screen.Root]: it leaves the current domain, if any. The domain
// left last is restored as it was.
func (r *root) EnterDomain(domain string) tea.Cmd {
	r.closeCheck()
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

// leaveDomain goes back to the list of domains, and keeps the page that is left; the one
// kept before is closed.
func (r *root) leaveDomain() tea.Cmd {
	r.closeOverlays()
	if r.kept != nil {
		r.kept.Close()
		r.recent = slices.DeleteFunc(r.recent, func(v visit) bool { return v.page == r.kept })
	}
	r.kept, _ = r.stack.Take().(*domainPage)
	return nil
}

// showDomains goes back to the list of domains from wherever the person is.
func (r *root) showDomains() tea.Cmd {
	r.closeCheck()
	if r.domain() == nil {
		return nil
	}
	return r.leaveDomain()
}

// closeOverlays removes everything above the page.
func (r *root) closeOverlays() {
	for r.stack.Top() != r.page() {
		r.stack.Pop(r.stack.Top())
	}
}

// closeScreens closes all screens, so that nothing of the previous user remains.
func (r *root) closeScreens() {
	r.stack.Close()
	if r.kept != nil {
		r.kept.Close()
	}
	r.kept, r.recent, r.used = nil, nil, nil
}

// ShowCompanies implements [screen.Root].
func (r *root) ShowCompanies(resellerID, companyID string) tea.Cmd {
	if inside := r.domain(); inside != nil {
		return inside.showCompanies(resellerID, companyID)
	}
	return nil
}

// FoundReseller implements [screen.Root]: it passes a reseller's id on to the lists of
// companies that lack one.
func (r *root) FoundReseller(id string) tea.Cmd {
	r.reseller = id
	used := false
	for _, p := range r.domainPages() {
		used = p.setReseller(id) || used
	}
	if !used {
		return nil
	}
	return r.Say("Open the Companies tab to see the companies of this reseller.", false)
}
