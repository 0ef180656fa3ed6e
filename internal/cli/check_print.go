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

// reportForm returns how reports are written.
func (a *app) reportForm(emails []string) form[checked] {
	f := form[checked]{
		columns: reportColumns(a.cardStyle()),
		empty:   "There is no result yet.",
	}
	if draw := reportDrawers[a.format()]; draw != nil {
		draw(a, &f, len(emails))
	}
	return f
}

// reportDrawers has, for each format of reports that is drawn, what sets how a form draws as many
// reports as there are addresses.
var reportDrawers = map[*lists.Output]func(a *app, f *form[checked], addresses int){
	lists.AsTable:    (*app).drawReports,
	lists.AsMarkdown: func(a *app, f *form[checked], _ int) { f.text = a.markdown },
}

// drawReports draws a card if one address was given, otherwise a table.
func (a *app) drawReports(f *form[checked], addresses int) {
	if addresses != 1 {
		return
	}
	style := a.cardStyle()
	f.text = func(_ int, r checked) string {
		return strings.Join(style.card(r.Report), "\n") + "\n"
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

// reportColumns are the columns of reports, with the styles of a table.
func reportColumns(s cardStyle) []column[checked] {
	columns := []column[checked]{
		{cell: s.markCell},
		{name: "email", title: "Address", text: func(r checked) string { return r.Email }},
		{name: "id", text: func(r checked) string { return r.ID }},
		{
			name: "at", kind: lists.TimeColumn,
			text: func(r checked) string { return r.At.UTC().Format(time.RFC3339) },
		},
		{title: "Verdict", cell: func(r checked) tableCell { return textCell(r.Cause().What) }},
		{
			name: "ms", kind: lists.NumberColumn, title: "Took",
			text: func(r checked) string { return strconv.FormatInt(r.MS, 10) },
			cell: s.tookCell,
		},
		{name: "state", text: func(r checked) string { return string(r.Verdict.State) }},
		{name: "code", text: func(r checked) string { return string(r.Verdict.Code) }},
		{name: "scope", text: func(r checked) string { return string(r.Verdict.Scope) }},
		{
			name: "sentence", title: "What happened",
			text: func(r checked) string { return r.Verdict.Sentence },
			cell: s.sentenceCell,
		},
		{name: "next", text: checked.nextSteps},
		{name: "primary_domain", host: true, text: checked.primaryDomain},
	}
	for _, kind := range check.Kinds {
		columns = append(columns, column[checked]{
			name: kind.Column,
			text: func(r checked) string { return string(r.worst(kind.Column)) },
		})
	}
	return columns
}

// markCell returns the mark of a verdict.
func (s cardStyle) markCell(r checked) tableCell {
	mark, style := s.mark(r.Verdict.State)
	return tableCell{kind: lists.String, text: strings.TrimSpace(mark), style: style}
}

// tookCell says how long the checks took.
func (s cardStyle) tookCell(r checked) tableCell {
	took := human.Took(time.Duration(r.MS) * time.Millisecond)
	return tableCell{kind: lists.Number, text: took, style: s.theme.Muted}
}

// sentenceCell returns the sentence of a verdict.
func (s cardStyle) sentenceCell(r checked) tableCell {
	return tableCell{kind: lists.String, text: r.Verdict.Sentence, style: s.theme.Muted}
}

// nextSteps returns what to do next, as sentences.
func (r checked) nextSteps() string {
	var steps []string
	for _, step := range r.Verdict.Next {
		steps = append(steps, step.Sentence())
	}
	return strings.Join(steps, " ")
}

// primaryDomain returns the primary domain that the lookup found, or "".
func (r checked) primaryDomain() (domain string) {
	for _, c := range r.Checks {
		if c.ID == check.Lookup {
			domain = c.Detail.Text(check.FactPrimaryDomain)
		}
	}
	return domain
}

// worst returns the worst state of the checks that share a column, as all domains do.
func (r checked) worst(column string) (worst check.State) {
	for _, c := range r.Checks {
		isWorse := slices.Index(bySeverity, c.State) > slices.Index(bySeverity, worst)
		if check.KindOf(c.ID).Column == column && isWorse {
			worst = c.State
		}
	}
	return worst
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
	lines := s.folded(heading+"  ", joined(s.theme.Between(), r.Email, r.ID))
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
	separator := s.theme.Between()
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
