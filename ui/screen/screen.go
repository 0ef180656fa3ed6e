// Package screen is the interface between the root of the UI and its screens: what a
// screen is, the stack that it is on, what it can ask of the root, and the actions and
// keys by which it is used. A screen knows its own content and nothing of other screens.
package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/styles"
)

// Screen is one element of a [Stack]. Screens are pointers: Update changes them in place
// and returns a command. All methods run one at a time and do no I/O; work is done by
// commands. A screen embeds [Base] for those that it does not need.
//
// Update, the run of an action and Settle change a screen. All others only read.
type Screen interface {
	// Init is called when the screen is shown, again where it was kept in between.
	Init() tea.Cmd
	// Retry is called when the tab of the screen is shown again: it may try again what failed.
	Retry() tea.Cmd
	// Update handles keys that matched no action, and pastes.
	Update(msg tea.Msg) tea.Cmd
	// Settle is called after each update while the screen can be seen, and when its room has
	// changed. It determines what depends on the room and on the time, such as which rows of a
	// list are visible.
	Settle(room Room)
	// Frame is what is drawn around the screen. It never changes.
	Frame() Frame
	// Beside is how wide the pane beside the screen is with its border, of all of so many cells; 0:
	// there is none. It is asked before the screen is settled in what is left.
	Beside(width int) int
	// Size is the room that the content of a box needs, given the most that there is. It is asked
	// before the screen is settled in that.
	Size(width, height int) Size
	// View is what the screen shows, as it was settled last.
	View() View
	// Actions lists what can be done now, the most specific first.
	Actions() []Action

	// Focus is called when the screen becomes the innermost one, the first time included, and
	// Blur when another one covers it, because something must not continue unseen: requests to
	// the service, a revealed secret. A box over it does not cover it.
	Focus() tea.Cmd
	Blur()
	// Shown is called each time that the innermost screen was settled. Its command may request
	// what has come into sight. It changes nothing.
	Shown() tea.Cmd
	// Rest drops what the screen keeps of what it has drawn, as nothing has happened for a
	// while: it is made again with the next drawing. On a server most visitors only look.
	Rest()
	// Close releases what the screen holds; it is not shown again.
	Close()
}

// Base has the methods of a [Screen] that not every one needs, as no-ops.
type Base struct{}

func (Base) Init() tea.Cmd { return nil }

func (Base) Retry() tea.Cmd { return nil }

func (Base) Update(tea.Msg) tea.Cmd { return nil }

func (Base) Settle(Room) {}

func (Base) Frame() Frame { return Bare }

func (Base) Beside(int) int { return 0 }

func (Base) Size(int, int) Size { return Size{} }

func (Base) Focus() tea.Cmd { return nil }

func (Base) Blur() {}

func (Base) Shown() tea.Cmd { return nil }

func (Base) Rest() {}

func (Base) Close() {}

// HelpSection is part of the help: a group of keys, or of notes on what can be typed.
type HelpSection struct {
	Title   string
	Actions []Action
	Notes   []HelpNote
}

// HelpNote is one of them, both safe to print. Typed may be empty.
type HelpNote struct{ Typed, Text string }

// Entry is one thing to choose in a menu. Its texts may come from outside.
type Entry struct {
	// Group is the heading that it stands under.
	Group string
	// Title and Note are searched, the title first; Also is searched too, and not shown.
	Title, Note, Also string
	// SaysTitle is set where the note says the title as well, as the description of an [Action] may.
	SaysTitle bool
	// Drawn, if set, is how it is drawn in place of its title and note. Said, if set, is said in
	// their place.
	Drawn, Said string
	// Keys are shown beside it; may be empty.
	Keys string
	// Run is called when the menu is gone, or stays.
	Run func() tea.Cmd
	// Copy copies it; nil: it cannot be copied.
	Copy func() tea.Cmd
}

// Env is what every screen is given: the theme of its terminal, the clock, and the root.
// The theme changes in place when the terminal has reported its background.
type Env struct {
	// Context ends with the UI.
	Context context.Context
	Theme   *styles.Theme
	Now     func() time.Time
	// Me returns the address of who is signed in, "" if nobody is; nil is the same.
	Me func() string
	// State keeps settings of the profile between runs. Keys begin with the name of the
	// screen: "shares.columns". Secrets are not allowed.
	State *files.State
	// Keys names keys in sentences.
	Keys *KeyMap
	// Earlier keeps what was typed into filters until the UI ends; nil keeps nothing.
	Earlier *History
	// Lists bounds what lists take of memory; nil is no limit.
	Lists *lists.Budget
	// Folder is where files are written whose names have none, as a person may read it; ""
	// is not said.
	Folder string
	// Remote is set if the person is on another machine, and so could not find files that
	// the program writes.
	Remote bool
	// Clicks is set while clicks are heard: others are not offered.
	Clicks bool
	// Asleep is set while nothing has happened for a while: see [Env.Left].
	Asleep bool
	// Root does what a screen cannot do itself.
	Root Root
}

// Asker is who asks a list at this moment.
func (e *Env) Asker() lists.Asker {
	by := lists.Asker{Now: e.Now()}
	if e.Me != nil {
		by.Me = e.Me()
	}
	return by
}

// LastMinutes is how much of a time is shown to the second for everybody.
const LastMinutes = 5 * time.Minute

// Left writes how long something still lasts, as [human.Span] does. For somebody who only looks
// at the screen it has no seconds until the last minutes: drawing each second of thousands of
// visitors would cost a server more than all that they do.
func (e *Env) Left(d time.Duration) string {
	switch {
	case e.Theme.Options.Spoken:
		return human.InWords(d)
	case e.Asleep && d > LastMinutes:
		return human.Minutes(d)
	}
	return human.Span(d)
}

// Age writes how long ago a time is, or how far ahead.
func (e *Env) Age(at time.Time) string {
	if e.Theme.Options.Spoken {
		return human.AgeInWords(at, e.Now())
	}
	return human.Age(at, e.Now())
}

// Root is what a screen can ask for. Requests take effect at once, so that keys typed
// ahead reach the right screen; the returned command has to be returned from Update or
// the action.
type Root interface {
	// EnterDomain opens a domain.
	EnterDomain(domain string) tea.Cmd
	// SignedIn reports that a user has signed in.
	SignedIn() tea.Cmd
	// SignInAgain shows the sign-in form over the screen that asks, and returns to it.
	// reason is set if the person did not ask for it: the form is then shown only if it
	// does not take the keyboard away from something else. then continues with what
	// failed before; it may be nil.
	SignInAgain(from Screen, reason string, then func() tea.Cmd) tea.Cmd
	// Copy puts a single value on the clipboard, on one line: breaks become visible
	// characters. what names it in the toast.
	Copy(text, what string) tea.Cmd
	// CopyDocument is Copy for text whose lines matter: JSON, CSV, a command.
	CopyDocument(text, what string) tea.Cmd
	// Check checks an e-mail address, over the current screen; one that is not whole is
	// proposed to the person, who says which.
	Check(address string) tea.Cmd
	// CheckSignIn is Check with a sign-in as the address, whose password the person types.
	CheckSignIn(address string) tea.Cmd
	// OpenLink opens an https address in the browser of the person's desktop, and says in a
	// toast what came of it.
	OpenLink(address string) tea.Cmd
	// Say shows a sentence as a toast. bad marks a failure.
	Say(text string, bad bool) tea.Cmd
	// ShowCompanies shows the companies of a reseller over the current screen, or those of
	// the one that is known if the id is empty; of all companies the one with an id, if that
	// is given.
	ShowCompanies(resellerID, companyID string) tea.Cmd
	// CompanyName is what the company with an id is called, safe to print; "" where the companies
	// have not been listed.
	CompanyName(id string) string
	// Push puts a screen over another one, on the same stack.
	Push(over, pushed Screen) tea.Cmd
	// Pop removes a screen from its stack, and everything over it, and closes them.
	Pop(popped Screen) tea.Cmd
}

// Addressed has a certain screen, shown or not, take what came of work that it has begun.
// Nobody takes it if the screen was closed meanwhile. Without a screen it is for the root.
type Addressed struct {
	To   Screen
	Take func() tea.Cmd
}

// Reply makes a command that works beside the UI, and has a screen take what came of it.
func Reply[T any](to Screen, work func() T, take func(T) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		result := work()
		return Addressed{to, func() tea.Cmd { return take(result) }}
	}
}

// Work is something that a screen has begun: it ends when its result is taken, or is
// cancelled. Nil is none.
type Work struct {
	Context context.Context
	cancel  context.CancelFunc
}

// NewWork makes work without a result of its own.
func NewWork(env *Env) *Work {
	ctx, cancel := context.WithCancel(env.Context)
	return &Work{ctx, cancel}
}

// Begin makes work and the command that does it. The result is dropped if the work was
// cancelled meanwhile.
func Begin[T any](env *Env, to Screen, do func(context.Context) T, take func(T) tea.Cmd) (*Work, tea.Cmd) {
	w := NewWork(env)
	return w, Reply(to, func() T { return do(w.Context) }, func(result T) tea.Cmd {
		if !w.UnderWay() {
			return nil
		}
		w.Cancel()
		return take(result)
	})
}

// UnderWay reports that the work has neither ended nor was cancelled.
func (w *Work) UnderWay() bool { return w != nil && w.Context.Err() == nil }

// Cancel ends the work.
func (w *Work) Cancel() {
	if w != nil {
		w.cancel()
	}
}

// After makes a command that returns msg after a while, or nothing if the context ends
// first.
func After(ctx context.Context, wait time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg {
		defer Aside(ctx)()
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			return msg
		case <-ctx.Done():
			return nil
		}
	}
}

// Redraw has a screen drawn again and again, until the context ends.
func Redraw(ctx context.Context, to Screen, every time.Duration) tea.Cmd {
	return After(ctx, every, Addressed{to, func() tea.Cmd { return Redraw(ctx, to, every) }})
}

type asideKey struct{}

// WithAside makes a context whose commands tell a function how many of them nobody waits for,
// see [Aside]: 1 more, or 1 less.
func WithAside(ctx context.Context, count func(change int64)) context.Context {
	return context.WithValue(ctx, asideKey{}, count)
}

// Aside says for a command that it waits for nothing that a person has asked for, such as the
// next renewal, until end is called.
func Aside(ctx context.Context) (end func()) {
	count, ok := ctx.Value(asideKey{}).(func(int64))
	if !ok {
		return func() {}
	}
	count(1)
	return func() { count(-1) }
}
