// Package uitest plays the part of the library, of the terminal and of a person
// for the tests of the UI. Only tests import it.
//
// A test runs in a bubble of testing/synctest, with a service on a network in
// memory, see [Run]. There a [Driver] knows when a command of the UI has ended
// and when it waits for time to pass, so that every test decides what happens in
// which order:
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

// Noon is when tests take place whose clock stands still.
var Noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// Subject is what is driven.
type Subject interface {
	Update(msg tea.Msg) tea.Cmd
	// View is the frame, with its colours.
	View() string
}

// Driver gives messages to a subject and runs its commands, one after the other in
// the order in which they were returned. A command that waits, for the clock or
// for somebody else, is left waiting while the next one runs.
//
// Outside of a bubble, as in a benchmark, nobody knows whether a command waits: it
// is left running, and [Driver.Expect] waits for what it answers.
type Driver struct {
	// Patience is how long a text is waited for; 0: 30 s, of the bubble's clock.
	Patience time.Duration
	// Quit is true once the subject has ended the program.
	Quit bool

	t       testing.TB
	subject Subject
	bubble  bool
	begun   []tea.Cmd // which are to run
	runs    int

	wake    chan struct{}
	mu      sync.Mutex
	arrived []arrival
}

// arrival is a message that waits for its turn. Number is the number of the command that
// answered; 0: it came from outside.
type arrival struct {
	number int
	msg    tea.Msg
}

// NewDriver makes a driver without a subject, see [Driver.Drive]. It belongs to the
// bubble of the test, if there is one.
func NewDriver(t testing.TB) *Driver {
	_, bubble := t.(*testing.T)
	return &Driver{t: t, bubble: bubble, wake: make(chan struct{}, 1)}
}

// Drive begins with a subject and its first command.
func (d *Driver) Drive(subject Subject, first tea.Cmd) *Driver {
	d.subject = subject
	return d.Run(first)
}

// Send gives a message to the subject when its turn comes. It may be called from
// any goroutine.
func (d *Driver) Send(msg tea.Msg) { d.arrive(arrival{0, msg}) }

func (d *Driver) arrive(a arrival) {
	d.mu.Lock()
	d.arrived = append(d.arrived, a)
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// take is the message whose turn it is: of several that came at the same time, the
// one of the command that began first.
func (d *Driver) take() (tea.Msg, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.arrived) == 0 {
		return nil, false
	}
	slices.SortStableFunc(d.arrived, func(a, b arrival) int { return cmp.Compare(a.number, b.number) })
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

// Update gives a message to the subject at once.
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

// step delivers the next message or begins the next command, once everything that was
// begun has come to its end or waits. It reports false where nothing more happens until
// time passes.
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

// rest lets every goroutine of the bubble go on until it waits.
func (d *Driver) rest() {
	if d.bubble {
		synctest.Wait()
	}
}

// Settle lets everything happen that happens without time passing.
func (d *Driver) Settle() *Driver {
	for d.step() {
	}
	return d
}

// Pass lets time go by, and what happens meanwhile happen.
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

// Press presses keys, named as the actions name them. Before each of them what was
// begun comes to its end.
func (d *Driver) Press(keys ...string) *Driver {
	d.t.Helper()
	for _, k := range keys {
		d.Settle().Hurry(k)
	}
	return d
}

// Hurry presses keys before any answer to what was begun can be there.
func (d *Driver) Hurry(keys ...string) *Driver {
	d.t.Helper()
	for _, k := range keys {
		d.Update(Key(d.t, k))
	}
	return d
}

// Key is the message of a key, named as the actions name it.
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

// Paste gives text in one piece.
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

// Wheel turns the wheel by notches over the middle of the screen.
func (d *Driver) Wheel(button tea.MouseButton, notches int) *Driver {
	d.Settle()
	for range notches {
		d.Update(tea.MouseWheelMsg{X: 20, Y: 10, Button: button})
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

// Shows reports whether all texts stand in the frame. One blank in a text stands for any
// number of them in the frame: what is how wide is tested by golden frames alone.
func (d *Driver) Shows(texts ...string) bool {
	frame := testkit.OneBlank(d.Frame())
	for _, text := range texts {
		if !strings.Contains(frame, testkit.OneBlank(text)) {
			return false
		}
	}
	return true
}

// Expect goes on until the frame [Driver.Shows] all texts.
func (d *Driver) Expect(texts ...string) *Driver {
	d.t.Helper()
	return d.Until(fmt.Sprintf("%q in the frame", texts), func() bool { return d.Shows(texts...) })
}

// Gone goes on until the frame no longer [Driver.Shows] a text.
func (d *Driver) Gone(text string) *Driver {
	d.t.Helper()
	return d.Until(fmt.Sprintf("no %q in the frame", text), func() bool { return !d.Shows(text) })
}

// Until goes on until something is so. It looks after each step, and lets time pass
// only where nothing else is left to happen.
func (d *Driver) Until(what string, done func() bool) *Driver {
	d.t.Helper()
	for deadline := time.After(cmp.Or(d.Patience, 30*time.Second)); !done(); {
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
