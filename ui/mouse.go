package ui

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// wheelLines is how far one notch of the wheel goes.
const wheelLines = 3

// mouseKey is where the state keeps whether the program has the mouse.
const mouseKey = "root.mouse"

// recallMouse takes up what was chosen in an earlier run. What is asked for at the
// start goes first; over a network the mouse is the terminal's until somebody
// gives it away.
func (r *root) recallMouse() {
	taken := !r.options.Remote
	r.env.State.Get(mouseKey, &taken)
	r.options.NoMouse = r.options.NoMouse || !taken
}

// switchMouse gives the mouse to the terminal, or takes it back.
func (r *root) switchMouse() tea.Cmd {
	r.options.NoMouse = !r.options.NoMouse
	r.env.State.Set(mouseKey, !r.options.NoMouse)
	if r.options.NoMouse {
		return r.Say("The terminal has the mouse: select text with it. "+r.env.Keys.Key("root.mouse")+" takes it back.", false)
	}
	return r.Say("Gatehouse has the mouse. "+r.env.Keys.Key("root.mouse")+" leaves it to the terminal.", false)
}

// click gives a click to what was drawn there: the frame's own words, what lies
// over the screen, the screen.
func (r *root) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft {
		return nil
	}
	for _, s := range r.layout.spots {
		if msg.Y == s.y && msg.X >= s.x && msg.X < s.x+s.width {
			return s.run()
		}
	}
	y := msg.Y - r.layout.body
	if y < 0 || y >= r.layout.height {
		return nil
	}
	if over := r.overlay(); over != nil {
		if taker, ok := over.(pointed); ok {
			return taker.click(r, msg.X, y)
		}
		return nil
	}
	if taker, ok := r.current().(screen.MouseHandler); ok {
		return taker.Click(msg.X, y)
	}
	return nil
}

// wheel moves what is under the mouse.
func (r *root) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	lines := 0
	switch msg.Button {
	case tea.MouseWheelDown:
		lines = wheelLines
	case tea.MouseWheelUp:
		lines = -wheelLines
	}
	if lines == 0 {
		return nil
	}
	if over := r.overlay(); over != nil {
		if taker, ok := over.(pointed); ok {
			taker.wheel(lines)
		}
		return nil
	}
	if taker, ok := r.current().(screen.MouseHandler); ok {
		return taker.Wheel(msg.X, msg.Y-r.layout.body, lines)
	}
	return r.arrows(lines)
}

// arrows moves a screen that does not take the wheel itself as its arrow keys do.
func (r *root) arrows(lines int) tea.Cmd {
	key := "down"
	if lines < 0 {
		key, lines = "up", -lines
	}
	found, ok := screen.FindAction(r.actions(), key, r.typing())
	if !ok || r.typing() {
		return nil
	}
	moves := make([]tea.Cmd, lines)
	for i := range moves {
		moves[i] = r.perform(found)
	}
	return tea.Batch(moves...)
}
