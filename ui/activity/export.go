package activity

import (
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	file "gatehouse/internal/export"
	"gatehouse/ui/export"
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

// openExport shows the prompt that saves the listed requests.
func (m *Model) openExport() tea.Cmd {
	requests := m.listed()
	m.export = export.New(m.env, m, export.Offer{
		Rows: len(requests), One: "request", Many: "requests",
		Order: "as an HTTP Archive, without secrets",
		Only:  "har",
		Name:  "gatehouse-" + m.env.Now().Local().Format("20060102-150405"),
		Write: func(ctx context.Context, c export.Choice, progress func(rows int, bytes int64)) error {
			var written file.Counter
			defer func() { progress(len(requests), written.Written()) }()
			return file.File(ctx, c.Path, c.Overwrite, func(w io.Writer) error {
				return WriteHAR(written.To(w), m.version, requests)
			})
		},
		Exists: func(err error) bool { return errors.Is(err, file.ErrExists) },
	}, m.closeExport)
	return nil
}

func (m *Model) closeExport() tea.Cmd {
	m.export.Close()
	m.export = nil
	return nil
}
