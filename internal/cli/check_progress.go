package cli

import (
	"io"
	"slices"
	"strconv"
	"strings"

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
	running []string // names of the checks under way
	ended   int
}

func (p *checkProgress) show(email string, c check.Check) {
	if c.State == check.Running {
		p.running = append(p.running, c.Name())
	} else {
		p.running = slices.DeleteFunc(p.running, func(name string) bool { return name == c.Name() })
		p.ended++
	}
	text := "Checking " + email + ": " + strconv.Itoa(p.ended) + " done"
	if len(p.running) > 0 {
		text += ", asking " + strings.Join(p.running, ", ")
	}
	p.rewrite(text)
}
