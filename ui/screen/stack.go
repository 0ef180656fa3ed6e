package screen

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
)

// Stack is a stack of screens. The uppermost one is drawn and has the keyboard; if it is
// in a box, those below it are drawn too. The zero Stack is empty.
type Stack struct {
	// Covered is how many lines of the stack's room are used for something else for a while, such
	// as a message. Boxes are placed as if they were not.
	Covered int

	screens []Screen
	// views are what the screens show, see Views. A view without a body was not asked for yet.
	views []View
	// theme, width and height are those of the last Layout.
	theme         *styles.Theme
	width, height int
	// page is the lowest visible screen, updated by Layout.
	page page
	// boxes are the screens that are drawn in boxes, the uppermost last. These are updated
	// by Layout.
	boxes []box
}

// Push puts a screen on top and initializes it.
func (s *Stack) Push(pushed Screen) tea.Cmd {
	s.Restore(pushed)
	return pushed.Init()
}

// Restore puts a screen on top without initializing it.
func (s *Stack) Restore(restored Screen) {
	s.screens = append(s.screens, restored)
	s.views = append(s.views, View{})
}

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
	s.views = slices.Delete(s.views, at, len(s.views))
}

// Rest has all screens drop what they have drawn.
func (s *Stack) Rest() {
	s.boxes, s.page = nil, page{}
	s.Changed()
	for _, screen := range s.screens {
		screen.Rest()
	}
}

// Take removes the uppermost screen without closing it.
func (s *Stack) Take() Screen {
	top := s.Top()
	left := max(len(s.screens)-1, 0)
	s.screens, s.views = s.screens[:left], s.views[:left]
	return top
}

// Close closes and removes all screens.
func (s *Stack) Close() {
	if len(s.screens) > 0 {
		s.Pop(s.screens[0])
	}
}

// Actions are the actions of the uppermost screen. The action that leads back to the screen below
// comes last, unless the screen lists it itself.
func (s *Stack) Actions() []Action {
	top := s.Top()
	if top == nil {
		return nil
	}
	list := top.Actions()
	pop := func() tea.Cmd {
		s.Pop(top)
		return nil
	}
	if at := slices.IndexFunc(list, func(a Action) bool { return a.ID == RootBack }); at >= 0 {
		if list[at].Run == nil {
			list[at].Run = pop
		}
		return list
	}
	if isBox(top) || len(s.screens) > 1 {
		list = append(list, Action{ID: RootBack, Run: pop})
	}
	return list
}

// Top is the uppermost screen, nil if the stack is empty.
func (s *Stack) Top() Screen {
	if len(s.screens) == 0 {
		return nil
	}
	return s.screens[len(s.screens)-1]
}

// Covers reports whether the uppermost screen is in a box, below which keys do nothing.
func (s *Stack) Covers() bool { return len(s.screens) > 0 && isBox(s.Top()) }

// Page is the uppermost screen that is not in a box, nil if there is none.
func (s *Stack) Page() Screen {
	for _, page := range slices.Backward(s.screens) {
		if !isBox(page) {
			return page
		}
	}
	return nil
}

// isBox reports whether a screen is in a box.
func isBox(s Screen) bool { return s.Frame() == InBox }

// Views are what the screens show, the uppermost last; the visible ones as they were laid out
// last. Each screen is asked for its view only once after a change. The slice must not be
// modified.
func (s *Stack) Views() []View {
	for at := range s.views {
		s.view(at)
	}
	return s.views
}

// view is what the screen with an index shows.
func (s *Stack) view(at int) View {
	if s.views[at].Body == nil { // nobody has asked yet
		s.views[at] = s.screens[at].View()
	}
	return s.views[at]
}

// Changed notes that the screens may show something else now.
func (s *Stack) Changed() { clear(s.views) }

// TopView is what the uppermost screen shows; the zero View if the stack is empty.
func (s *Stack) TopView() View {
	if len(s.screens) == 0 {
		return View{}
	}
	return s.view(len(s.screens) - 1)
}

// PageView is what the page shows; the zero View if there is none.
func (s *Stack) PageView() View {
	page := s.Page()
	if page == nil {
		return View{}
	}
	return s.view(slices.Index(s.screens, page))
}

// Screens are all screens, the uppermost last. The slice must not be modified.
func (s *Stack) Screens() []Screen { return s.screens }

// Has reports whether a screen is on the stack.
func (s *Stack) Has(screen Screen) bool { return slices.Contains(s.screens, screen) }
