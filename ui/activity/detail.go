package activity

import (
	"bytes"
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// detail is the screen of one entry, whole.
type detail struct {
	env   *screen.Env
	entry Entry
	tree  *tree.Model // of a request; of a note, an empty one
	read  tea.Cmd     // of a long request

	width, height int
	facts         []string // the lines over the tree
}

func newDetail(env *screen.Env, e Entry) *detail {
	d := &detail{env: env, entry: e}
	doc := []byte("{}")
	if e.Exchange != nil {
		doc = document(e.Exchange)
	}
	reply := func(work func() tea.Msg) tea.Cmd { return screen.Reply(d, work) }
	d.tree, d.read = tree.Open(env.Context, env.Theme, doc, reply)
	return d
}

// Title implements [screen.Screen].
func (d *detail) Title() string {
	x := d.entry.Exchange
	if x == nil {
		return "Note"
	}
	return x.Method + " " + x.Path[strings.LastIndexByte(x.Path, '/')+1:]
}

// Init implements [screen.Screen].
func (d *detail) Init() tea.Cmd { return d.read }

// Typing implements [screen.Screen].
func (d *detail) Typing() bool { return d.tree.Typing() }

// Update implements [screen.Screen].
func (d *detail) Update(msg tea.Msg) tea.Cmd { return d.tree.Update(msg) }

// Close implements [screen.Screen].
func (d *detail) Close() { d.tree.Close() }

// Actions implements [screen.Screen]. The tree's come before the way back: while it is
// searched, esc ends the search.
func (d *detail) Actions() []screen.Action {
	back := screen.Action{ID: "activity.close", Run: func() tea.Cmd { return d.env.Root.Pop(d) }}
	duplicate := screen.Action{ID: "activity.copy", Run: func() tea.Cmd { return d.entry.copy(d.env.Root) }}
	switch {
	case d.tree.Typing():
		return d.tree.Actions()
	case d.entry.Exchange == nil:
		return []screen.Action{back, duplicate}
	}
	value := screen.Action{ID: "activity.copyvalue", Run: d.copyValue}
	return append(append([]screen.Action{duplicate, value}, d.tree.Actions()...), back)
}

// Click implements [screen.MouseHandler].
func (d *detail) Click(x, y int) tea.Cmd {
	d.tree.Click(x, y-len(d.facts))
	return nil
}

// Wheel implements [screen.MouseHandler].
func (d *detail) Wheel(_, _, lines int) tea.Cmd {
	d.tree.Wheel(lines)
	return nil
}

func (d *detail) copyValue() tea.Cmd {
	path, text := d.tree.Value()
	if path == "" {
		path = "headers and body as JSON"
	}
	if d.tree.IsDocument() {
		return d.env.Root.CopyDocument(text, path)
	}
	return d.env.Root.Copy(text, path)
}

// stampFormat shows a moment exactly enough to find it in a log of the service.
const stampFormat = "2 Jan 2006 15:04:05.000 -07:00"

// Layout implements [screen.Screen]. The tree keeps half of a small screen.
func (d *detail) Layout(width, height int) {
	d.width, d.height, d.facts = width, height, d.lines(width)
	if d.entry.Exchange != nil {
		d.facts = d.facts[:min(len(d.facts), max(height/2, height-12, 1))]
		d.tree.Layout(width, max(height-len(d.facts), 0))
	}
}

// View implements [screen.Screen].
func (d *detail) View() string {
	text := strings.Join(d.facts, "\n")
	if d.entry.Exchange != nil {
		text += "\n" + d.tree.View()
	}
	return screen.Box(text, d.width, d.height)
}

// lines say what was asked and what came of it, what matters most first.
func (d *detail) lines(width int) []string {
	t := d.env.Theme
	if d.entry.Exchange == nil {
		return append([]string{t.Muted.Render(d.entry.At.Local().Format(stampFormat)), ""},
			wrapped(safetext.Line(d.entry.Text), width)...)
	}
	x := d.entry.Exchange
	var lines []string
	add := func(label, value string) {
		if value != "" {
			lines = append(lines, screen.Cut(t.Muted.Render(safetext.Pad(label, 10))+value, width))
		}
	}
	for _, line := range wrapped(safetext.Line(x.Method+" "+x.Scheme+"://"+x.Host+x.Path+query(x)), width) {
		lines = append(lines, t.Strong.Render(line))
	}
	add("Answer", d.verdict(x))
	if x.Err != nil {
		add("Failure", safetext.Clip(x.Err.Error(), width))
	}
	add("Timing", timing(x, t.Glyphs.Separator))
	add("Started", x.Start.Local().Format(stampFormat))
	add("Sent with", safetext.Clip(strings.Join(Credentials(x), ", "), width))
	return append(lines, "")
}

// verdict is the status in words, with a sign.
func (d *detail) verdict(x *api.Exchange) string {
	t := d.env.Theme
	sign, style, text := t.Glyphs.Good, t.Good, statusLine(x.Status)
	switch {
	case x.Status == 0:
		sign, style, text = t.Glyphs.Bad, t.Bad, "none"
	case x.Err != nil || x.Status >= 400:
		sign, style = t.Glyphs.Bad, t.Bad
	case x.Status >= 300:
		sign, style = t.Glyphs.Warning, t.Warn
	}
	separator := " " + t.Glyphs.Separator + " "
	if x.Status != 0 {
		text += separator + safetext.Line(x.Protocol) + separator + screen.Bytes(x.Bytes)
	}
	if x.Try > 1 {
		text += separator + ordinal(x.Try) + " try"
	}
	return style.Render(sign + " " + text)
}

func timing(x *api.Exchange, separator string) string {
	if x.Status == 0 {
		return "given up after " + took(x.Duration)
	}
	return "first byte after " + took(x.FirstByte) + " " + separator + " end after " + took(x.Duration)
}

// wrapped breaks safe text into lines, four at most.
func wrapped(text string, width int) []string {
	lines := strings.Split(screen.Wrap(text, width), "\n")
	if len(lines) > 4 {
		lines = append(lines[:3], safetext.Truncate(strings.Join(lines[3:], ""), width))
	}
	return lines
}

// document is what the tree shows of a request: JSON in the order in which people
// look for it.
func document(x *api.Exchange) []byte {
	var doc object
	if len(x.Query) > 0 {
		doc.add("parameters", pairsObject(x.Query))
	}
	if len(x.Form) > 0 {
		doc.add("form", pairsObject(x.Form))
	}
	switch body := x.Body; {
	case body.Omitted != "":
		doc.add("body, not kept", quoted(body.Omitted))
	case body.Text == "":
	case body.JSON:
		doc.add(bodyName(body), []byte(body.Text))
	default:
		doc.add(bodyName(body), quoted(body.Text))
	}
	if x.Status != 0 {
		doc.add("headers of the answer", pairsObject(x.AnswerHeader))
	}
	doc.add("headers of the request", pairsObject(x.Header))
	return doc.close()
}

func bodyName(body api.Excerpt) string {
	if body.Cut {
		return "body, the beginning"
	}
	return "body"
}

func pairsObject(pairs []api.Pair) []byte {
	var o object
	for _, p := range pairs {
		o.add(p.Name, quoted(p.Value))
	}
	return o.close()
}

// object writes a JSON object whose members keep their order, also those of the
// same name.
type object struct{ text []byte }

func (o *object) add(name string, value []byte) {
	separator := byte('{')
	if len(o.text) > 0 {
		separator = ','
	}
	o.text = append(append(append(append(o.text, separator), quoted(name)...), ':'), value...)
}

func (o *object) close() []byte {
	if len(o.text) == 0 {
		return []byte("{}")
	}
	return append(o.text, '}')
}

// quoted writes a JSON string as people write it.
func quoted(text string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string can always be encoded
	return bytes.TrimRight(b.Bytes(), "\n")
}
