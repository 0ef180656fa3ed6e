package cli

import (
	"io"
	"strconv"

	"gatehouse/internal/batch"
	"gatehouse/internal/check"
	"gatehouse/internal/safetext"
)

// progressLine is one line on stderr that is rewritten.
type progressLine struct {
	out   io.Writer // nil: nothing is shown
	width int
}

// progressLine is for a terminal on which lines can be rewritten, and not for a screen
// reader, which would read all of it.
func (a *app) progressLine() *progressLine {
	if !a.env.StderrIsTerminal || a.flags.accessible || a.accessibleDefault() {
		return new(progressLine)
	}
	const widest = 80
	line := &progressLine{out: a.env.Stderr, width: widest}
	if width := a.tableWidth(); width > 0 {
		line.width = min(width, widest)
	}
	return line
}

// clearLine takes back what stands on the line of the cursor.
const clearLine = "\r\x1b[K"

// rewrite shows a text in place of the one before.
func (p *progressLine) rewrite(text string) {
	if p.out != nil {
		_, _ = io.WriteString(p.out, clearLine+safetext.Clip(text, p.width-1))
	}
}

func (p *progressLine) clear() {
	if p.out != nil {
		_, _ = io.WriteString(p.out, clearLine)
	}
}

// checkProgress shows how far the checks of an address are.
type checkProgress struct {
	*progressLine
	ended int
}

func (p *checkProgress) show(email string, c check.Check) {
	text := "Checking " + email + ": "
	if c.State == check.Running {
		text += c.Name()
	} else {
		p.ended++
		text += strconv.Itoa(p.ended) + " done"
	}
	p.rewrite(text)
}

// batchProgress shows on stderr how far a batch is: one line that is rewritten on a
// terminal, a line every ten seconds elsewhere.
type batchProgress struct {
	*progressLine
	app   *app
	quiet bool
	calls int
	// ending is true once it has been said that the batch is ending.
	ending bool
}

func newBatchProgress(a *app, quiet bool) *batchProgress {
	p := &batchProgress{progressLine: new(progressLine), app: a, quiet: quiet}
	if !quiet {
		p.progressLine = a.progressLine()
	}
	return p
}

// show is called at the start, each second and at the end.
func (p *batchProgress) show(progress batch.Progress) {
	const plainEvery = 10 // seconds
	p.calls++
	if progress.Ending && !p.ending && p.app.env.LetInterrupt != nil {
		p.app.env.LetInterrupt()
	}
	switch {
	case p.quiet:
	case p.out != nil:
		p.rewrite(progress.String())
	case p.calls%plainEvery == 1 && p.calls > 1, progress.Ending && !p.ending:
		p.app.say("%s", progress)
	}
	p.ending = progress.Ending
}
