package activity

import (
	"bytes"
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/ui/fields"
	"gatehouse/ui/grid"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
)

// detail is the screen of one entry, whole.
type detail struct {
	env    *screen.Env
	entry  Entry
	record *record.Model // of a request; of a note, an empty one

	width, height int
	head          []string // the lines over the record
}

func newDetail(env *screen.Env, e Entry) *detail {
	d := &detail{env: env, entry: e}
	doc := []byte("{}")
	if e.Exchange != nil {
		doc = document(e.Exchange)
	}
	d.record = record.Open(env, record.Fixed(doc, d.groups), 0)
	d.record.Name = "the request as JSON"
	return d
}

func (d *detail) Title() string {
	x := d.entry.Exchange
	if x == nil {
		return "Note"
	}
	return x.Method + " " + x.Path[strings.LastIndexByte(x.Path, '/')+1:]
}

func (d *detail) Init() tea.Cmd {
	d.record.Read()
	return nil
}

func (d *detail) Typing() bool { return d.record.Typing() }

func (d *detail) Update(msg tea.Msg) tea.Cmd { return d.record.Update(msg) }

func (d *detail) Close() {}

func (d *detail) Actions() []screen.Action {
	duplicate := screen.Action{ID: "activity.copy", Run: func() tea.Cmd { return d.entry.copy(d.env.Root) }}
	switch {
	case d.record.Typing():
		return d.record.Actions()
	case d.entry.Exchange == nil:
		return []screen.Action{duplicate}
	}
	value := screen.Action{ID: "activity.copyvalue", Run: d.record.CopyValue}
	return append([]screen.Action{duplicate, value}, d.record.Actions()...)
}

func (d *detail) Click(x, y int) tea.Cmd { return d.record.Click(x, y-len(d.head)) }

func (d *detail) Wheel(_, _, lines int) tea.Cmd {
	d.record.Wheel(lines)
	return nil
}

const meaningOfNotes = "A message of Gatehouse itself, kept between the requests that were sent before it and after it."

// stampFormat shows a moment exactly enough to find it in a log of the service.
const stampFormat = "2 Jan 2006 15:04:05.000 -07:00"

func (d *detail) Explained(beside bool) { d.record.Explained(beside) }

func (d *detail) Pane() screen.Pane {
	return screen.Pane{Title: safetext.Clip(d.Title(), longestLabel)}
}

// Side implements [screen.Paned]: the value under the cursor, or what a note is.
func (d *detail) Side(width, height int) (screen.Pane, string) {
	if d.entry.Exchange == nil {
		return screen.Pane{Title: "What a note is"}, screen.Wrap(d.env.Theme.Muted.Render(meaningOfNotes), width)
	}
	title, text := d.record.Explain(width, height)
	return screen.Pane{Title: title}, text
}

func (d *detail) Layout(width, height int) {
	d.width, d.height, d.head = width, height, screen.Indented(d.heading(width-2), 1)
	d.head = d.head[:min(len(d.head), max(height/2, 1))]
	if d.entry.Exchange != nil {
		d.record.Layout(width, max(height-len(d.head), 0))
	}
}

func (d *detail) View() string {
	text := strings.Join(d.head, "\n")
	if d.entry.Exchange != nil {
		text += "\n" + d.record.View()
	}
	return screen.Box(text, d.width, d.height)
}

// heading is the request as it was made, or the note.
func (d *detail) heading(width int) []string {
	t, x := d.env.Theme, d.entry.Exchange
	text, style := d.entry.Text, t.Text
	var lines []string
	if x != nil {
		text, style = x.Method+" "+x.Scheme+"://"+x.Host+x.Path+query(x), t.Strong
	} else {
		lines = append(lines, t.Muted.Render(d.entry.At.Local().Format(stampFormat)), "")
	}
	for _, line := range wrapped(safetext.Line(text), width) {
		lines = append(lines, style.Render(line))
	}
	return append(lines, "")
}

// groups say what came of a request, when, and what was sent and answered.
func (d *detail) groups() []fields.Group {
	x := d.entry.Exchange
	if x == nil {
		return nil
	}
	answer := fields.Group{Title: "Answer", Fields: []fields.Field{d.verdict(x)}}
	if x.Err != nil {
		answer.Fields = append(answer.Fields, fields.Fact("Failure", x.Err.Error()))
	}
	for _, f := range []fields.Field{
		fields.Fact("Protocol", x.Protocol), amount("Size", human.Bytes(x.Bytes)), fields.Fact("Try", human.Ordinal(x.Try)), d.body(x),
	} {
		if f.Text != "" && (x.Status != 0 || f.Label == "Try") {
			answer.Fields = append(answer.Fields, f)
		}
	}
	times := fields.Group{Title: "Times", Fields: []fields.Field{
		fields.Fact("Started", x.Start.Local().Format(stampFormat)), amount("First byte", human.Took(x.FirstByte)), amount("End", human.Took(x.Duration)),
	}}
	if x.Status == 0 {
		times.Fields = append(times.Fields[:1], amount("Given up", human.Took(x.Duration)))
	}
	list := []fields.Group{answer, times}
	if credentials := strings.Join(Credentials(x), ", "); credentials != "" {
		list = append(list, fields.Group{Title: "Sent with", Fields: []fields.Field{fields.Fact("Secrets", credentials)}})
	}
	for _, g := range []struct {
		title, path string
		pairs       []api.Pair
	}{
		{"Parameters", "parameters", x.Query}, {"Form", "form", x.Form},
		{"Headers of the answer", "headers of the answer", x.AnswerHeader}, {"Headers of the request", "headers of the request", x.Header},
	} {
		if len(g.pairs) > 0 {
			list = append(list, fields.Group{Title: g.title, Fields: pairFields(g.path, g.pairs)})
		}
	}
	return list
}

func amount(label, text string) fields.Field {
	f := fields.Fact(label, text)
	f.Role = fields.Amount
	return f
}

// pairFields are headers or parameters as fields, with where they stand in the document.
func pairFields(path string, pairs []api.Pair) []fields.Field {
	list := make([]fields.Field, len(pairs))
	for i, p := range pairs {
		name := path + "." + p.Name
		list[i] = fields.Field{Label: safetext.Clip(p.Name, longestLabel), Text: p.Value, Path: name, Exact: p.Value, What: safetext.Clip(name, 2*longestLabel), Masked: p.Secret && p.Value == secret.Mask}
	}
	return list
}

// longestLabel is how many cells of the name of a header are shown.
const longestLabel = 40

// body says what is kept of the body of the answer.
func (d *detail) body(x *api.Exchange) fields.Field {
	body := x.Body
	switch {
	case body.Omitted != "":
		return fields.Field{Label: "Body", Text: "not kept: " + body.Omitted, Role: fields.Aside, Path: "body, not kept", What: "the body", Exact: body.Omitted}
	case body.Text == "":
		return fields.Field{}
	}
	return fields.Field{Label: "Body", Text: body.Text, Path: "body", What: "the body", Document: true}
}

// verdict is the status in words, with a sign.
func (d *detail) verdict(x *api.Exchange) fields.Field {
	sign, tone := mark(x, d.env.Theme.Glyphs)
	text := statusLine(x.Status)
	if x.Status == 0 {
		text = "none"
	}
	f := fields.Fact("Status", sign+" "+text)
	f.Copied = text
	f.Role = map[grid.Tone]fields.Role{grid.Good: fields.Good, grid.Warn: fields.Warn, grid.Bad: fields.Bad, grid.Plain: fields.Plain}[tone]
	return f
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
		doc.add("body", []byte(body.Text))
	default:
		doc.add("body", quoted(body.Text))
	}
	if x.Status != 0 {
		doc.add("headers of the answer", pairsObject(x.AnswerHeader))
	}
	doc.add("headers of the request", pairsObject(x.Header))
	return doc.close()
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
