package uitest

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Stage shows a screen and the screens that it pushes, for the tests of its package. It does what
// the root of the UI does.
type Stage struct {
	*Driver
	// Root has the requests of the screens.
	*Root
	// Env is the environment to make the screen with. Its clock stands still.
	Env *screen.Env
	// Said are the reasons of disabled actions whose keys were pressed.
	Said []string

	t             testing.TB
	stack         screen.Stack
	focused       screen.Screen
	frame         string
	width, height int
}

// NewStage makes a stage of a size, where it is always noon.
func NewStage(t testing.TB, width, height int) *Stage {
	s := &Stage{Driver: NewDriver(t), Root: new(Root), t: t, width: width, height: height}
	s.Root.stack = &s.stack
	s.Env = &screen.Env{
		Context: t.Context(),
		Theme:   styles.New(styles.Options{}),
		Now:     func() time.Time { return Noon },
		State:   files.MemoryState(),
		Keys:    screen.DefaultKeys(),
		Earlier: screen.NewHistory(),
		Root:    s.Root,
	}
	return s
}

// Show shows a screen. It is closed at the end of the test.
func (s *Stage) Show(shown screen.Screen) *Stage {
	s.t.Cleanup(s.stack.Close)
	first := s.stack.Push(shown)
	s.Drive(staged{s}, tea.Batch(first, s.settle()))
	return s
}

// Actions are the actions of the screen that is shown, and those that go back from it.
func (s *Stage) Actions() []screen.Action { return s.stack.Actions() }

// Top is the screen that is shown.
func (s *Stage) Top() screen.Screen { return s.stack.Top() }

// Scroll scrolls down by lines, or up if lines is negative.
func (s *Stage) Scroll(lines int) *Stage {
	s.Settle()
	s.stack.Wheel(lines)
	s.Run(s.settle())
	return s
}

// settle updates the focus, the layout and the frame after a change, as the root does.
func (s *Stage) settle() tea.Cmd {
	cmd := s.moveFocus()
	s.frame = ""
	if s.Top() != nil {
		s.stack.Layout(s.Env.Theme, s.width, s.height)
		s.frame = s.stack.Frame()
	}
	if s.focused != nil {
		cmd = tea.Batch(cmd, s.focused.Shown())
	}
	return cmd
}

// moveFocus tells the pages that one of them is covered, and the other is not.
func (s *Stage) moveFocus() tea.Cmd {
	before, now := s.focused, s.stack.Page()
	s.focused = now
	if before == now {
		return nil
	}
	if before != nil {
		before.Blur()
	}
	if now != nil {
		return now.Focus()
	}
	return nil
}

// Golden compares the frames in 80x24 and 120x40 cells with golden files, which have the size in
// their names.
func (s *Stage) Golden(name string) *Stage {
	s.t.Helper()
	width, height := s.width, s.height
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		s.Resize(size[0], size[1])
		Box(s.t, name, s.Settle().Frame(), size[0], size[1])
		s.Driver.Golden(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]))
	}
	s.Resize(width, height)
	return s
}

// FitsEverySize checks the frame in many sizes.
func (s *Stage) FitsEverySize() *Stage {
	s.t.Helper()
	s.Driver.FitsEverySize(s.Top().View().Title, s.width, s.height)
	return s
}

// Drawn is the body of a screen in a room without panes, in exactly height lines.
func Drawn(s screen.Screen, width, height int) string {
	s.Settle(screen.Room{Width: width, Height: height})
	return screen.Box(s.View().Body.Draw(width, height).String(), width, height)
}

// ClickOn clicks on a cell of the body of a screen, which [Drawn] has drawn in a size.
func ClickOn(s screen.Screen, width, height, x, y int) tea.Cmd {
	cmd, _ := screen.ClickOn(s.View().Body.Draw(width, height).Spots, x, y)
	return cmd
}

// staged is the stage as a [Subject].
type staged struct{ *Stage }

// Update implements [Subject].
func (s staged) Update(msg tea.Msg) tea.Cmd {
	cmd := s.handle(msg)
	return tea.Batch(cmd, s.settle())
}

// View implements [Subject].
func (s staged) View() string { return s.frame }

// handle passes a message to the screen that it is for.
func (s staged) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return s.key(msg)
	case screen.Addressed:
		if s.stack.Has(msg.To) {
			return msg.Take()
		}
	case tea.MouseClickMsg:
		return s.stack.Click(msg.X, msg.Y)
	case tea.PasteMsg:
		return s.Top().Update(msg)
	}
	return nil
}

// key runs the action of a key, or passes the key to the screen on top.
func (s staged) key(msg tea.KeyPressMsg) tea.Cmd {
	actions := s.Env.Keys.Fill(s.Actions())
	found, ok := screen.FindAction(actions, msg.String(), s.Top().View().Typing)
	switch {
	case ok && !found.Enabled():
		s.Said = append(s.Said, found.Reason)
		return nil
	case ok && found.Run != nil:
		return found.Run()
	}
	return s.Top().Update(msg)
}
