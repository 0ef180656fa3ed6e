package cli

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/check"
	"gatehouse/internal/files"
	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
)

// reportPrinter prints reports of checks to stdout, each as soon as it is there. It keeps
// none. Its methods are called one after another.
type reportPrinter struct {
	app     *app
	out     io.Writer
	several bool // a line for each in place of a card
	printed int
	style   cardStyle
	email   int // cells of the column of addresses
}

// reportPrinter prints the reports of these addresses, or of any number that is not known
// yet if there are none. It fails once ctx ends.
func (a *app) reportPrinter(ctx context.Context, emails []string) *reportPrinter {
	const least, most = 16, 32
	p := &reportPrinter{app: a, out: files.Interruptible(ctx, a.env.Stdout), several: len(emails) != 1, style: a.cardStyle(), email: most}
	if len(emails) > 0 {
		p.email = least
	}
	for _, email := range emails {
		p.email = min(max(p.email, safetext.Width(safetext.Line(email))), most)
	}
	if p.style.width > 0 {
		p.email = min(p.email, max(p.style.width*2/5, 1))
	}
	return p
}

// print prints a report in the format of --output.
func (p *reportPrinter) print(r check.Report) error {
	defer func() { p.printed++ }()
	switch p.app.format() {
	case formatJSON:
		return p.app.writeJSON(p.out, func(w io.Writer) error { return p.printElement(w, r) })
	case formatNDJSON:
		return p.app.writeJSON(p.out, func(w io.Writer) error { return writeCompact(w, r) })
	case formatCSV:
		return p.printCSV(r)
	case formatMarkdown:
		return p.printMarkdown(r)
	}
	if p.several {
		return p.printLine(r)
	}
	_, err := io.WriteString(p.out, strings.Join(p.style.card(r), "\n")+"\n")
	return err
}

// close prints what stands behind the last report.
func (p *reportPrinter) close() error {
	end := ""
	switch {
	case p.app.format() != formatJSON:
	case p.printed == 0:
		end = "[]\n"
	default:
		end = "\n]\n"
	}
	_, err := io.WriteString(p.out, end)
	return err
}

// printElement prints an element of the JSON array, which is that of [encodeJSON].
func (p *reportPrinter) printElement(w io.Writer, r check.Report) error {
	before := "[\n  "
	if p.printed > 0 {
		before = ",\n  "
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("  ", "  ")
	if err := encoder.Encode(r); err != nil {
		return err
	}
	_, err := io.WriteString(w, before+strings.TrimSuffix(text.String(), "\n"))
	return err
}

func writeCompact(w io.Writer, r check.Report) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}

func (p *reportPrinter) printMarkdown(r check.Report) error {
	text := r.Markdown()
	if p.app.forTerminal() {
		text = safetext.Block(text)
	}
	if p.printed > 0 {
		text = "\n---\n\n" + text
	}
	_, err := io.WriteString(p.out, text)
	return err
}

func (p *reportPrinter) printCSV(r check.Report) error {
	style := csvStyle{exact: p.app.flags.exact, terminal: p.app.forTerminal()}
	var text []byte
	if p.printed == 0 {
		text = records.AppendCSV(text, checkColumns())
	}
	row := checkRow(r)
	fields := make([]string, len(row))
	for i, cell := range row {
		fields[i] = style.field(cell)
	}
	_, err := p.out.Write(records.AppendCSV(text, fields))
	return err
}

// checksInCSV are the checks that have a column with their state in CSV. Those of domains
// share one, "domains", that has the worst of them.
var checksInCSV = []string{
	check.Profile, check.Lookup, check.Global, check.Authority, check.Gateway, check.SignIn, check.Claims, domainsInCSV, check.Device, check.Control,
}

const domainsInCSV = "domains"

func checkColumns() []string {
	return slices.Concat([]string{"email", "id", "at", "ms", "state", "code", "scope", "sentence", "next", "primary_domain"}, checksInCSV)
}

// checkRow is the row of a report, as many cells as [checkColumns].
func checkRow(r check.Report) []cell {
	v := r.Verdict
	var steps []string
	for _, step := range v.Next {
		steps = append(steps, step.Sentence())
	}
	states, primary := map[string]check.State{}, ""
	for _, c := range r.Checks {
		column := c.ID
		if strings.HasPrefix(c.ID, check.DomainPrefix) {
			column = domainsInCSV
		}
		if c.ID == check.Lookup {
			primary = c.Detail.Text(check.FactPrimaryDomain)
		}
		states[column] = worse(states[column], c.State)
	}
	row := []cell{
		textCell(r.Email), textCell(r.ID), textCell(r.At.UTC().Format(time.RFC3339)),
		{kind: records.Number, text: strconv.FormatInt(r.MS, 10)},
		textCell(string(v.State)), textCell(string(v.Code)), textCell(string(v.Scope)), textCell(v.Sentence),
		textCell(strings.Join(steps, " ")), textCell(primary),
	}
	for _, column := range checksInCSV {
		row = append(row, textCell(string(states[column])))
	}
	return row
}

// bySeverity are the states of checks, the worst last.
var bySeverity = []check.State{"", check.Skipped, check.OK, check.Info, check.Warn, check.Unknown, check.Fail}

func worse(a, b check.State) check.State {
	if slices.Index(bySeverity, a) > slices.Index(bySeverity, b) {
		return a
	}
	return b
}

// The columns of a line: the cause, the time, and what is left for the sentence.
const (
	causeWidth    = 26
	tookWidth     = 7
	leastSentence = 24
)

// printLine prints a report as one line: mark, address, cause, sentence, time.
func (p *reportPrinter) printLine(r check.Report) error {
	s := p.style
	mark, style := s.mark(r.Verdict.State)
	line := style.Render(mark) + "  " + safetext.Fit(safetext.Line(r.Email), p.email) + "  "
	took := safetext.PadLeft(human.Took(time.Duration(r.MS)*time.Millisecond), tookWidth)
	cause, sentence := safetext.Line(r.Cause()), safetext.Line(r.Verdict.Sentence)
	left := s.width - safetext.Width(mark) - 2 - p.email - 2 - 2 - tookWidth
	switch {
	case s.width == 0: // nothing is cut
		line += safetext.Pad(cause, causeWidth) + "  " + took + "  " + sentence
	case left < causeWidth+2+leastSentence:
		line += safetext.Fit(cause, max(left, 1)) + "  " + s.theme.Muted.Render(took)
	default:
		line += safetext.Fit(cause, causeWidth) + "  " + s.theme.Muted.Render(safetext.Fit(sentence, left-causeWidth-2)) + "  " + s.theme.Muted.Render(took)
	}
	_, err := io.WriteString(p.out, line+"\n")
	return err
}
