package screen_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// noted is a screen that writes down what happens to it.
type noted struct {
	name string
	log  *[]string
}

func (n *noted) note(what string)         { *n.log = append(*n.log, n.name+" "+what) }
func (n *noted) Title() string            { return n.name }
func (n *noted) Init() tea.Cmd            { n.note("init"); return nil }
func (n *noted) Update(tea.Msg) tea.Cmd   { return nil }
func (n *noted) Actions() []screen.Action { return nil }
func (n *noted) Typing() bool             { return false }
func (n *noted) Layout(int, int)          { n.note("layout") }
func (n *noted) View() string             { return n.name }
func (n *noted) Close()                   { n.note("close") }
func (n *noted) Focus() tea.Cmd           { n.note("focus"); return nil }
func (n *noted) Blur()                    { n.note("blur") }

// question is a screen that belongs to the one below it.
type question struct{ *noted }

func (question) Overlay() {}

func TestAStackTellsItsScreensWhatIsUppermost(t *testing.T) {
	var log []string
	made := func(name string) *noted { return &noted{name, &log} }
	list, detail, other := made("list"), made("detail"), made("other")
	ask := question{made("question")}
	var s screen.Stack
	for _, step := range []struct {
		name string
		do   func()
		want string
	}{
		{"the first", func() { s.Push(list) }, "list init"},
		{"focus", func() { s.Focus(); s.Focus() }, "list focus"},
		{"covered", func() { s.Push(detail) }, "detail init, list blur, detail focus"},
		{"an overlay", func() { s.Push(ask) }, "question init"},
		{"layout", func() { s.Layout(10, 10) }, "question layout"},
		{"without the overlay", func() { s.Pop(ask) }, "question close"},
		{"what is not there", func() { s.Pop(other) }, ""},
		{"all from the middle", func() { s.Push(other); s.Pop(detail) }, "other init, detail blur, other focus, other close, detail close, other blur, list focus"},
		{"taken and restored", func() { taken, _ := s.Take(); s.Restore(taken) }, "list blur, list focus"},
		{"covered as a whole", func() { s.Blur(); s.Push(other) }, "list blur, other init"},
		{"closed", s.Close, "other close, list close"},
	} {
		log = nil
		step.do()
		if got := strings.Join(log, ", "); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
	if s.Top() != nil || s.Page() != nil {
		t.Error("something is left on the stack")
	}
}
