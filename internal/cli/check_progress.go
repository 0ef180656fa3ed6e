package cli

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"gatehouse/internal/check"
	"gatehouse/internal/safetext"
)

// progressLine is one line on stderr that is rewritten while an address is checked.
type progressLine struct {
	out     io.Writer // nil: nothing is shown
	width   int
	running []string // names of the checks under way
	ended   int
}

// progressLine is for a terminal on which lines can be rewritten, and not for a screen
// reader, which would read all of it.
func (a *app) progressLine() *progressLine {
	if !a.env.StderrIsTerminal || a.accessibleDefault() {
		return new(progressLine)
	}
	return &progressLine{out: a.env.Stderr, width: a.tableWidth()}
}

// clearLine takes back what stands on the line of the cursor.
const clearLine = "\r\x1b[K"

func (p *progressLine) show(email string, c check.Check) {
	if p.out == nil {
		return
	}
	if c.State == check.Running {
		p.running = append(p.running, c.Name())
	} else {
		p.running = slices.DeleteFunc(p.running, func(name string) bool { return name == c.Name() })
		p.ended++
	}
	const widest = 80
	width := widest
	if p.width > 0 {
		width = min(p.width, widest)
	}
	text := "Checking " + email + ": " + strconv.Itoa(p.ended) + " done"
	if len(p.running) > 0 {
		text += ", asking " + strings.Join(p.running, ", ")
	}
	_, _ = io.WriteString(p.out, clearLine+safetext.Clip(text, width-1))
}

func (p *progressLine) clear() {
	if p.out != nil {
		_, _ = io.WriteString(p.out, clearLine)
	}
}
