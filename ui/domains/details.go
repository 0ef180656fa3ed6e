package domains

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/check"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// labelWidth is how many cells the labels beside what is known of a domain take.
const labelWidth = 11

// facts writes lines of a label and what is known.
type facts struct {
	model   *Model
	width   int
	largest string // share of the domain, in digits: what bars are measured against
	lines   []string
}

// room is the width of what stands beside a label.
func (f *facts) room() int { return max(f.width-labelWidth, 1) }

// add adds a drawn value, with a label or "" where it goes on.
func (f *facts) add(label, value string) {
	if label == "" {
		f.lines = append(f.lines, screen.Cut(strings.Repeat(" ", labelWidth)+value, f.width))
		return
	}
	f.lines = append(f.lines, screen.Field(f.model.env.Theme, label, value, labelWidth, f.width))
}

// space adds an empty line, unless there is one.
func (f *facts) space() {
	if len(f.lines) > 0 && f.lines[len(f.lines)-1] != "" {
		f.lines = append(f.lines, "")
	}
}

// details is what is known of the domain under the cursor, in lines of a width.
func (m *Model) details(width int) []string {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	f := &facts{model: m, width: width}
	f.role(row)
	f.space()
	f.gateway(row)
	if known := m.gateways[m.names.addresses[row]]; known != nil && known.shares != nil {
		f.space()
		f.shares(known)
		f.answers(known)
	}
	return f.lines
}

func (f *facts) role(row int) {
	m := f.model
	role := "another domain"
	switch m.names.primary {
	case m.names.domains[row]:
		role = "primary domain"
	case "": // there is none to be another one of
		role = "a domain"
	}
	if user := m.status().Username; user != "" {
		role += " of " + safetext.Line(user)
	}
	f.add("Role", role)
}

// noAddress is said of a gateway that cannot be asked.
const noAddress = "the profile has no address for it"

func (f *facts) gateway(row int) {
	m, t := f.model, f.model.env.Theme
	address := m.names.addresses[row]
	if address == "" {
		f.add("Gateway", t.Muted.Render(noAddress))
		return
	}
	label := "Gateway"
	for part := range strings.SplitSeq(ansi.Hardwrap(safetext.Line(address), f.room(), false), "\n") {
		f.add(label, screen.Link(t, part, address))
		label = ""
	}
	known := m.gateways[address]
	switch {
	case known == nil || known.verdict == nil && !known.asking:
		return
	case known.verdict == nil:
		f.add("", t.Muted.Render("asking"+t.Glyphs.More))
		return
	}
	f.add("", f.state(known))
	if c := known.certificate; c != nil {
		f.add("", t.Muted.Render(c.String()))
	}
	if known.trouble != nil {
		for line := range strings.SplitSeq(screen.Wrap(known.trouble.Sentence+" "+known.trouble.Hint, f.room()), "\n") {
			f.add("", line)
		}
	}
}

// state is whether the gateway can be reached, and how long its answers take.
func (f *facts) state(known *gateway) string {
	t, mark := f.model.env.Theme, known.verdict.mark
	line := mark.style(t).Render(mark.glyph(&t.Glyphs) + " " + known.state())
	if !mark.reachable() {
		return line
	}
	middle, several := took(median(known.answers)), len(known.answers) > 1
	switch {
	case mark == good && several:
		line += "  " + middle + t.Muted.Render("  "+t.Glyphs.Separator+" median of "+strconv.Itoa(len(known.answers)))
	case mark == good:
		line += "  " + middle
	case several:
		line += t.Muted.Render("  median " + middle)
	}
	return line
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

// mostName is how many cells the name of a share takes at most, and leastBar and mostBar
// those of the bar beside it.
const mostName, leastBar, mostBar = 20, 5, 16

func (f *facts) shares(known *gateway) {
	t, counted := f.model.env.Theme, known.shares
	text := t.Number.Render(counted.String())
	if counted.Size != "" {
		number, unit, _ := strings.Cut(counted.SizeText(), " ")
		text += "   " + t.Number.Render(number) + " " + t.Muted.Render(unit)
	}
	if known.stale {
		text += t.Muted.Render("  at " + known.countedAt.Local().Format(time.TimeOnly))
	}
	f.add("Shares", text)
	if counted.Size == "" || len(counted.Largest) == 0 {
		return
	}
	names := 0
	for _, share := range counted.Largest {
		names = max(names, safetext.Width(safetext.Clip(share.Name, mostName)))
	}
	names = max(names, safetext.Width(othersText(counted)))
	_, rest := counted.Others()
	f.largest = counted.Largest[0].Size
	if check.CompareDigits(rest, f.largest) > 0 {
		f.largest = rest
	}
	for _, share := range counted.Largest {
		f.bar(safetext.Clip(share.Name, mostName), share.Size, names, t.Warn)
	}
	if text := othersText(counted); text != "" {
		f.bar(t.Muted.Render(text), rest, names, t.Muted)
	}
}

// othersText names the shares beside the largest, "" where there are none.
func othersText(counted *check.ShareCount) string {
	others, _ := counted.Others()
	switch {
	case others < 1:
		return ""
	case counted.More:
		return "others counted"
	}
	return human.Count(others, "other", "others")
}

// bar adds a name, a bar as long as its part of the largest share, and a size. The bar is
// left out where there is no room for it.
func (f *facts) bar(name, size string, names int, style styles.Style) {
	t := f.model.env.Theme
	number, unit, _ := human.SizeOf(size)
	label := safetext.PadLeft(number, len("999.9")) + " " + t.Muted.Render(unit)
	text := name + strings.Repeat(" ", max(names-screen.Cells(name), 0)) + "  "
	cells := min(f.room()-names-len("  ")-len("  999.9 PB"), mostBar)
	if cells >= leastBar {
		text += screen.Bar(t, style, part(size, f.largest), cells) + "  "
	}
	f.add("", text+label)
}

// part is how large one number is beside another, both in digits, at most 1.
func part(size, whole string) float64 {
	a, _ := strconv.ParseFloat(size, 64)
	b, _ := strconv.ParseFloat(whole, 64)
	if b <= 0 {
		return 0
	}
	return min(a/b, 1)
}

// answers shows how long the latest answers took, where there are several.
func (f *facts) answers(known *gateway) {
	if len(known.answers) < 2 {
		return
	}
	values := make([]float64, len(known.answers))
	for i, answer := range known.answers {
		values[i] = answer.Seconds()
	}
	t := f.model.env.Theme
	f.space()
	f.add("Answers", screen.Spark(t, values)+t.Muted.Render("  last "+strconv.Itoa(len(values))+", slowest "+took(slices.Max(known.answers))))
}

// hints names the keys that lead on from the domain under the cursor.
func (m *Model) hints(width int) []string {
	if _, ok := m.selected(); !ok {
		return nil
	}
	t, keys := m.env.Theme, []string{}
	for _, key := range [][2]string{{"domains.open", "shares"}, {"domains.address", "addresses"}, {"domains.copy", "copy"}} {
		keys = append(keys, t.Key.Render(m.env.Keys.Key(key[0]))+" "+t.KeyText.Render(key[1]))
	}
	return []string{"", screen.Field(t, "Next", strings.Join(keys, "   "), labelWidth, width)}
}
