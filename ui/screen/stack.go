package screen

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Overlay is a [Screen] that belongs to the one below it, such as a help or a question:
// the one below keeps the focus, and its name in the header.
type Overlay interface {
	Screen
	// Overlay does nothing; it marks the screen.
	Overlay()
}

// Stack is a stack of screens. The uppermost one is drawn and has the keyboard. The zero
// Stack is empty.
type Stack struct{ screens []Screen }

// Push puts a screen on top and initialises it.
func (s *Stack) Push(pushed Screen) tea.Cmd {
	s.Restore(pushed)
	return pushed.Init()
}

// Restore puts a screen on top that has been initialised before.
func (s *Stack) Restore(restored Screen) { s.screens = append(s.screens, restored) }

// Pop closes and removes a screen and all above it. It does nothing if the screen is not
// on the stack.
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

// Take removes the uppermost screen without closing it.
func (s *Stack) Take() Screen {
	top := s.Top()
	s.screens = s.screens[:max(len(s.screens)-1, 0)]
	return top
}

// Close closes and removes all screens.
func (s *Stack) Close() {
	if len(s.screens) > 0 {
		s.Pop(s.screens[0])
	}
}

// Top is the uppermost screen, nil if the stack is empty.
func (s *Stack) Top() Screen {
	if len(s.screens) == 0 {
		return nil
	}
	return s.screens[len(s.screens)-1]
}

// Page is the uppermost screen that is not an overlay, nil if there is none.
func (s *Stack) Page() Screen {
	for _, page := range slices.Backward(s.screens) {
		if _, ok := page.(Overlay); !ok {
			return page
		}
	}
	return nil
}

// Screens are all screens, the uppermost last. The slice must not be changed.
func (s *Stack) Screens() []Screen { return s.screens }

// Has reports whether a screen is on the stack.
func (s *Stack) Has(screen Screen) bool { return slices.Contains(s.screens, screen) }

// Layout gives the uppermost screen its size.
func (s *Stack) Layout(width, height int) {
	if top := s.Top(); top != nil {
		top.Layout(width, height)
	}
}
