package check

import (
	"context"
	"io"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/ui/browse"
	"gatehouse/ui/screen"
)

// bundleAction saves the report for a ticket.
func (c *card) bundleAction() screen.Action {
	a := screen.Action{ID: "check.bundle", Reason: c.notYet(), Run: c.saveBundle}
	if c.env.Remote {
		a.Reason, a.First, a.Quiet = "the file would be saved on the server", "check.ticket", true
	}
	return a
}

// saveBundle shows the prompt that saves the report with its requests.
func (c *card) saveBundle() tea.Cmd {
	var prompt *browse.ExportPrompt
	report := c.report
	prompt = browse.NewExportPrompt(c.env, browse.ExportOffer{
		Rows: 1, One: "report", Many: "reports",
		Order: "with its requests, without secrets",
		Only:  "zip",
		Name:  "gatehouse-check-" + report.ID,
		Write: func(ctx context.Context, choice browse.ExportChoice, progress func(rows int, bytes int64)) error {
			var written files.Counter
			defer func() { progress(1, written.Written()) }()
			return files.Export(ctx, choice.Path, choice.Overwrite, func(w io.Writer) error {
				return c.desk.options.WriteBundle(written.To(w), report)
			})
		},
	}, func() tea.Cmd { return c.env.Root.Pop(prompt) })
	return c.env.Root.Push(c, prompt)
}
