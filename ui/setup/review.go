package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/check"
	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/internal/setup"
	"gatehouse/ui/screen"
)

// review is the last step: the file that will be written, or what changes in it.
type review struct {
	screen.Base
	*flow
	plan    setup.Plan
	writing *writing
	said    *problem.Problem // nil: it has not failed

	// What follows is settled by Layout.
	offset, lines, height int
	frame                 string
}

// writing is the file being written.
type writing struct{ cancel context.CancelFunc }

type writtenMsg struct {
	writing *writing
	err     error
}

func newReview(f *flow, plan setup.Plan) *review { return &review{flow: f, plan: plan} }

// Title implements [screen.Screen].
func (r *review) Title() string { return "Set up" }

// Breadcrumbs implements [screen.Breadcrumbs].
func (r *review) Breadcrumbs() []string { return []string{"Profile file"} }

// Close implements [screen.Screen].
func (r *review) Close() {
	if r.writing != nil {
		r.writing.cancel()
	}
}

// Actions implements [screen.Screen].
func (r *review) Actions() []screen.Action {
	if r.writing != nil {
		return nil
	}
	write := screen.Action{ID: "setup.write", Run: r.write}
	if len(r.plan.Changes) == 0 {
		write.Title, write.Description = "sign in", "sign in with the profile"
	}
	list := []screen.Action{write, {ID: "setup.back", Run: func() tea.Cmd { return r.env.Root.Pop(r) }}}
	if r.lines > r.height {
		list = append(list, screen.Action{ID: "setup.down", Run: r.scroll(1)}, screen.Action{ID: "setup.up", Run: r.scroll(-1)})
	}
	return list
}

// Click implements [screen.MouseHandler].
func (r *review) Click(int, int) tea.Cmd { return nil }

// Wheel implements [screen.MouseHandler].
func (r *review) Wheel(_, _, lines int) tea.Cmd { return r.scroll(lines)() }

func (r *review) scroll(lines int) func() tea.Cmd {
	return func() tea.Cmd {
		r.offset += lines // Layout limits it
		return nil
	}
}

// write writes the file, and goes on to sign in.
func (r *review) write() tea.Cmd {
	r.said = nil
	if len(r.plan.Changes) == 0 {
		return r.options.Written(r.email, r.secret)
	}
	ctx, cancel := context.WithCancel(r.env.Context)
	current := &writing{cancel}
	r.writing = current
	return screen.Reply(r, func() tea.Msg {
		defer cancel()
		return writtenMsg{current, r.options.Draft.Write(ctx, r.plan)}
	})
}

// Update implements [screen.Screen].
func (r *review) Update(msg tea.Msg) tea.Cmd {
	written, ok := msg.(writtenMsg)
	if !ok || written.writing != r.writing {
		return nil
	}
	r.writing = nil
	if written.err != nil {
		described := problem.Describe(written.err, problem.Screen)
		r.said = &described
		return nil
	}
	return r.options.Written(r.email, r.secret)
}

// Layout implements [screen.Screen].
func (r *review) Layout(width, height int) {
	lines := r.content(width)
	if hasCard(width, height) {
		card := min(width-2, cardWidth+10)
		inner := card - 2 - 2*cardPadding
		lines = append([]string{""}, r.content(inner)...)
		room := min(len(lines)+3, height)
		r.visible(len(lines), room-2)
		pane := screen.Pane{Title: "Profile file", Note: "the profile " + safetext.Line(r.options.Draft.Name()), Padding: cardPadding, Border: &r.env.Theme.BoxLine, Foot: r.position()}
		drawn := strings.Split(pane.Draw(r.env.Theme, strings.Join(lines[r.offset:], "\n"), card, room), "\n")
		top := max((height-room)/2, 0)
		r.frame = screen.Box(strings.Repeat("\n", top)+strings.Join(screen.Indented(drawn, (width-card)/2), "\n"), width, height)
		return
	}
	if len(lines) <= height {
		r.visible(len(lines), height)
		r.frame = screen.Box(strings.Join(lines, "\n"), width, height)
		return
	}
	r.visible(len(lines), max(height-1, 1))
	r.frame = screen.Box(strings.Join(lines[r.offset:], "\n"), width, r.height)
	if height > 1 {
		r.frame += "\n" + screen.Sides("", r.env.Theme.Muted.Render(r.position()), width)
	}
}

// visible settles which of the lines are shown.
func (r *review) visible(lines, height int) {
	r.lines, r.height = lines, height
	r.offset = max(min(r.offset, lines-height), 0)
}

// position says that there are more lines.
func (r *review) position() string {
	if r.lines <= r.height {
		return ""
	}
	return fmt.Sprintf("%d of %d lines", min(r.offset+r.height, r.lines), r.lines)
}

// View implements [screen.Screen].
func (r *review) View() string { return r.frame }

// content is what is to be read before the file is written.
func (r *review) content(width int) []string {
	t, d := r.env.Theme, r.options.Draft
	var lines []string
	add := func(text string) {
		lines = append(lines, strings.Split(screen.Wrap(text, width), "\n")...)
	}
	if r.said != nil {
		lines = append(remark{check.Fail, r.said.Sentence + " " + r.said.Hint}.lines(t, width), "")
	}
	path := t.Strong.Render(safetext.Line(fromHome(d.File())))
	switch {
	case len(r.plan.Changes) == 0:
		add(path + " stays as it is.")
	case !d.HasFile():
		add("This becomes " + path + ":")
		add("")
		for _, line := range r.plan.Lines() {
			lines = append(lines, t.Good.Render("+ ")+safetext.Line(line))
		}
	default:
		add("This changes in " + path + ":")
		add("")
		lines = append(lines, r.changes()...)
	}
	add("")
	for _, fact := range r.facts() {
		lines = append(lines, fact.lines(t, width)...)
	}
	return lines
}

// changes are the lines of the profile that go and come.
func (r *review) changes() []string {
	t := r.env.Theme
	head := "[profiles." + r.options.Draft.Name() + "]"
	lines := []string{"  " + t.Muted.Render(head)}
	if r.options.Draft.IsNew() {
		lines[0] = t.Good.Render("+ ") + head
	}
	for _, c := range r.plan.Changes {
		if c.Before != "" {
			lines = append(lines, t.Bad.Render("- ")+c.Key+" = "+safetext.Line(fmt.Sprintf("%q", c.Before)))
		}
		lines = append(lines, t.Good.Render("+ ")+c.Key+" = "+safetext.Line(fmt.Sprintf("%q", c.After)))
	}
	return lines
}

// facts are what else is worth knowing: what did not answer, and where the secret is.
func (r *review) facts() []remark {
	var list []remark
	for i := range r.tried {
		tried := &r.tried[i]
		switch {
		case tried.found.State == check.Running:
			list = append(list, remark{check.Skipped, tried.part.Title + " had not answered yet"})
		case !setup.Answered(tried.found):
			list = append(list, remark{tried.found.State, tried.part.Title + ": " + tried.summary("")})
		}
	}
	switch {
	case r.kept:
		list = append(list, remark{check.OK, "The client secret is in the keyring."})
	case !r.secret.IsEmpty():
		list = append(list, remark{check.Warn, "The client secret is kept in memory, for this run alone: the next one needs " + r.options.SecretVariable + "."})
	case r.options.SecretGiven:
		list = append(list, remark{check.OK, r.options.SecretVariable + " has the client secret."})
	default:
		list = append(list, remark{check.Info, "No client secret was typed."})
	}
	return list
}

// fromHome writes a path below the home directory with "~".
func fromHome(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return path
	}
	if below, ok := strings.CutPrefix(path, filepath.Clean(home)+string(filepath.Separator)); ok {
		return filepath.Join("~", below)
	}
	return path
}
