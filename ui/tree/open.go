package tree

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// openedAtOnce is how many bytes of JSON are read while a key is answered.
const openedAtOnce = 1 << 20

// Reply makes a command of work whose answer comes back to [Model.Update].
type Reply func(work func() tea.Msg) tea.Cmd

// opening is the reading of a long document.
type opening struct {
	bytes int
	stop  context.CancelFunc
}

type openedMsg struct {
	opening *opening
	doc     *document
}

// Open makes a tree of a record of any size, in which a person can search. A
// record of more than a megabyte is read by the command, while the tree says
// that it waits; otherwise there is no command. raw must not change any more.
// All work ends with the context or with [Model.Close].
func Open(ctx context.Context, theme *styles.Theme, raw []byte, reply Reply) (*Model, tea.Cmd) {
	m := &Model{theme: theme, Name: "the whole record as JSON"}
	m.search = newSearch(ctx, reply, m)
	if len(raw) <= openedAtOnce {
		m.setDocument(raw)
		return m, nil
	}
	m.show(&document{isText: true})
	ctx, stop := context.WithCancel(ctx)
	o := &opening{bytes: len(raw), stop: stop}
	m.opening = o
	return m, reply(func() tea.Msg {
		defer stop()
		doc, err := read(ctx, raw)
		if err != nil {
			return nil
		}
		return openedMsg{o, doc}
	})
}

// Close ends the work of the tree.
func (m *Model) Close() {
	if m.opening != nil {
		m.opening.stop()
	}
	if m.search != nil {
		m.search.end()
	}
}

// Typing reports that the search line has the focus.
func (m *Model) Typing() bool { return m.search != nil && m.search.line.Typing() }

// Update takes the answers to the tree's own work, and typing into its search
// line. What belongs to another tree is left alone.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case openedMsg:
		if msg.opening == m.opening {
			m.opening = nil
			m.show(msg.doc)
		}
		return nil
	case foundMsg:
		return m.found(msg)
	}
	if m.search == nil {
		return nil
	}
	return m.search.line.Update(msg)
}

// waiting is what a tree shows before its document is there.
func (m *Model) waiting() string {
	return m.theme.Accent.Render("reading " + screen.Bytes(int64(m.opening.bytes)) + m.theme.Glyphs.More)
}
