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

// reportForm returns how reports are written: a card if one address was given, otherwise a table.
func (a *app) reportForm(emails []string) form[checked] {
	f := form[checked]{
		columns: checkColumns,
		row:     checkRow,
		kinds:   checkKinds,
		hosts:   []string{"primary_domain"},
	}
	style := a.cardStyle()
	switch {
	case a.format() == lists.AsMarkdown:
		f.text = a.markdown
	case len(emails) == 1:
		f.text = func(_ int, r checked) string {
			return strings.Join(style.card(r.Report), "\n") + "\n"
		}
	default:
		f.titles, f.address = []string{"", "Address", "Verdict", "Took", "What happened"}, 1
		f.cells, f.empty = style.cells, "There is no result yet."
	}
	return f
}

// cells returns a report as the row of a table: mark, address, cause, time, sentence.
func (s cardStyle) cells(r checked) []cell {
	mark, style := s.mark(r.Verdict.State)
	took := human.Took(time.Duration(r.MS) * time.Millisecond)
	return []cell{
		{kind: lists.String, text: strings.TrimSpace(mark), style: style},
		textCell(r.Email), textCell(r.Cause().What),
		{kind: lists.Number, text: took, style: s.theme.Muted},
		{kind: lists.String, text: r.Verdict.Sentence, style: s.theme.Muted},
	}
}

// markdown returns a report for a ticket. n counts the reports, from 0.
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

// checkColumns are the columns of a CSV of reports.
var checkColumns = slices.Concat(
	[]string{
		"email", "id", "at", "ms", "state", "code", "scope", "sentence", "next", "primary_domain",
	},
	stateColumns(),
)

// stateColumns lists the columns with the states of checks. All domains share one, which has the
// worst of their states.
func stateColumns() (columns []string) {
	for _, kind := range check.Kinds {
		columns = append(columns, kind.Column)
	}
	return columns
}

// checkKinds are the kinds of those columns that are not text.
var checkKinds = map[string]lists.ColumnKind{"at": lists.TimeColumn, "ms": lists.NumberColumn}

// checkRow returns the fields of a report in the order of checkColumns.
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

// bySeverity lists the states of checks, the worst last.
var bySeverity = []check.State{
	"", check.Skipped, check.OK, check.Info, check.Warn, check.Unknown, check.Fail,
}

// cardStyle is how reports, headings and labels are drawn on stdout.
type cardStyle struct {
	theme *styles.Theme // without any style if words is set
	width int           // of a line; 0 is no limit
	// words writes states as words instead of marks: for files, pipes, dumb terminals and screen
	// readers.
	words bool
}

// cardStyle returns the style for stdout.
func (a *app) cardStyle() cardStyle {
	kind, _ := a.env.LookupEnv("TERM")
	canDraw := a.env.StdoutIsTerminal && kind != "dumb"
	isReadAloud := a.flags.accessible || a.accessibleDefault()
	if !canDraw || isReadAloud {
		plain := styles.New(styles.Options{NoColor: true})
		return cardStyle{&styles.Theme{Glyphs: plain.Glyphs}, a.tableWidth(), true}
	}
	return cardStyle{ui.LineTheme(a.env.LookupEnv), a.tableWidth(), false}
}

// mark returns the mark or the word of a state, padded to one width for all states, and its style.
func (s cardStyle) mark(state check.State) (string, styles.Style) {
	if s.words {
		const width = len(check.Unknown) // the longest
		return safetext.Pad(string(state), width), s.theme.Text
	}
	mark, style := ui.Mark(s.theme, state)
	return mark, *style
}

// card returns a report as lines. On a terminal the verdict comes last, where it stays in sight
// however many checks there are. In a file, or read aloud, it comes first.
func (s cardStyle) card(r check.Report) []string {
	found := s.checks(r.Checks)
	if len(found) > 0 {
		found = append(found, "")
	}
	count := human.Count(len(r.Checks), "check", "checks")
	took := human.Took(time.Duration(r.MS) * time.Millisecond)
	for _, line := range s.folded("  ", count+" in "+took+". "+human.Moment(r.At.UTC())) {
		found = append(found, s.theme.Muted.Render(line))
	}
	if s.words {
		return slices.Concat(s.verdict(r), []string{""}, found)
	}
	return slices.Concat(found, []string{""}, s.verdict(r))
}

// verdict returns the lines of a verdict: what happened, to whom, the id to quote, and, as far as
// there are any, the evidence, what to do and what to tell the user.
func (s cardStyle) verdict(r check.Report) []string {
	v := r.Verdict
	mark, style := s.mark(v.State)
	heading := strings.TrimSpace(mark) + ": " + r.Title()
	if !s.words {
		heading = style.Bold().Render(mark + " " + r.Title())
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

// note is a paragraph of a card.
type note struct {
	label  string // "" if it belongs to the label before
	number string // "" if there is only one
	text   string
}

// joined joins the texts that are not empty.
func joined(separator string, texts ...string) string {
	isEmpty := func(text string) bool { return text == "" }
	return strings.Join(slices.DeleteFunc(texts, isEmpty), separator)
}

// folded returns the lines of a text from outside beside a drawn label. It is wrapped between words.
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

// aligned returns labels with their values in a column beside them.
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

// checks returns the lines of checks: mark, name, what was found.
func (s cardStyle) checks(checks []check.Check) []string {
	maxName, nameWidth := math.MaxInt, 0
	if s.width > 0 {
		const maxCells = 24
		maxName = min(maxCells, s.width/3)
	}
	for _, c := range checks {
		nameWidth = min(max(nameWidth, safetext.Width(safetext.Line(c.Name()))), maxName)
	}
	separator := " " + s.theme.Glyphs.Separator + " "
	var lines []string
	for _, c := range checks {
		mark, style := s.mark(c.State)
		name := safetext.Fit(safetext.Line(c.Name()), nameWidth)
		label := "  " + style.Render(mark) + "  " + name + "  "
		slow := ""
		if c.IsSlow() {
			slow = "slow: " + c.Took()
		}
		said := []string{c.Summary.String()}
		for _, fact := range c.Way() {
			said = append(said, fact.Label()+" "+fact.Text())
		}
		lines = append(lines, s.folded(label, joined(separator, append(said, slow)...))...)
		lines = append(lines, s.ends(c, safetext.Width(label))...)
	}
	return lines
}

// ends returns the lines below a check that came out badly: what came back, each fact beside its
// label.
func (s cardStyle) ends(c check.Check, indent int) (lines []string) {
	cells := 0
	for _, fact := range c.End() {
		cells = max(cells, safetext.Width(safetext.Line(fact.Label()))+columnGap)
	}
	for _, fact := range c.End() {
		name := safetext.Pad(safetext.Line(fact.Label()), cells)
		label := strings.Repeat(" ", indent) + s.theme.Muted.Render(name)
		lines = append(lines, s.folded(label, fact.Text())...)
	}
	return lines
}
