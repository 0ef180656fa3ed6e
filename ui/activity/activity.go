// Package activity is the tab that lists the requests the program has made, and its messages
// in between. Support staff copy a request as a command or save all requests as an HTTP
// Archive. Requests arrive already redacted.
package activity

import (
	"context"
	"io"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/files"
	"gatehouse/ui/browse"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

// pause is how long the list stays as it is when it has changed: many requests at
// once are shown together.
const pause = 100 * time.Millisecond

// Model is the list.
type Model struct {
	*browse.List
	env     *screen.Env
	log     *Log
	version string       // of the program
	life    *screen.Work // ends with the screen

	seen  int       // the version of the log that is shown; -1: none yet
	begun time.Time // when that log was begun
}

// New makes the screen of a log; version is that of the program.
func New(env *screen.Env, log *Log, version string) *Model {
	m := &Model{env: env, log: log, version: version, life: screen.NewWork(env), seen: -1}
	glyphs := env.Theme.Glyphs
	m.List = browse.NewList(env, m, browse.Options{
		One: "entry", Many: "entries", Columns: columns, Headings: map[string]string{"took_ms": "Took"}, Mark: marker(glyphs),
		Empty: "Each request appears here when it has been answered; " + env.Keys.Key("browse.reload") + " on Shares sends one.",
		Open: func(record []byte) tea.Cmd {
			if e, ok := log.of(record); ok {
				return m.Over(newDetail(env, e))
			}
			return nil
		},
		Preview: func(record []byte) []fields.Group {
			e, _ := log.of(record)
			return e.groups(glyphs)
		},
	})
	return m
}

func (m *Model) Title() string { return "Activity" }

func (m *Model) Init() tea.Cmd { return tea.Batch(m.refresh(), m.wait(0)) }

// Focus implements [screen.Focuser]: what is shown again is up to date.
func (m *Model) Focus() tea.Cmd { return m.refresh() }

func (m *Model) Blur() {}

func (m *Model) Close() {
	m.life.Cancel()
	m.List.Close()
}

// Place is none: the requests of a later run are others.
func (m *Model) Place() browse.Place { return browse.Place{} }

// wait lists the log again with its next change, after a pause.
func (m *Model) wait(pause time.Duration) tea.Cmd {
	version, ctx := m.seen, m.life.Context
	return func() tea.Msg {
		defer screen.Aside(ctx)()
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil
		}
		select {
		case <-m.log.after(version):
			return screen.Addressed{To: m, Take: m.changed}
		case <-ctx.Done():
			return nil
		}
	}
}

func (m *Model) changed() tea.Cmd { return tea.Batch(m.refresh(), m.wait(pause)) }

// refresh lists what the log holds now. The command closes what was opened for somebody
// else.
func (m *Model) refresh() (closed tea.Cmd) {
	entries, version, begun := m.log.all()
	if version == m.seen {
		return nil
	}
	if begun != m.begun {
		closed = m.Forget()
	}
	m.seen, m.begun = version, begun
	newest := 0
	if len(entries) > 0 {
		newest = entries[len(entries)-1].Number
	}
	return tea.Batch(closed, m.Renew(tableOf(entries), newest))
}

func (m *Model) Actions() []screen.Action {
	list := m.List.Actions()
	if m.Typing() || m.seen < 0 {
		return list
	}
	for i := range list {
		switch a := &list[i]; a.ID {
		case "browse.open":
			a.Title, a.Description = "detail", "show everything about the request"
		case "browse.copy":
			*a = screen.Action{ID: "activity.copy", Reason: a.Reason, Run: m.copySelected}
		case "browse.export":
			*a = screen.Action{ID: "activity.export", Reason: a.Reason, Run: m.openExport}
			if m.env.Remote {
				a.Reason, a.First, a.Quiet = "the file would be saved on the server", "activity.copy", true
			}
		}
	}
	return slices.DeleteFunc(list, func(a screen.Action) bool { return a.ID == "browse.reload" })
}

func (m *Model) copySelected() tea.Cmd {
	record, _ := m.Selected()
	e, ok := m.log.of(record)
	if !ok {
		return nil
	}
	return e.copy(m.env.Root)
}

// copy copies a note as it is, and a request as a command.
func (e Entry) copy(root screen.Root) tea.Cmd {
	if e.Exchange == nil {
		return root.Copy(e.Text, "the note")
	}
	return root.CopyDocument(curl(e.Exchange), "the request as a curl command")
}

// listed are the requests that are listed, the oldest first.
func (m *Model) listed() []*api.Exchange {
	var found []Entry
	for record := range m.Found() {
		if e, ok := m.log.of(record); ok && e.Exchange != nil {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b Entry) int { return a.Number - b.Number })
	list := make([]*api.Exchange, len(found))
	for i, e := range found {
		list[i] = e.Exchange
	}
	return list
}

// openExport shows the prompt that saves the listed requests.
func (m *Model) openExport() tea.Cmd {
	requests := m.listed()
	if len(requests) == 0 {
		return m.env.Root.Say("There is no request here to save.", false)
	}
	return m.Over(browse.NewExportPrompt(m.env, browse.ExportOffer{
		Rows: len(requests), One: "request", Many: "requests",
		Order:   "as an HTTP Archive, without secrets",
		Formats: []browse.Format{"har"},
		Name:    files.ExportName("gatehouse", "requests", m.env.Now().Local().Format("2006-01-02-150405")),
		Write: func(ctx context.Context, c browse.ExportChoice, progress func(rows int, bytes int64)) error {
			var written files.Counter
			defer func() { progress(len(requests), written.Written()) }()
			return files.Export(ctx, c.Path, c.Overwrite, func(w io.Writer) error {
				return api.WriteHAR(written.To(w), m.version, requests)
			})
		},
	}))
}
