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

// Stage shows one screen, and what it pushes over itself, for the tests of its
// package. It plays the part of the root as well.
type Stage struct {
	*Driver
	// Root has the requests of the screen.
	*Root
	// Env is what the screen is to be made with. Its clock stands still.
	Env *screen.Env
	// Said are the reasons that keys answered with.
	Said []string

	t             testing.TB
	stack         screen.Stack
	focused       screen.Screen
	frame         string
	width, height int
}

// NewStage makes a stage of a size where it is always noon.
func NewStage(t testing.TB, width, height int) *Stage {
	s := &Stage{Driver: NewDriver(t), Root: new(Root), t: t, width: width, height: height}
	s.Root.stack = &s.stack
	s.Env = &screen.Env{
		Earlier: screen.NewHistory(),
		Context: t.Context(), Theme: styles.New(styles.Options{}), Now: func() time.Time { return Noon }, State: files.MemoryState(), Keys: screen.DefaultKeys(), Root: s.Root,
	}
	return s
}

// Show shows a screen for the first time; it is closed with the test.
func (s *Stage) Show(shown screen.Screen) *Stage {
	s.t.Cleanup(s.stack.Close)
	first := s.stack.Push(shown)
	s.Drive(staged{s}, tea.Batch(first, s.settle()))
	return s
}

// Actions are the actions of the screen that is shown, with the way back from it.
func (s *Stage) Actions() []screen.Action { return s.stack.Actions() }

// Top is the screen that is shown.
func (s *Stage) Top() screen.Screen { return s.stack.Top() }

// Scroll turns the wheel by lines, down counting up.
func (s *Stage) Scroll(lines int) *Stage {
	s.Settle()
	s.stack.Wheel(lines)
	s.Run(s.settle())
	return s
}

// settle makes the focus, the layout and the frame agree with what has changed, as the
// root does.
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

// Golden compares the frame at 80x24 and at 120x40 with its golden files, which
// have the sizes in their names.
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

// FitsEverySize checks the frame at many sizes.
func (s *Stage) FitsEverySize() *Stage {
	s.t.Helper()
	s.Driver.FitsEverySize(s.Top().View().Title, s.width, s.height)
	return s
}

// Drawn is the body of a screen as it is drawn in a room without panes, in exactly so many lines.
func Drawn(s screen.Screen, width, height int) string {
	s.Settle(screen.Room{Width: width, Height: height})
	return screen.Box(s.View().Body.Draw(width, height).String(), width, height)
}

// ClickOn clicks on a cell of the body of a screen that [Drawn] has drawn in a size.
func ClickOn(s screen.Screen, width, height, x, y int) tea.Cmd {
	cmd, _ := screen.ClickOn(s.View().Body.Draw(width, height).Spots, x, y)
	return cmd
}

// staged is the stage as a [Subject].
type staged struct{ *Stage }

func (s staged) Update(msg tea.Msg) tea.Cmd {
	cmd := s.handle(msg)
	return tea.Batch(cmd, s.settle())
}

func (s staged) View() string { return s.frame }

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

func (s staged) key(msg tea.KeyPressMsg) tea.Cmd {
	found, ok := screen.FindAction(s.Env.Keys.Fill(s.Actions()), msg.String(), s.Top().View().Typing)
	switch {
	case ok && !found.Enabled():
		s.Said = append(s.Said, found.Reason)
		return nil
	case ok && found.Run != nil:
		return found.Run()
	}
	return s.Top().Update(msg)
}
