package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"gatehouse/internal/state"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/activity"
	"gatehouse/ui/domains"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// root routes: it knows which screen is shown, gives it the messages that are
// meant for it, and draws the frame around it.
type root struct {
	options Options
	env     *screen.Env
	look    styles.Options
	// send reaches the program from outside of its loop.
	send func(tea.Msg)
	stop []func()

	width, height int

	// service is nil until the profile has been opened.
	service *session.Service
	notice  string
	// What is shown is the first of these that is there: the sign-in form, the
	// place inside a domain, the list of domains.
	signin  *signin.Model
	resume  func() tea.Cmd // after the sign-in, if anything waits for it
	place   *place
	inside  bool
	domains *domains.Model

	user     identity
	waiting  string // what is done while there is no screen
	reseller string
	clock    int
	overlay  overlay
	toast    toast
	crash    error
}

func newRoot(ctx context.Context, o Options) *root {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.State == nil {
		o.State = state.Memory()
	}
	if o.Activity == nil {
		o.Activity = &activity.Log{}
	}
	r := &root{options: o, send: func(tea.Msg) {}, waiting: "opening the session"}
	r.env = &screen.Env{Context: ctx, Theme: styles.New(styles.Options{}), Now: o.Now, State: o.State, Tell: r.carryOut}
	return r
}

// start is what happens first: the profile is opened while the first frame is
// already shown, and the terminal is asked for its background.
func (r *root) start() tea.Cmd {
	return guarded(tea.Batch(r.open(r.options.Open), tea.RequestBackgroundColor))
}

func (r *root) close() {
	for _, stop := range r.stop {
		stop()
	}
	for _, s := range r.screens() {
		s.Close()
	}
	if r.service != nil {
		r.service.Close()
	}
}

func (r *root) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		r.width, r.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		r.look.Light = !msg.IsDark()
		r.dress()
	case tea.ColorProfileMsg:
		r.look.NoColor = msg.Profile <= colorprofile.ASCII
		r.look.Basic = msg.Profile == colorprofile.ANSI
		r.dress()
	case tea.KeyPressMsg:
		return r.key(msg)
	case screen.Addressed:
		return r.deliver(msg)
	case openedMsg, signedOutMsg, sessionMsg, clockMsg:
		return r.sessionUpdate(msg)
	case toastEndMsg:
		r.toast.end(msg)
	case tea.PasteMsg:
		if current := r.current(); current != nil && r.overlay == nil {
			return current.Update(msg)
		}
	}
	return nil
}

// carryOut does what a screen asks of the root.
func (r *root) carryOut(request any) tea.Cmd {
	switch request := request.(type) {
	case screen.Reach:
		return r.enter(request.Domain)
	case screen.SignedIn:
		return r.signedIn()
	case screen.SignInAgain:
		return r.signInAgain(request)
	case screen.Copy:
		return r.copy(request)
	case screen.FoundReseller:
		r.reseller = request.ID
		if r.place.found(request.ID) {
			return r.say("The companies of this reseller can be read in the Companies tab.", false)
		}
	}
	return nil
}

// dress changes the theme in place, for every screen holds it.
func (r *root) dress() { *r.env.Theme = *styles.New(r.look) }

// deliver gives an answer to the screen that asked, if it is still there.
func (r *root) deliver(msg screen.Addressed) tea.Cmd {
	for _, s := range r.screens() {
		if s == msg.To {
			return s.Update(msg.Msg)
		}
	}
	return nil
}

// screens are all that are alive, shown or not.
func (r *root) screens() []screen.Screen {
	list := []screen.Screen{}
	if r.signin != nil {
		list = append(list, r.signin)
	}
	if r.place != nil {
		list = append(list, r.place.tabs...)
	}
	if r.domains != nil {
		list = append(list, r.domains)
	}
	return list
}

// current is the screen that is shown, or nil while there is something to wait for.
func (r *root) current() screen.Screen {
	switch {
	case r.signin != nil:
		return r.signin
	case r.inside:
		return r.place.current()
	case r.domains != nil:
		return r.domains
	}
	return nil
}
