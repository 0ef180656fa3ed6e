// Package screen is the agreement between the root of the UI and its screens: what
// a screen is, the stack it stands on, what it can ask of the root, and the actions
// and keys by which it is used. A screen knows what it shows and nothing of the
// other screens.
package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/records"
	"gatehouse/styles"
)

// Screen is one thing on a [Stack]. Screens are pointers: Update changes them in
// place and returns a command. All methods run on the UI's goroutine and do no
// I/O; work goes into commands.
type Screen interface {
	// Title is the name that tabs, header and breadcrumbs show.
	Title() string
	// Init is called once, when the screen is first shown.
	Init() tea.Cmd
	// Update takes every message that is meant for this screen, keys included
	// where no action took them.
	Update(msg tea.Msg) tea.Cmd
	// Actions lists what can be done now, the most particular first. It only reads.
	Actions() []Action
	// Typing reports that a field has the focus, so that keys are text.
	Typing() bool
	// Layout is called after each update, before View, and with each new size. It
	// settles what depends on the size: what is visible, and what a click hits.
	Layout(width, height int)
	// View draws the rectangle that Layout gave: at most so many lines of at most so
	// many cells. It only reads.
	View() string
	// Close ends the work of the screen; it is not shown again.
	Close()
}

// Base is a [Screen] in what it need not do: it begins nothing, takes no messages, has
// no field and leaves nothing behind. Screens embed it.
type Base struct{}

// Init implements [Screen].
func (Base) Init() tea.Cmd { return nil }

// Update implements [Screen].
func (Base) Update(tea.Msg) tea.Cmd { return nil }

// Typing implements [Screen].
func (Base) Typing() bool { return false }

// Close implements [Screen].
func (Base) Close() {}

// MouseHandler is a [Screen] that takes the mouse. Positions are cells of the
// rectangle of the last Layout, from 0; lines is how far the wheel was turned, down
// counting up.
type MouseHandler interface {
	Click(x, y int) tea.Cmd
	Wheel(x, y, lines int) tea.Cmd
}

// Breadcrumbs is a [Screen] with something open inside it, such as a record. The
// names go from the outside in; there are none while nothing is open.
type Breadcrumbs interface {
	Breadcrumbs() []string
}

// HelpProvider is a [Screen] that has more to say in the help than what its keys
// do, in lines that are safe to print.
type HelpProvider interface {
	Help() []string
}

// Focuser is a [Screen] that wants to know when another one covers it, because
// something must not go on unseen: requests to the service, a secret that was
// revealed. An [Overlay] covers nothing.
type Focuser interface {
	// Focus is called when the screen is the uppermost one, at first and again.
	Focus() tea.Cmd
	// Blur is called when another screen is.
	Blur()
}

// Env is what every screen is given: the theme of its terminal, the clock, and the
// root. The theme changes in place when the terminal says what it is.
type Env struct {
	// Context ends with the UI.
	Context context.Context
	Theme   *styles.Theme
	Now     func() time.Time
	// State is what is remembered of the profile between runs. Keys begin with the
	// name of the screen: "shares.columns". No secret belongs there.
	State *files.State
	// Keys names the keys in sentences; nil is the table as it comes.
	Keys *KeyMap
	// Records has lists held once that are the same; nil holds each for itself.
	Records *records.Pool
	// Remote is true where the person sits elsewhere than the program runs, so that
	// they would not find the files that it writes.
	Remote bool
	// Root does what a screen cannot do by itself.
	Root Root
}

// Root is what a screen can ask for. Each request is carried out at once, so that
// keys typed ahead find the screen that they were meant for; the command that comes
// back is to be returned from Update or from the action.
type Root interface {
	// EnterDomain goes into a domain.
	EnterDomain(domain string) tea.Cmd
	// SignedIn says that somebody has signed in.
	SignedIn() tea.Cmd
	// SignInAgain shows the sign-in form over the screen that asks, and comes back
	// to it. Reason says why if the person did not ask for it: the form then comes
	// only where it does not take the keys from something else. Then goes on with
	// what could not be done before; nil if there is nothing.
	SignInAgain(from Screen, reason string, then func() tea.Cmd) tea.Cmd
	// Copy puts text on the clipboard. What names it in the toast.
	Copy(text, what string) tea.Cmd
	// Say shows a sentence for a while. Bad says that something did not work.
	Say(text string, bad bool) tea.Cmd
	// Visited remembers what was opened on the screen that is shown, so that it can
	// be found again. Open opens it once more while its screen is shown.
	Visited(title string, open func() tea.Cmd) tea.Cmd
	// FoundReseller remembers a reseller's id for the list of companies.
	FoundReseller(id string) tea.Cmd
	// Push puts a screen over another one, on the same stack.
	Push(over, pushed Screen) tea.Cmd
	// Pop takes a screen off its stack, with what was pushed over it, and closes it.
	Pop(popped Screen) tea.Cmd
}

// Addressed is a message for one screen, shown or not: the answer to work that
// the screen began. Other messages go to the screen that is shown.
type Addressed struct {
	To  Screen
	Msg tea.Msg
}

// Reply makes a command whose message comes back to the screen that began it.
func Reply(to Screen, work func() tea.Msg) tea.Cmd {
	return func() tea.Msg { return Addressed{to, work()} }
}

// After makes a command that answers after a while, unless the context ends first.
func After(ctx context.Context, wait time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg {
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
