// Package uitest stands in for bubbletea, for the terminal and for a person in the tests of the UI.
//
// A test runs in a bubble of testing/synctest with a service on a network in memory, see [Run].
// There a [Driver] knows whether a command of the UI has ended or waits for time to pass, so that a
// test decides what happens in which order:
//
//	d.Press("/").Type("board").Expect("1 of 42 shares")
//	d.Press("enter", "e").Expect("Export 1 share").Golden("ui/export")
package uitest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// Noon is the time of tests whose clock stands still.
var Noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// Subject is what a [Driver] drives: a screen, or the whole UI.
type Subject interface {
	Update(msg tea.Msg) tea.Cmd
	// View is the frame, with its colours.
	View() string
}

// Driver passes messages to a subject, and runs its commands one after the other, in the order in
// which they were returned. While a command waits for time to pass or for another goroutine, the
// next one runs.
//
// Outside of a bubble, as in a benchmark, it is not known whether a command waits. It is left
// running, and [Driver.Expect] waits for its message.
type Driver struct {
	// Patience is how long [Driver.Until] waits, by the clock of the bubble; 0 for 30 seconds.
	Patience time.Duration
	// Quit means that the subject has ended the program.
	Quit bool

	t       testing.TB
	subject Subject
	bubble  bool      // the test runs in a bubble
	begun   []tea.Cmd // that have not run yet
	runs    int       // number of the command that ran last

	wake    chan struct{} // has a value after a message has arrived
	mu      sync.Mutex
	arrived []arrival
}

// usualPatience is longer than a screen waits for an answer.
const usualPatience = 30 * time.Second

// arrival is a message that waits for its turn. number is that of the command that has sent it; 0
// for a message from outside.
type arrival struct {
	number int
	msg    tea.Msg
}

// NewDriver makes a driver without a subject, see [Driver.Drive]. It belongs to the bubble of the
// test, if there is one.
func NewDriver(t testing.TB) *Driver {
	_, bubble := t.(*testing.T)
	return &Driver{t: t, bubble: bubble, wake: make(chan struct{}, 1)}
}

// Drive begins to drive a subject, with its first command.
func (d *Driver) Drive(subject Subject, first tea.Cmd) *Driver {
	d.subject = subject
	return d.Run(first)
}

// Send passes a message to the subject when its turn comes. It may be called from any goroutine.
func (d *Driver) Send(msg tea.Msg) { d.arrive(arrival{0, msg}) }

// arrive adds a message to those that wait for their turn.
func (d *Driver) arrive(a arrival) {
	d.mu.Lock()
	d.arrived = append(d.arrived, a)
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// take takes the message whose turn it is: of several, that of the command that began first.
func (d *Driver) take() (tea.Msg, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.arrived) == 0 {
		return nil, false
	}
	byNumber := func(a, b arrival) int { return cmp.Compare(a.number, b.number) }
	slices.SortStableFunc(d.arrived, byNumber)
	first := d.arrived[0]
	d.arrived = slices.Delete(d.arrived, 0, 1)
	return first.msg, true
}

// Run runs a command when its turn comes.
func (d *Driver) Run(cmd tea.Cmd) *Driver {
	if cmd != nil {
		d.begun = append(d.begun, cmd)
	}
	return d
}

// Update passes a message to the subject at once.
func (d *Driver) Update(msg tea.Msg) *Driver {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.Run(cmd)
		}
	case tea.QuitMsg:
		d.Quit = true
	default:
		d.Run(d.subject.Update(msg))
	}
	return d
}

// step passes on the next message or begins the next command, once all that has begun has ended or
// waits. It reports false if nothing more happens until time passes.
func (d *Driver) step() bool {
	d.rest()
	if msg, ok := d.take(); ok {
		d.Update(msg)
		return true
	}
	if len(d.begun) == 0 {
		return false
	}
	cmd := d.begun[0]
	d.begun = d.begun[1:]
	d.runs++
	go func(number int) { d.arrive(arrival{number, cmd()}) }(d.runs)
	return true
}

// rest lets all goroutines of the bubble go on until they wait.
func (d *Driver) rest() {
	if d.bubble {
		synctest.Wait()
	}
}

// Settle lets all happen that happens before time passes.
func (d *Driver) Settle() *Driver {
	for d.step() {
	}
	return d
}

// Pass lets some time pass, with all that happens in it.
func (d *Driver) Pass(long time.Duration) *Driver {
	for end := time.After(long); ; {
		d.Settle()
		select {
		case <-d.wake:
		case <-end:
			return d.Settle()
		}
	}
}

// Press presses keys, which are named as in the key map. Before each of them it lets what has begun
// end.
func (d *Driver) Press(keys ...string) *Driver {
	d.t.Helper()
	for _, k := range keys {
		d.Settle().Hurry(k)
	}
	return d
}

// Hurry presses keys before there can be an answer to what has begun.
func (d *Driver) Hurry(keys ...string) *Driver {
	d.t.Helper()
	for _, k := range keys {
		d.Update(Key(d.t, k))
	}
	return d
}

// Key is the message of a key, which is named as in the key map.
func Key(t testing.TB, name string) tea.KeyPressMsg {
	t.Helper()
	pressed, ok := screen.Press(name)
	if !ok {
		t.Fatalf("there is no key %q", name)
	}
	return pressed
}

// Type types text, one key for each character.
func (d *Driver) Type(text string) *Driver {
	for _, r := range text {
		d.Settle().Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return d
}

// Paste pastes a text.
func (d *Driver) Paste(text string) *Driver {
	return d.Settle().Update(tea.PasteMsg{Content: text})
}

// Resize changes the size of the terminal.
func (d *Driver) Resize(width, height int) *Driver {
	return d.Update(tea.WindowSizeMsg{Width: width, Height: height})
}

// Click clicks on a text of the frame.
func (d *Driver) Click(text string) *Driver {
	d.t.Helper()
	x, y := d.Settle().At(text)
	return d.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
}

// Wheel turns the wheel by notches over the body of the screen.
func (d *Driver) Wheel(button tea.MouseButton, notches int) *Driver {
	// The cell is inside of the body in each size in which a wheel is tested.
	over := tea.MouseWheelMsg{X: 20, Y: 10, Button: button}
	d.Settle()
	for range notches {
		d.Update(over)
	}
	return d
}

// At is the cell of the frame in which a text begins.
func (d *Driver) At(text string) (x, y int) {
	d.t.Helper()
	for y, line := range strings.Split(d.Frame(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return safetext.Width(before), y
		}
	}
	d.t.Fatalf("there is no %q in\n%s", text, d.Frame())
	return 0, 0
}

// Frame is what a person sees now, without colours.
func (d *Driver) Frame() string { return ansi.Strip(d.subject.View()) }

// Shows reports whether all texts are in the frame. A blank in a text matches several in the frame,
// so that only golden frames depend on the widths of columns.
func (d *Driver) Shows(texts ...string) bool {
	frame := testkit.OneBlank(d.Frame())
	for _, text := range texts {
		if !strings.Contains(frame, testkit.OneBlank(text)) {
			return false
		}
	}
	return true
}

// Expect lets the subject go on until the frame shows all texts, see [Driver.Shows].
func (d *Driver) Expect(texts ...string) *Driver {
	d.t.Helper()
	return d.Until(fmt.Sprintf("%q in the frame", texts), func() bool { return d.Shows(texts...) })
}

// Gone lets the subject go on until the frame does not show a text, see [Driver.Shows].
func (d *Driver) Gone(text string) *Driver {
	d.t.Helper()
	return d.Until(fmt.Sprintf("no %q in the frame", text), func() bool { return !d.Shows(text) })
}

// Until lets the subject go on until done reports true. Time passes only when nothing else can
// happen. what names what is waited for.
func (d *Driver) Until(what string, done func() bool) *Driver {
	d.t.Helper()
	for deadline := time.After(cmp.Or(d.Patience, usualPatience)); !done(); {
		if d.step() {
			continue
		}
		select {
		case <-d.wake:
		case <-deadline:
			d.t.Fatalf("waiting for %s; the frame is\n%s", what, d.Frame())
		}
	}
	return d
}
