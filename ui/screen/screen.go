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
	// Beside is the width of the pane beside the screen, with its border, when both have width
	// cells; 0 for no pane. It is called before the screen is settled in the rest.
	Beside(width int) int
	// Size is the room that the content of a box needs, of the width and height that there are.
	// It is called before the screen is settled in that room.
	Size(width, height int) Size
	// View is what the screen shows, as it was settled last. It changes nothing.
	View() View
	// Actions lists what can be done now, the most specific first.
	Actions() []Action

	// Focus is called when the screen becomes the innermost one, also for the first time, and Blur
	// when another screen covers it: requests to the service, or a revealed secret, must not go on
	// unseen. A box does not cover the screen below it.
	Focus() tea.Cmd
	Blur()
	// Shown is called each time after the innermost screen was settled. Its command may request
	// what has become visible. It changes nothing.
	Shown() tea.Cmd
	// Rest frees memory when nothing has happened for a while: the screen drops what it keeps of
	// its drawing. On a server most visitors only look at their screen.
	Rest()
	// Close releases what the screen holds; it is not shown again.
	Close()
}

// Base is embedded by a [Screen] for the methods that it does not need. They do nothing.
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

// HelpNote is a note in the help: what can be typed, which may be empty, and what it means. Both
// are safe for a terminal.
type HelpNote struct{ Typed, Text string }

// Entry is one thing to choose in a menu. Its texts may come from outside.
type Entry struct {
	// ID tells the entry from the others of the palette. Other menus need none.
	ID EntryID
	// Group is the heading under which it is listed.
	Group string
	// Title and Note are shown and searched, the title first.
	Title, Note string
	// Also is searched as well, but not shown.
	Also string
	// SaysTitle is set where the note says the title as well, as the description of an [Action]
	// may.
	SaysTitle bool
	// Drawn is drawn instead of the title and the note, and Said is said instead of them; both
	// may be empty.
	Drawn, Said string
	// Keys are the keys that do the same without the menu; they are shown, and may be empty.
	Keys string
	// Run is called when the entry was chosen. The menu is closed then, unless it stays open by
	// design.
	Run func() tea.Cmd
	// Copy copies the entry; nil if it cannot be copied.
	Copy func() tea.Cmd
}

// EntryID tells an entry of the palette from the others, whatever its texts are.
type EntryID struct {
	// Action is the action that does the same as the entry; [NoAction] if there is none.
	Action ActionID
	// Kind and Name say what an entry without an action is about.
	Kind EntryKind
	Name string
}

// EntryKind says what an entry without an action is about.
type EntryKind uint8

// The kinds of entries.
const (
	OtherEntry EntryKind = iota
	DomainEntry
	DomainsEntry // the list of domains
	RecordEntry
	FilterEntry
	FilterDeletion
	ResultEntry
	ThemeEntry
)

// Env is what all screens of a UI work with. The content of Theme changes when the terminal has
// reported its background.
type Env struct {
	// Context ends with the UI.
	Context context.Context
	Theme   *styles.Theme
	Now     func() time.Time
	// Me returns the address of the person who is signed in, "" if nobody is. It may be nil.
	Me func() string
	// State keeps settings of the profile between runs. Keys begin with the name of the
	// screen: "shares.columns". Secrets are not allowed.
	State *files.State
	// Keys is the key map.
	Keys *KeyMap
	// Earlier keeps the filters that were typed, until the UI ends; nil keeps nothing.
	Earlier *History
	// Lists is the memory for lists; nil is no limit.
	Lists *lists.Budget
	// Folder is the working directory as a person reads it; "" if it is not known.
	Folder string
	// Remote means that the person is on another machine, where they would not find files that the
	// program writes.
	Remote bool
	// Clicks means that the screens can be clicked.
	Clicks bool
	// Asleep means that nothing has happened for a while, see [Env.Left].
	Asleep bool
	// Root does what a screen cannot do itself.
	Root Root
}

// Asker is the person who filters a list, and the time at which they do.
func (e *Env) Asker() lists.Asker {
	by := lists.Asker{Now: e.Now()}
	if e.Me != nil {
		by.Me = e.Me()
	}
	return by
}

// LastMinutes is the remaining time from which on seconds are shown even in a UI that is asleep.
const LastMinutes = 5 * time.Minute

// Left writes how long something still lasts, as [human.Span] does. In a UI that is asleep it has
// no seconds before the last minutes: a server would spend more on the seconds of a thousand
// visitors than on all that they do.
func (e *Env) Left(d time.Duration) string {
	switch {
	case e.Theme.Options.Spoken:
		return human.InWords(d)
	case e.Asleep && d > LastMinutes:
		return human.Minutes(d)
	}
	return human.Span(d)
}

// Age writes how long ago a time was, or in how long it will be, as [human.Age] does; in line
// mode, in words.
func (e *Env) Age(at time.Time) string {
	if e.Theme.Options.Spoken {
		return human.AgeInWords(at, e.Now())
	}
	return human.Age(at, e.Now())
}

// Root does what a screen cannot do itself. Its methods take effect at once, so that keys typed
// ahead reach the right screen. The command that they return has to be returned from Update or
// from the action.
type Root interface {
	// EnterDomain opens a domain.
	EnterDomain(domain string) tea.Cmd
	// SignedIn tells the root that the person has signed in.
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
	// Check checks an e-mail address, over the current screen. If it is not a whole address, the
	// form for it is opened with the text.
	Check(address string) tea.Cmd
	// CheckSignIn opens the form for a check with a sign-in as the address, where the person
	// types the password.
	CheckSignIn(address string) tea.Cmd
	// OpenLink opens an https address in the browser of the person's desktop, and says in a
	// toast what came of it.
	OpenLink(address string) tea.Cmd
	// Say shows a sentence as a toast. bad marks a failure.
	Say(text string, bad bool) tea.Cmd
	// ShowCompanies shows the companies of a reseller over the current screen, or only the one with
	// companyID if that is not empty. Without resellerID it is the reseller that is known.
	ShowCompanies(resellerID, companyID string) tea.Cmd
	// CompanyName is the name of the company with an id, safe for a terminal; "" if it was not
	// listed yet.
	CompanyName(id string) string
	// Push puts a screen over another one, on the same stack.
	Push(over, pushed Screen) tea.Cmd
	// Pop removes a screen from its stack, and everything over it, and closes them.
	Pop(popped Screen) tea.Cmd
}

// Addressed is a message with the result of work that a screen has begun. Take is called on the
// UI's goroutine, unless the screen was closed meanwhile. If To is nil, it is always called.
type Addressed struct {
	To   Screen
	Take func() tea.Cmd
}

// Reply makes a command that calls work off the UI's goroutine, and then take with the result on
// it, unless the screen was closed meanwhile.
func Reply[T any](to Screen, work func() T, take func(T) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		result := work()
		return Addressed{to, func() tea.Cmd { return take(result) }}
	}
}

// Work is work that a screen has begun. It ends when its result is taken, or it is cancelled. A
// nil Work has ended.
type Work struct {
	Context context.Context
	cancel  context.CancelFunc
}

// NewWork makes work that ends only when it is cancelled, or with the UI.
func NewWork(env *Env) *Work {
	ctx, cancel := context.WithCancel(env.Context)
	return &Work{ctx, cancel}
}

// Begin makes work, and the command that does it: it calls do off the UI's goroutine, and then
// take with the result on it, unless the work was cancelled or the screen closed meanwhile.
func Begin[T any](
	env *Env, to Screen, do func(context.Context) T, take func(T) tea.Cmd,
) (*Work, tea.Cmd) {
	w := NewWork(env)
	return w, Reply(to, func() T { return do(w.Context) }, func(result T) tea.Cmd {
		if !w.UnderWay() {
			return nil
		}
		w.Cancel()
		return take(result)
	})
}

// UnderWay reports whether the work has neither ended nor been cancelled.
func (w *Work) UnderWay() bool { return w != nil && w.Context.Err() == nil }

// Cancel ends the work.
func (w *Work) Cancel() {
	if w != nil {
		w.cancel()
	}
}

// After makes a command that returns msg after a time, or nothing if ctx ends first.
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

// Redraw makes a command that has a screen drawn again after each interval, until ctx ends.
func Redraw(ctx context.Context, to Screen, every time.Duration) tea.Cmd {
	return After(ctx, every, Addressed{to, func() tea.Cmd { return Redraw(ctx, to, every) }})
}

type asideKey struct{}

// WithAside makes a context whose commands call count when one of them begins to wait for nothing
// that a person has asked for (1), and when that ends (-1), see [Aside].
func WithAside(ctx context.Context, count func(change int64)) context.Context {
	return context.WithValue(ctx, asideKey{}, count)
}

// Aside is called by a command that waits for nothing that a person has asked for, such as the
// next renewal. It calls end when it waits no more.
func Aside(ctx context.Context) (end func()) {
	count, ok := ctx.Value(asideKey{}).(func(int64))
	if !ok {
		return func() {}
	}
	count(1)
	return func() { count(-1) }
}
