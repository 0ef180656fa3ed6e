// Package screen is the agreement between the root of the UI and its screens.
// A screen knows what it shows and nothing of the other screens; what it wants
// from outside it tells the root.
package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/records"
	"gatehouse/styles"
	"gatehouse/ui/action"
	"gatehouse/ui/keymap"
)

// Screen is one page of the UI. Screens are pointers: Update changes them in
// place and returns a command. All methods run on the UI's goroutine and do no
// I/O; work goes into commands.
type Screen interface {
	// Title is the name the tabs and the header show.
	Title() string
	// Init is called once, when the screen is first shown.
	Init() tea.Cmd
	// Update takes every message that is meant for this screen, keys included
	// where no action took them.
	Update(msg tea.Msg) tea.Cmd
	// Actions lists what can be done now, the most particular first.
	Actions() []action.Action
	// Typing reports that a field has the focus, so that keys are text.
	Typing() bool
	// View draws at most height lines of at most width cells.
	View(width, height int) string
	// Close ends the work of the screen; it is not shown again.
	Close()
}

// Pointed is a screen that takes the mouse. The places are cells of the rectangle
// that View last drew, from 0; lines is how far the wheel was turned, down counting
// up.
type Pointed interface {
	Click(x, y int) tea.Cmd
	Wheel(x, y, lines int) tea.Cmd
}

// Trailed is a screen with something open inside it, such as a record. Trail names
// what, from the outside in; it is empty while there is nothing.
type Trailed interface {
	Trail() []string
}

// Explained is a screen that has more to say in the help than what its keys do.
// Explain returns lines that are safe to print.
type Explained interface {
	Explain() []string
}

// Env is what every screen is given: the theme of its terminal and the clock.
// The theme changes in place when the terminal says what it is.
type Env struct {
	// Context ends with the UI.
	Context context.Context
	Theme   *styles.Theme
	Now     func() time.Time
	// State is what is remembered of the profile between runs. Keys begin with the
	// name of the screen: "shares.columns". No secret belongs there.
	State *files.State
	// Keys names the keys in sentences; nil is the table as it comes.
	Keys *keymap.Map
	// Records has lists held once that are the same; nil holds each for itself.
	Records *records.Pool
	// Remote is true where the person sits elsewhere than the program runs, so that
	// they would not find the files that it writes.
	Remote bool
	// Tell gives the root one of the requests below. It is carried out at once,
	// so that keys typed ahead find the screen they were meant for.
	Tell func(request any) tea.Cmd
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

// Reach is a request to the root: go into a domain.
type Reach struct{ Domain string }

// SignedIn is a request to the root: go on, somebody has signed in.
type SignedIn struct{}

// SignInAgain is a request to the root: show the form over the screen and come
// back here.
type SignInAgain struct {
	// From is the screen that needs it.
	From Screen
	// Reason says why, if the person did not ask for it. The form then comes only
	// where it does not take the keys from something else.
	Reason string
	// Then goes on with what could not be done before; nil if there is nothing.
	Then func() tea.Cmd
}

// Copy is a request to the root: put text on the clipboard. What names it in
// the toast.
type Copy struct{ Text, What string }

// Say is a request to the root: show a sentence for a while. Bad says that it
// tells of something that did not work.
type Say struct {
	Text string
	Bad  bool
}

// Visited is a request to the root: remember what was opened on this screen, so
// that it can be found again. Open opens it once more while its screen is shown.
type Visited struct {
	Title string
	Open  func() tea.Cmd
}

// FoundReseller is a request to the root: remember a reseller's id for the list
// of companies.
type FoundReseller struct{ ID string }

// Coverable is a [Screen] that wants to know when another one is shown in its
// place, because it must not go on unseen: requests to the service, a secret
// that was revealed.
type Coverable interface {
	// Covered is called when another screen is shown.
	Covered()
	// Uncovered is called when this one is shown again.
	Uncovered() tea.Cmd
}
