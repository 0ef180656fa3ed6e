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

// question is a screen that belongs to the one below it.
type question struct{ *noted }

func (question) Overlay() {}

func TestAStackBeginsAndClosesItsScreens(t *testing.T) {
	var log []string
	made := func(name string) *noted { return &noted{name, &log} }
	list, detail, other := made("list"), made("detail"), made("other")
	ask := question{made("question")}
	var s screen.Stack
	for _, step := range []struct {
		name      string
		do        func()
		want      string
		top, page screen.Screen
	}{
		{"the first", func() { s.Push(list) }, "list init", list, list},
		{"one over it", func() { s.Push(detail) }, "detail init", detail, detail},
		{"an overlay", func() { s.Push(ask) }, "question init", ask, detail},
		{"layout", func() { s.Layout(10, 10) }, "question layout", ask, detail},
		{"without the overlay", func() { s.Pop(ask) }, "question close", detail, detail},
		{"what is not there", func() { s.Pop(other) }, "", detail, detail},
		{"all from the middle", func() { s.Push(other); s.Pop(detail) }, "other init, other close, detail close", list, list},
		{"taken and restored", func() { s.Restore(s.Take()) }, "", list, list},
		{"closed", func() { s.Push(other); s.Close() }, "other init, other close, list close", nil, nil},
		{"closed again", s.Close, "", nil, nil},
	} {
		log = nil
		step.do()
		if got := strings.Join(log, ", "); got != step.want || s.Top() != step.top || s.Page() != step.page {
			t.Errorf("%s: %s, want %s; on top is %v", step.name, got, step.want, s.Top())
		}
	}
}
