package screen

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Overlay is a [Screen] that belongs to the one below it, such as a help or a
// question: the one below keeps the focus and its place in the header.
type Overlay interface {
	Screen
	// Overlay does nothing; it marks the screen.
	Overlay()
}

// Stack is screens one over the other. The uppermost is drawn and has the
// keyboard. The zero Stack is empty and has no focus.
type Stack struct {
	screens []Screen
	focused bool
}

// Push puts a screen on top and begins it.
func (s *Stack) Push(pushed Screen) tea.Cmd {
	return tea.Batch(pushed.Init(), s.change(func() { s.screens = append(s.screens, pushed) }))
}

// Restore puts a screen on top that was begun before.
func (s *Stack) Restore(restored Screen) tea.Cmd {
	return s.change(func() { s.screens = append(s.screens, restored) })
}

// Pop closes a screen and all above it, and takes them off. A screen that is not on
// the stack is none.
func (s *Stack) Pop(popped Screen) tea.Cmd {
	return s.change(func() {
		at := slices.Index(s.screens, popped)
		if at < 0 {
			return
		}
		for _, closed := range slices.Backward(s.screens[at:]) {
			closed.Close()
		}
		s.screens = slices.Delete(s.screens, at, len(s.screens))
	})
}

// Take takes the uppermost screen off without closing it, so that it can be
// restored.
func (s *Stack) Take() (Screen, tea.Cmd) {
	top := s.Top()
	cmd := s.change(func() { s.screens = s.screens[:max(len(s.screens)-1, 0)] })
	return top, cmd
}

// Close closes all screens and takes them off.
func (s *Stack) Close() {
	for _, closed := range slices.Backward(s.screens) {
		closed.Close()
	}
	s.screens = nil
}

// Top is the uppermost screen, nil where there is none.
func (s *Stack) Top() Screen {
	if len(s.screens) == 0 {
		return nil
	}
	return s.screens[len(s.screens)-1]
}

// Page is the uppermost screen that is no overlay, nil where there is none.
func (s *Stack) Page() Screen {
	for _, page := range slices.Backward(s.screens) {
		if _, ok := page.(Overlay); !ok {
			return page
		}
	}
	return nil
}

// Screens are all of the stack, the uppermost last. They must not be changed.
func (s *Stack) Screens() []Screen { return s.screens }

// Has reports whether a screen is on the stack.
func (s *Stack) Has(screen Screen) bool { return slices.Contains(s.screens, screen) }

// Layout gives the uppermost screen its size.
func (s *Stack) Layout(width, height int) {
	if top := s.Top(); top != nil {
		top.Layout(width, height)
	}
}

// Focus tells the page that it is the uppermost one; from now on the stack tells
// each page when that changes.
func (s *Stack) Focus() tea.Cmd {
	if s.focused {
		return nil
	}
	s.focused = true
	return focus(s.Page())
}

// Blur tells the page that the whole stack is covered.
func (s *Stack) Blur() {
	if s.focused {
		blur(s.Page())
	}
	s.focused = false
}

// change moves the focus with a change of the stack.
func (s *Stack) change(do func()) tea.Cmd {
	before := s.Page()
	do()
	after := s.Page()
	if !s.focused || before == after {
		return nil
	}
	blur(before)
	return focus(after)
}

func focus(s Screen) tea.Cmd {
	if focuser, ok := s.(Focuser); ok {
		return focuser.Focus()
	}
	return nil
}

func blur(s Screen) {
	if focuser, ok := s.(Focuser); ok {
		focuser.Blur()
	}
}
