// Package export is the prompt in which a person says how and where to write
// what a list shows, and which then tells how the writing goes.
package export

import (
	"cmp"
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/problem"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Offer is what can be exported, and how.
type Offer struct {
	// Rows is how many rows are written; One and Many name them: "share", "shares".
	Rows      int
	One, Many string
	// Order says in which order, and which rows: "filtered by lars, sorted by Name".
	Order string
	// Shown and All are how many columns the list shows and has.
	Shown, All int
	// Only is the one format there is, where the person has no choice of format and
	// columns; "" leaves both to the person.
	Only Format
	// Name is the file that is proposed, without the end that tells the format.
	Name string
	// Write writes the file. It runs beside the UI, calls progress now and then
	// with what is written so far, and leaves no file behind when it fails or
	// when the context ends.
	Write func(ctx context.Context, c Choice, progress func(rows int, bytes int64)) error
	// Exists reports whether an error of Write says that the file is there already;
	// nil stands for what wraps [files.ErrExists].
	Exists func(error) bool
}

// Model is the prompt: a form, then the writing, then what came of it.
type Model struct {
	env   *screen.Env
	owner screen.Screen
	offer Offer
	leave func() tea.Cmd

	form   *form.Model
	format Format // that the end of the file's name stands for

	// At most one of these is there; without any, the form is shown.
	job     *job
	replace *Choice // the file exists: shall it be replaced
	done    *written
	problem *problem.Problem

	notice        string // over the form: what became of the last try
	width, height int    // of the last Layout
}

// New makes the prompt over a screen; leave closes it.
func New(env *screen.Env, owner screen.Screen, offer Offer, leave func() tea.Cmd) *Model {
	if offer.Exists == nil {
		offer.Exists = func(err error) bool { return errors.Is(err, files.ErrExists) }
	}
	m := &Model{env: env, owner: owner, offer: offer, leave: leave, format: cmp.Or(offer.Only, CSV)}
	m.form = form.New(env.Theme, fields(offer)...)
	m.form.Init("file")
	return m
}

// Typing reports that keys are text for the form.
func (m *Model) Typing() bool { return m.asking() && m.form.Typing() }

func (m *Model) asking() bool {
	return m.job == nil && m.replace == nil && m.done == nil && m.problem == nil
}

// Close ends the writing; the file is not written then.
func (m *Model) Close() {
	if m.job != nil {
		m.job.cancel()
	}
}

// Update takes the answers to the prompt's own work, and typing into the form.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case writtenMsg:
		return m.written(msg)
	case tickMsg:
		if m.job != nil && msg.job == m.job {
			return m.job.tick(m.owner)
		}
		return nil
	}
	if !m.asking() {
		return nil
	}
	m.form.Update(msg)
	if m.form.Done() {
		return m.write(m.choice())
	}
	m.followFormat()
	return nil
}

// Actions lists what can be done now.
func (m *Model) Actions() []screen.Action {
	switch {
	case m.job != nil && m.job.stopping:
		return []screen.Action{{ID: "export.leave", Run: m.leave}}
	case m.job != nil:
		return []screen.Action{{ID: "export.cancel", Run: m.cancel}}
	case m.replace != nil:
		return []screen.Action{
			{ID: "export.replace", Run: m.overwrite},
			{ID: "export.rename", Run: m.back},
		}
	case m.problem != nil:
		return []screen.Action{
			{ID: "export.form", Run: m.back},
			{ID: "export.again", Run: func() tea.Cmd { return m.write(m.choice()) }},
		}
	case m.done != nil:
		return []screen.Action{{ID: "export.close", Run: m.leave}, {ID: "export.copy", Run: m.copyPath}}
	}
	return m.form.Actions("export", m.leave)
}

// back shows the form again, with the focus on the file.
func (m *Model) back() tea.Cmd {
	m.replace, m.problem = nil, nil
	m.form.Init("file")
	return nil
}

func (m *Model) overwrite() tea.Cmd {
	c := *m.replace
	c.Overwrite = true
	return m.write(c)
}

func (m *Model) copyPath() tea.Cmd {
	return m.env.Root.Copy(m.done.path, "the path of the file")
}
