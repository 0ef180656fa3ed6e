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
// keyboard. The zero Stack is empty.
type Stack struct{ screens []Screen }

// Push puts a screen on top and begins it.
func (s *Stack) Push(pushed Screen) tea.Cmd {
	s.Restore(pushed)
	return pushed.Init()
}

// Restore puts a screen on top without beginning it.
func (s *Stack) Restore(restored Screen) { s.screens = append(s.screens, restored) }

// Pop closes a screen and all above it, and takes them off. It does nothing where
// the screen is not on the stack.
func (s *Stack) Pop(popped Screen) {
	at := slices.Index(s.screens, popped)
	if at < 0 {
		return
	}
	for _, closed := range slices.Backward(s.screens[at:]) {
		closed.Close()
	}
	s.screens = slices.Delete(s.screens, at, len(s.screens))
}

// Take takes the uppermost screen off without closing it.
func (s *Stack) Take() Screen {
	top := s.Top()
	s.screens = s.screens[:max(len(s.screens)-1, 0)]
	return top
}

// Close closes all screens and takes them off.
func (s *Stack) Close() {
	if len(s.screens) > 0 {
		s.Pop(s.screens[0])
	}
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
