package fields

import (
	"cmp"
	"iter"
	"strings"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// maxTitle is the maximum width of the title of a pane in cells.
const maxTitle = 80

// title is what a field is called where it is explained.
func (f *Field) title(width int) string {
	return safetext.Clip(cmp.Or(f.Path, strings.TrimSpace(f.Label), f.What), width)
}

// isExplained reports whether there is more to say of a field than its line does.
func isExplained(f Field) bool { return f.Meaning != "" || len(f.Related) > 0 || f.showsExact() }

// showsExact reports whether the exact value is shown beside the list.
func (f *Field) showsExact() bool { return !f.Masked && f.addsExact() }

// explanation is a [screen.Part] that explains a field.
type explanation struct {
	*Field
	theme *styles.Theme
	// isCut reports whether the line of the field has no room for all of it. It draws that line, so
	// it is called only when the explanation is drawn.
	isCut func() bool
}

// Draw implements [screen.Part].
func (e explanation) Draw(width, height int) screen.Drawing {
	return e.parts().Draw(width, height)
}

// Say implements [screen.Part].
func (e explanation) Say() iter.Seq[string] {
	field := Say([]Group{{Fields: []Field{*e.Field}}}, nil)
	return screen.Concat(field, screen.Texts(e.Meaning))
}

// undocumented is said of a field of which neither the interface of the service nor its clients say
// what it is.
const undocumented = "Not documented."

// parts are the paragraphs of the explanation, with empty lines between them.
func (e explanation) parts() screen.Column {
	t := e.theme
	var parts screen.Column
	add := func(paragraph ...screen.Part) {
		if len(parts) > 0 {
			parts = append(parts, screen.Blank{})
		}
		parts = append(parts, paragraph...)
	}
	if e.Meaning != "" {
		add(screen.Text{Style: t.Text, Text: e.Meaning})
	}
	if e.Undocumented {
		add(screen.Text{Style: t.Muted, Text: undocumented})
	}
	if e.isCut() {
		texts := append([]string{e.Text}, e.behind()...)
		add(long{*e.Role.style(t), strings.Join(texts, "  ")})
	}
	if e.showsExact() {
		add(screen.Text{Style: t.Muted, Text: "Sent as"}, long{t.Text, e.Exact})
	}
	if len(e.Related) > 0 {
		add(screen.Heading{Theme: t, Title: "Related"})
		for _, r := range e.Related {
			parts = append(parts, screen.KeyLine{Theme: t, Key: r.Key, Text: r.Text})
		}
	}
	return parts
}

// long is a [screen.Part]: text from outside, which may be of any length.
type long struct {
	style styles.Style
	text  string
}

// Draw implements [screen.Part].
func (l long) Draw(width, height int) screen.Drawing {
	if width < 1 {
		return screen.Drawing{}
	}
	lines := wrapped(l.text, width, height)
	for i, line := range lines {
		lines[i] = l.style.Render(line)
	}
	return screen.Drawing{Lines: lines}
}

// Say implements [screen.Part].
func (l long) Say() iter.Seq[string] { return screen.Texts(l.text) }
