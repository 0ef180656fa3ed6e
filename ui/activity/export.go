package activity

import (
	"context"
	"errors"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/files"
	"gatehouse/ui/browse"
	"gatehouse/ui/screen"
)

// listed are the requests that are listed, the oldest first.
func (m *Model) listed() []*api.Exchange {
	numbers := m.list.arrange(m.filter.Words(), order{column: columnTime})
	list := make([]*api.Exchange, 0, len(numbers))
	for _, n := range numbers {
		if x := m.list.at(int(n)).Exchange; x != nil {
			list = append(list, x)
		}
	}
	return list
}

func (m *Model) exportAction() screen.Action {
	a := screen.Action{ID: "activity.export", Run: m.openExport}
	if m.env.Remote {
		a.Title, a.Run = "copy all", m.copyListed
		a.Description = "copy the listed requests as an HTTP Archive, without secrets; a file would be written on the machine you are signed in to"
	}
	if m.requests == 0 {
		a.Reason = "there is no request here to save"
	}
	return a
}

// archiveMsg is the listed requests as an HTTP Archive.
type archiveMsg struct {
	text string
	err  error
}

// copyListed copies the listed requests, where no files may be written.
func (m *Model) copyListed() tea.Cmd {
	requests := m.listed()
	return screen.Reply(m, func() tea.Msg {
		var archive strings.Builder
		err := WriteHAR(&archive, m.version, requests)
		return archiveMsg{archive.String(), err}
	})
}

func (m *Model) copyArchive(msg archiveMsg) tea.Cmd {
	if msg.err != nil {
		return m.env.Root.Say("Not copied: the requests do not make an HTTP Archive.", true)
	}
	return m.env.Root.Copy(msg.text, "the listed requests as an HTTP Archive")
}

// openExport shows the prompt that saves the listed requests.
func (m *Model) openExport() tea.Cmd {
	requests := m.listed()
	m.export = browse.NewExportPrompt(m.env, m, browse.ExportOffer{
		Rows: len(requests), One: "request", Many: "requests",
		Order: "as an HTTP Archive, without secrets",
		Only:  "har",
		Name:  "gatehouse-" + m.env.Now().Local().Format("20060102-150405"),
		Write: func(ctx context.Context, c browse.ExportChoice, progress func(rows int, bytes int64)) error {
			var written files.Counter
			defer func() { progress(len(requests), written.Written()) }()
			return files.Export(ctx, c.Path, c.Overwrite, func(w io.Writer) error {
				return WriteHAR(written.To(w), m.version, requests)
			})
		},
		Exists: func(err error) bool { return errors.Is(err, files.ErrExists) },
	}, m.closeExport)
	return nil
}

func (m *Model) closeExport() tea.Cmd {
	m.export.Close()
	m.export = nil
	return nil
}
