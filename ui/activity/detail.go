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

// detail is one entry, whole.
type detail struct {
	env   *screen.Env
	entry Entry
	tree  *tree.Model // of a request; of a note, an empty one
	above int         // lines over the tree, as last drawn
}

func newDetail(env *screen.Env, owner screen.Screen, e Entry) *detail {
	d := &detail{env: env, entry: e}
	doc := []byte("{}")
	if e.Exchange != nil {
		doc = document(e.Exchange)
	}
	reply := func(work func() tea.Msg) tea.Cmd { return screen.Reply(owner, work) }
	d.tree, _ = tree.Open(env.Context, env.Theme, doc, reply) // it is short: there is no work
	return d
}

// actions has the tree's before the way back: while it is searched, esc ends the
// search.
func (d *detail) actions(back, copied screen.Action) []screen.Action {
	switch {
	case d.tree.Typing():
		return d.tree.Actions()
	case d.entry.Exchange == nil:
		return []screen.Action{back, copied}
	}
	value := screen.Action{ID: "activity.copyvalue", Run: d.copyValue}
	return append(append([]screen.Action{copied, value}, d.tree.Actions()...), back)
}

// title names the entry where there is little room.
func (d *detail) title() string {
	x := d.entry.Exchange
	if x == nil {
		return "Note"
	}
	return x.Method + " " + x.Path[strings.LastIndexByte(x.Path, '/')+1:]
}

func (d *detail) copyValue() tea.Cmd {
	path, text := d.tree.Value()
	if path == "" {
		path = "headers and body as JSON"
	}
	return d.env.Root.Copy(text, path)
}

// stampFormat shows a moment exactly enough to find it in a log of the service.
const stampFormat = "2 Jan 2006 15:04:05.000 -07:00"

func (d *detail) view(width, height int) string {
	lines := d.facts(width)
	if d.entry.Exchange == nil {
		return screen.Box(strings.Join(lines, "\n"), width, height)
	}
	// The tree keeps half of a small screen.
	lines = lines[:min(len(lines), max(height/2, height-12, 1))]
	d.above = len(lines)
	d.tree.Layout(width, max(height-len(lines), 0))
	return strings.Join(lines, "\n") + "\n" + d.tree.View()
}

// facts say in a few lines what was asked and what came of it, what matters most
// first.
func (d *detail) facts(width int) []string {
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
