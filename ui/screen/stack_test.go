package screen_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// noted is a screen that writes down what happens to it.
type noted struct {
	screen.Base
	name string
	log  *[]string
}

func (n *noted) note(what string)         { *n.log = append(*n.log, n.name+" "+what) }
func (n *noted) Init() tea.Cmd            { n.note("init"); return nil }
func (n *noted) Actions() []screen.Action { return nil }
func (n *noted) Settle(screen.Room)       { n.note("settle") }
func (n *noted) View() screen.View {
	return screen.View{Title: n.name, Body: screen.Text{Text: n.name}}
}
func (n *noted) Close() { n.note("close") }

// question is a screen that belongs to the one below it.
type question struct{ *noted }

func (q question) Frame() screen.Frame { return screen.InBox }

func (q question) Size(int, int) screen.Size { return screen.Size{Cells: 10, Lines: 1} }

func TestAStackBeginsAndClosesItsScreens(t *testing.T) {
	var log []string
	made := func(name string) *noted { return &noted{name: name, log: &log} }
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
		{"layout", func() { s.Layout(styles.New(styles.Options{}), 10, 10) }, "question settle", ask, detail},
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

// small is a question that needs a box of 10 cells and 1 line.
type small struct {
	question
	clicked []string
}

func (s *small) View() screen.View {
	v := s.question.View()
	v.Border = screen.Pane{Title: "Sure?"}
	v.Body = yes{s}
	return v
}

// yes is the answer that is clicked.
type yes struct{ *small }

func (yes) Say() iter.Seq[string] { return screen.Texts("yes") }

func (y yes) Draw(width, height int) screen.Drawing {
	click := func(x, line int) tea.Cmd {
		y.clicked = append(y.clicked, fmt.Sprintf("%d,%d", x, line))
		return nil
	}
	spot := screen.Spot{Width: width, Height: height, Click: click}
	return screen.Drawing{Lines: []string{"yes"}, Spots: []screen.Spot{spot}}
}

// page is a screen full of wide characters.
type page struct{ *noted }

func (page) View() screen.View {
	rows := strings.Repeat(strings.Repeat("日", 30)+"\n", 11)
	return screen.View{Body: screen.Text{Text: rows + "the end"}}
}

func TestABoxStandsOverTheDimmedScreen(t *testing.T) {
	var log []string
	theme := styles.New(styles.Options{})
	var s screen.Stack
	over := &small{question: question{&noted{name: "over", log: &log}}}
	s.Push(page{&noted{name: "page", log: &log}})
	s.Push(over)
	s.Layout(theme, 60, 12)
	view := s.Frame()
	lines := strings.Split(ansi.Strip(view), "\n")
	row := strings.Repeat("日", 30)
	box := []string{row,
		row,
		row,
		strings.Repeat("日", 12) + "╭─ Sure? ──╮" + strings.Repeat("日", 12),
		strings.Repeat("日", 12) + "│yes       │" + strings.Repeat("日", 12),
		strings.Repeat("日", 12) + "╰──────────╯" + strings.Repeat("日", 12),
	}
	if diff := cmp.Diff(box, lines[:6]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if first, _, _ := strings.Cut(view, "\n"); first != theme.Dimmed.Render(row) {
		t.Errorf("the screen below is drawn as %q", first)
	}
	s.Click(25, 4)
	s.Click(24, 4) // the border
	s.Click(0, 0)
	if diff := cmp.Diff([]string{"0,0"}, over.clicked); diff != "" {
		t.Errorf("clicked (-want +got):\n%s", diff)
	}
	if again := s.Frame(); again != view {
		t.Errorf("drawn again it is\n%s", again)
	}
}

func TestASmallTerminalGivesABoxAllItHas(t *testing.T) {
	var log []string
	var s screen.Stack
	s.Push(page{&noted{name: "page", log: &log}})
	s.Push(&small{question: question{&noted{name: "over", log: &log}}})
	for height, want := range map[int]string{3: "yes\n\n", 6: "Sure?\nyes\n\n\n\n"} {
		s.Layout(styles.New(styles.Options{}), 40, height)
		if got := ansi.Strip(s.Frame()); got != want {
			t.Errorf("in %d lines it is %q, want %q", height, got, want)
		}
	}
}
