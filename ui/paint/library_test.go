package paint

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"gatehouse/internal/testkit"
)

// scrolling is a program that shows one frame after the other with the library's own
// renderer.
type scrolling struct {
	frames []Frame
	at     int
}

func (s scrolling) Init() tea.Cmd { return nil }

func (s scrolling) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if at, ok := msg.(int); ok {
		s.at = at
	}
	return s, nil
}

func (s scrolling) View() tea.View {
	v := tea.NewView(s.frames[s.at].Content)
	v.AltScreen = true
	return v
}

// counter counts what is written.
type counter struct{ atomic.Int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.Add(int64(len(b)))
	return len(b), nil
}

// ofLibrary is how many bytes the renderer of the library needs for each frame, once
// the terminal has the one before.
func ofLibrary(t *testing.T, frames []Frame) (bytes []int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var out counter
		p := tea.NewProgram(scrolling{frames: frames}, tea.WithContext(t.Context()), tea.WithInput(nil), tea.WithOutput(&out), tea.WithoutSignalHandler(),
			tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}), tea.WithColorProfile(colorprofile.TrueColor), tea.WithWindowSize(120, 40))
		ended := make(chan error, 1)
		go func() {
			_, err := p.Run()
			ended <- err
		}()
		<-time.After(time.Second)
		for at := range frames {
			before := out.Load()
			p.Send(at)
			<-time.After(time.Second)
			bytes = append(bytes, int(out.Load()-before))
		}
		p.Quit()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return bytes
}

// heldAgainst is the version of the library that the reasons for this package were
// measured with.
const heldAgainst = "v2.1.1"

func TestTheLibraryIsTheOneThatThePainterWasHeldAgainst(t *testing.T) {
	modules, err := os.ReadFile(filepath.Join(testkit.Root(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(modules), "charm.land/bubbletea/v2 "+heldAgainst+"\n") {
		t.Errorf(`the library is another than %s: look in its changes and its tea.go whether
- it still writes nothing of its own where its output is muted and it is given nothing to draw (ui/terminal.go),
- its filter still sees a message to quit or to suspend before it acts on it,
- it sends new messages for the size, the colours or the modes of the terminal, which the root has to know,
- its renderer still has the faults that this package is for (the test below).
Then set the version here`, heldAgainst)
	}
}

// steps is a list whose cursor goes down, first on the screen and then with the list.
func steps() (frames []Frame) {
	for selected := 10; selected < 60; selected++ {
		frames = append(frames, listFrame(max(0, selected-33), selected, ""))
	}
	return frames
}

func TestTheLibraryWritesWideCharactersAnewInEveryFrame(t *testing.T) {
	frames := steps()
	theirs := ofLibrary(t, frames)
	e := newEmulator(t, 120, 40)
	e.paint(frames[0])
	ours, most := 0, 0
	for i, f := range frames[1:] {
		ours += e.paint(f)
		most += theirs[i+1]
	}
	t.Logf("%d bytes a step, and %d here", most/(len(frames)-1), ours/(len(frames)-1))
	if most < 5*ours {
		t.Error("the library has become better: measure whether this package is still worth having")
	}
}
