package cli

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui"
)

// reportForm is how the reports of these addresses are written, or of any number if there are
// none: a card for one address, and a line for each of several.
func (a *app) reportForm(emails []string) form[checked] {
	f := form[checked]{columns: checkColumns, row: checkRow, kinds: checkKinds, hosts: []string{"primary_domain"}}
	style := a.cardStyle()
	switch {
	case a.format() == lists.AsMarkdown:
		f.text = a.markdown
	case len(emails) == 1:
		f.text = func(_ int, r checked) string { return strings.Join(style.card(r.Report), "\n") + "\n" }
	default:
		f.titles, f.address = []string{"", "Address", "Verdict", "Took", "What happened"}, 1
		f.cells, f.empty = style.cells, "There is no result yet."
	}
	return f
}

// cells are a report in a table: mark, address, cause, time, sentence.
func (s cardStyle) cells(r checked) []cell {
	mark, style := s.mark(r.Verdict.State)
	return []cell{
		{kind: lists.String, text: strings.TrimSpace(mark), style: style},
		textCell(r.Email), textCell(r.Cause().What),
		{kind: lists.Number, text: human.Took(time.Duration(r.MS) * time.Millisecond), style: s.theme.Muted},
		{kind: lists.String, text: r.Verdict.Sentence, style: s.theme.Muted},
	}
}

// markdown is the nth report for a ticket.
func (a *app) markdown(n int, r checked) string {
	text := r.Markdown()
	if a.forTerminal() {
		text = safetext.Block(text)
	}
	if n > 0 {
		text = "\n---\n\n" + text
	}
	return text
}

var checkColumns = slices.Concat(
	[]string{"email", "id", "at", "ms", "state", "code", "scope", "sentence", "next", "primary_domain"},
	stateColumns(),
)

// stateColumns are the columns with the states of checks. The domains share one, that has the worst
// of them.
func stateColumns() (columns []string) {
	for _, kind := range check.Kinds {
		columns = append(columns, kind.Column)
	}
	return columns
}

// checkKinds are the kinds of these columns that are not text.
var checkKinds = map[string]lists.ColumnKind{"at": lists.TimeColumn, "ms": lists.NumberColumn}

// checkRow is the row of a report, with as many fields as checkColumns.
func checkRow(r checked) []string {
	v := r.Verdict
	var steps []string
	for _, step := range v.Next {
		steps = append(steps, step.Sentence())
	}
	states, primary := map[string]check.State{}, ""
	for _, c := range r.Checks {
		column := check.KindOf(c.ID).Column
		if c.ID == check.Lookup {
			primary = c.Detail.Text(check.FactPrimaryDomain)
		}
		if slices.Index(bySeverity, c.State) > slices.Index(bySeverity, states[column]) {
			states[column] = c.State
		}
	}
	row := []string{
		r.Email, r.ID, r.At.UTC().Format(time.RFC3339), strconv.FormatInt(r.MS, 10),
		string(v.State), string(v.Code), string(v.Scope), v.Sentence, strings.Join(steps, " "), primary,
	}
	for _, column := range stateColumns() {
		row = append(row, string(states[column]))
	}
	return row
}

// bySeverity are the states of checks, the worst last.
var bySeverity = []check.State{"", check.Skipped, check.OK, check.Info, check.Warn, check.Unknown, check.Fail}

// cardStyle is how stdout is drawn on: reports, headings and labels.
type cardStyle struct {
	theme *styles.Theme // without any style where there are words
	width int           // of a line, 0: no limit
	// words stand where a state has a mark on a terminal: for files, pipes, dumb terminals and
	// screen readers.
	words bool
}

func (a *app) cardStyle() cardStyle {
	kind, _ := a.env.LookupEnv("TERM")
	if !a.env.StdoutIsTerminal || kind == "dumb" || a.flags.accessible || a.accessibleDefault() {
		return cardStyle{&styles.Theme{Glyphs: styles.New(styles.Options{NoColor: true}).Glyphs}, a.tableWidth(), true}
	}
	return cardStyle{ui.LineTheme(a.env.LookupEnv), a.tableWidth(), false}
}

// mark is the mark or the word of a state, all of one width, and its style.
func (s cardStyle) mark(state check.State) (string, styles.Style) {
	if s.words {
		return safetext.Pad(string(state), len(check.Unknown)), s.theme.Text // the longest
	}
	mark, style := ui.Mark(s.theme, state)
	return mark, *style
}

// card is a report as lines. On a terminal the verdict comes last, where it stays in sight
// however many checks there are. In a file, or read aloud, it comes first.
func (s cardStyle) card(r check.Report) []string {
	found := s.checks(r.Checks)
	if len(found) > 0 {
		found = append(found, "")
	}
	took := human.Took(time.Duration(r.MS) * time.Millisecond)
	for _, line := range s.folded("  ", human.Count(len(r.Checks), "check", "checks")+" in "+took+". "+human.Moment(r.At.UTC())) {
		found = append(found, s.theme.Muted.Render(line))
	}
	if s.words {
		return slices.Concat(s.verdict(r), []string{""}, found)
	}
	return slices.Concat(found, []string{""}, s.verdict(r))
}

// verdict is what happened, to whom, with the id to quote and, as far as there is something, how it
// is known, what to do and what to say.
func (s cardStyle) verdict(r check.Report) []string {
	v := r.Verdict
	mark, style := s.mark(v.State)
	heading := strings.TrimSpace(mark) + ": " + r.Title()
	if !s.words {
		heading = style.Bold(true).Render(mark + " " + r.Title())
	}
	lines := s.folded(heading+"  ", joined(" "+s.theme.Glyphs.Separator+" ", r.Email, r.ID))
	lines = append(lines, "")
	lines = append(lines, s.folded("  ", joined(" ", v.Sentence, r.Reach()))...)
	notes := []note{{"Evidence", "", v.Known}}
	label := "Next"
	for i, step := range v.Next {
		number := ""
		if len(v.Next) > 1 {
			number = strconv.Itoa(i+1) + ". "
		}
		notes = append(notes, note{label, number, step.Sentence()})
		label = ""
	}
	notes = append(notes, note{"Tell the user", "", v.User})
	for _, note := range notes {
		if note.text == "" {
			continue
		}
		if note.label != "" { // a block of its own
			lines = append(lines, "")
		}
		label := "  " + s.theme.Muted.Render(safetext.Pad(note.label, len("Tell the user  ")))
		lines = append(lines, s.folded(label+note.number, note.text)...)
	}
	return lines
}

// note is a paragraph of a card behind its label, "" for one that belongs to the label before, and its
// number, if there are several.
type note struct{ label, number, text string }

// joined are the texts that are not empty.
func joined(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// folded is text from outside after a drawn label, folded between words beside it.
func (s cardStyle) folded(label, text string) []string {
	indent := safetext.Width(label)
	text = safetext.Line(text)
	if room := s.width - indent; room > 1 {
		text = safetext.Wrap(text, room, "")
	}
	var lines []string
	for part := range strings.SplitSeq(text, "\n") {
		lines = append(lines, strings.TrimRight(label+part, " "))
		label = strings.Repeat(" ", indent)
	}
	return lines
}

// aligned are labels with their values beside them.
func (s cardStyle) aligned(lines []labelled) string {
	indent := 0
	for _, line := range lines {
		indent = max(indent, safetext.Width(line.label)+columnGap)
	}
	var text strings.Builder
	for _, line := range lines {
		label := s.theme.Muted.Render(safetext.Pad(line.label, indent))
		text.WriteString(strings.Join(s.folded(label, line.value), "\n") + "\n")
	}
	return text.String()
}

// checks are the lines of checks: mark, name, what was found.
func (s cardStyle) checks(checks []check.Check) []string {
	maxName, names := math.MaxInt, 0
	if s.width > 0 {
		maxName = min(24, s.width/3)
	}
	for _, c := range checks {
		names = min(max(names, safetext.Width(safetext.Line(c.Name()))), maxName)
	}
	var lines []string
	for _, c := range checks {
		mark, style := s.mark(c.State)
		label := "  " + style.Render(mark) + "  " + safetext.Fit(safetext.Line(c.Name()), names) + "  "
		slow := ""
		if c.IsSlow() {
			slow = "slow: " + c.Took()
		}
		said := []string{c.Summary}
		for _, fact := range c.Way() {
			said = append(said, fact.Label()+" "+fact.Text())
		}
		lines = append(lines, s.folded(label, joined(" "+s.theme.Glyphs.Separator+" ", append(said, slow)...))...)
		lines = append(lines, s.ends(c, safetext.Width(label))...)
	}
	return lines
}

// ends are the lines below a check that came out badly: what came back, each fact behind its label.
func (s cardStyle) ends(c check.Check, indent int) (lines []string) {
	cells := 0
	for _, fact := range c.End() {
		cells = max(cells, safetext.Width(safetext.Line(fact.Label()))+columnGap)
	}
	for _, fact := range c.End() {
		name := safetext.Pad(safetext.Line(fact.Label()), cells)
		lines = append(lines, s.folded(strings.Repeat(" ", indent)+s.theme.Muted.Render(name), fact.Text())...)
	}
	return lines
}
