package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/safetext"
)

// at is where a text stands in the frame.
func (d *driver) at(text string) (x, y int) {
	d.t.Helper()
	for y, line := range strings.Split(d.frame(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return safetext.Width(before), y
		}
	}
	d.t.Fatalf("no %q to click in\n%s", text, d.frame())
	return 0, 0
}

// click clicks on a text of the frame.
func (d *driver) click(text string) {
	d.t.Helper()
	d.drain()
	x, y := d.at(text)
	d.update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
}

// wheel turns the wheel by notches over the middle of the screen.
func (d *driver) wheel(button tea.MouseButton, notches int) {
	d.drain()
	for range notches {
		d.update(tea.MouseWheelMsg{X: 20, Y: 10, Button: button})
	}
}

func TestTheMouseReachesEveryScreen(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.wait("E-mail")
	d.write("ada@harbor.example")
	d.click("Password")
	d.write("demo")
	d.click("enter sign in")
	d.wait("4 domains")
	d.click("enter go in")
	d.wait("42 shares", "row 1 of")
	d.wheel(tea.MouseWheelDown, 2)
	d.wait("row 7 of 42")
	d.wheel(tea.MouseWheelUp, 2)
	d.click("Board minutes")
	d.wait("›Board minutes")
	d.click("Board minutes")
	d.wait("Shares › Board minutes", "esc back")
	d.click("▾ ShareRelations")
	d.wait("▸ ShareRelations")
	d.wheel(tea.MouseWheelDown, 1)
	d.click("Shares ›")
	d.wait("›Board minutes")
	d.click("ShareAssociationType")
	d.wait("ShareAssociationType ↑")
	d.click("ShareAssociationType ↑") // the line above the list names the column too
	d.wait("ShareAssociationType ↓")
	d.click("2 Companies")
	d.wait("25 companies")
	d.click("3 Device login")
	d.wait("Device name")
	d.click("4 Token")
	d.wait("not verified")
	d.click("5 Activity")
	d.wait("entries")
	d.click("? keys")
	d.wait("Keys on Activity")
	d.click("go to the last row")
	d.gone("Keys on Activity")
	d.click("Gatehouse ›")
	d.wait("4 domains")
	d.click("esc leave")
	d.wait("Leave Gatehouse?")
	d.click("esc stay")
	d.wait("4 domains")
	d.press("esc")
	d.click("q quit")
	d.until("the end", func() bool { return d.quit })
}

func TestAClickBesideEverythingDoesNothing(t *testing.T) {
	d := open(t, demoVariables(t), 80, 24)
	d.goInto("ada")
	before := d.frame()
	for y := range 24 {
		d.update(tea.MouseClickMsg{X: 79, Y: y, Button: tea.MouseRight})
		d.update(tea.MouseClickMsg{X: 200, Y: 100 + y, Button: tea.MouseLeft})
	}
	if after := d.frame(); after != before {
		t.Errorf("the frame changed to\n%s", after)
	}
}

func TestTheMouseIsLeftToTheTerminalOnRequest(t *testing.T) {
	d := start(t, Options{Open: neverOpens, NoMouse: true}, 80, 24)
	if d.model.frame.Mouse {
		t.Error("the program has the mouse")
	}
}

func TestWhoHasTheMouseIsChosenAndRemembered(t *testing.T) {
	remembered := files.MemoryState()
	has := func(want bool, o Options) *driver {
		t.Helper()
		o.Open, o.State = neverOpens, remembered
		d := start(t, o, 120, 24)
		if taken := d.model.frame.Mouse; taken != want {
			t.Errorf("%+v: the program has the mouse: %v", o, taken)
		}
		return d
	}
	has(false, Options{Remote: true})
	d := has(true, Options{})
	d.press("ctrl+t")
	d.wait("The terminal has the mouse", "ctrl+t takes it back")
	d = has(false, Options{})
	d.press("ctrl+t")
	d.wait("Gatehouse has the mouse")
	has(true, Options{Remote: true})
	has(false, Options{NoMouse: true})
}

func TestTheFilterIsTypedIntoWhereItIsClicked(t *testing.T) {
	d := open(t, demoVariables(t), 100, 30)
	d.signIn("ada")
	d.press("/")
	d.write("harbor")
	d.press("enter")
	d.click("filter harbor")
	d.write("z")
	d.wait("filter: harborz")
	d.press("esc", "enter")
	d.wait("row 1 of 42")
	d.press("enter", "/")
	d.write("owner")
	d.press("enter")
	d.click("search owner")
	d.write("z")
	d.wait("search: ownerz")
	d.press("esc", "esc", "5", "/")
	d.write("shares")
	d.press("enter")
	d.click("filter shares")
	d.write("z")
	d.wait("filter: sharesz")
}

func TestAFieldIsChosenByTheMouse(t *testing.T) {
	v := demoVariables(t)
	delete(v, "GATEHOUSE_API_KEY")
	d := open(t, v, 100, 30)
	d.signIn("ada")
	d.press("enter", "2")
	d.wait("API key")
	d.press("esc") // the form is let go of
	d.click("Reseller id")
	d.press("ctrl+u")
	d.write("x1")
	d.wait("x1")
	d.wheel(tea.MouseWheelDown, 1)
	d.write("y2")
	d.wheel(tea.MouseWheelUp, 1)
	d.write("z3")
	d.wait("x1z3", "**")
}
