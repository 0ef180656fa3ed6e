// Package activity is the tab that lists the requests that the program has made, with its
// messages in between. Support staff copy a request as a command, or save all requests as an HTTP
// Archive. The log has the requests without secrets.
package activity

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/files"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/styles"
	"gatehouse/ui/browse"
	"gatehouse/ui/explain"
	"gatehouse/ui/fields"
	"gatehouse/ui/grid"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
	"gatehouse/ui/traffic"
)

// refreshPause is how long the list stays as it is after a change, so that many requests at once
// are shown together.
const refreshPause = 100 * time.Millisecond

// Model is the screen of the tab.
type Model struct {
	*browse.List
	env     *screen.Env
	log     *traffic.Log
	version string       // of the program
	life    *screen.Work // ends with the screen

	seen    int       // the version of the log that is shown; -1 for none yet
	started time.Time // when the log was started that is shown
}

// New makes the screen of a log. version is that of the program, for HTTP Archives.
func New(env *screen.Env, log *traffic.Log, version string) *Model {
	m := &Model{env: env, log: log, version: version, life: screen.NewWork(env), seen: -1}
	glyphs := env.Theme.Glyphs
	m.List = browse.NewList(env, m, browse.Options{
		Title: "Activity", One: "entry", Many: "entries",
		Columns:  columns,
		Headings: map[string]string{"took_ms": "Took"},
		Mark:     marker(glyphs),
		Empty: "Each request appears here when it has been answered; " +
			env.Keys.Key(screen.BrowseReload) + " on Shares sends one.",
		Open: m.open,
		Preview: func(record []byte) []fields.Group {
			e, _ := entryOf(log, record)
			return groups(e, glyphs)
		},
	})
	return m
}

// open shows the entry of a row in full.
func (m *Model) open(row []byte) tea.Cmd {
	e, ok := entryOf(m.log, row)
	if !ok {
		return nil
	}
	read := func() []fields.Group { return groups(e, m.env.Theme.Glyphs) }
	d := &detail{
		Model: record.Open(m.env, record.Fixed(document(e), read), 0),
		env:   m.env,
		entry: e,
	}
	d.Explains = explain.Request
	d.Name = "the request as JSON"
	return m.Over(d)
}

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd { return tea.Batch(m.refresh(), m.wait(0)) }

// Focus implements [screen.Screen]. It shows what the log has got while another screen was shown.
func (m *Model) Focus() tea.Cmd { return m.refresh() }

// Close implements [screen.Screen].
func (m *Model) Close() {
	m.life.Cancel()
	m.List.Close()
}

// wait waits for a pause and then for the next change of the log, and shows it.
func (m *Model) wait(pause time.Duration) tea.Cmd {
	version, ctx := m.seen, m.life.Context
	return func() tea.Msg {
		defer screen.Aside(ctx)()
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil
		}
		select {
		case <-m.log.After(version):
			return screen.Addressed{To: m, Take: m.changed}
		case <-ctx.Done():
			return nil
		}
	}
}

// changed shows a change of the log, and waits for the next one.
func (m *Model) changed() tea.Cmd { return tea.Batch(m.refresh(), m.wait(refreshPause)) }

// refresh lists the entries of the log. If the log was started anew, for another person, it also
// closes the entry that is open.
func (m *Model) refresh() (closed tea.Cmd) {
	entries, version, started := m.log.All()
	if version == m.seen {
		return nil
	}
	if started != m.started {
		closed = m.Forget()
	}
	m.seen, m.started = version, started
	newest := 0
	if len(entries) > 0 {
		newest = entries[len(entries)-1].Number
	}
	return tea.Batch(closed, m.Renew(tableOf(entries), newest))
}

func (m *Model) Actions() []screen.Action {
	list := m.List.Actions()
	if m.Typing() || m.seen < 0 {
		return list
	}
	for i := range list {
		switch a := &list[i]; a.ID {
		case screen.BrowseOpen:
			a.Title, a.Description = "detail", "show everything about the request"
		case screen.BrowseCopy:
			*a = screen.Action{ID: screen.ActivityCopy, Reason: a.Reason, Run: func() tea.Cmd {
				row, _ := m.Selected()
				if e, ok := entryOf(m.log, row); ok {
					return copyEntry(m.env.Root, e)
				}
				return nil
			}}
		case screen.BrowseExport:
			*a = screen.Action{ID: screen.ActivityExport, Reason: a.Reason, Run: m.openExport}
			if m.env.Remote {
				a.Never, a.Quiet = true, true
				a.Reason = "the file would be saved on the server; " +
					m.env.Keys.Key(screen.ActivityCopy) + " copies a request"
			}
		}
	}
	return slices.DeleteFunc(list, func(a screen.Action) bool { return a.ID == screen.BrowseReload })
}

// copyEntry copies an entry: a note as text, and a request as a curl command.
func copyEntry(root screen.Root, e traffic.Entry) tea.Cmd {
	if e.Exchange == nil {
		return root.Copy(e.Text, "the note")
	}
	return root.CopyDocument(curl(e.Exchange), "the request as a curl command")
}

// listed returns the requests that the filter finds, the oldest first.
func (m *Model) listed() []*api.Exchange {
	var found []traffic.Entry
	for record := range m.Found() {
		if e, ok := entryOf(m.log, record); ok && e.Exchange != nil {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b traffic.Entry) int { return a.Number - b.Number })
	list := make([]*api.Exchange, len(found))
	for i, e := range found {
		list[i] = e.Exchange
	}
	return list
}

// openExport asks for the file in which the listed requests are saved.
func (m *Model) openExport() tea.Cmd {
	requests := m.listed()
	if len(requests) == 0 {
		return m.env.Root.Say("There is no request here to save.", false)
	}
	now := m.env.Now().Local().Format("2006-01-02-150405")
	return m.Over(browse.NewExportPrompt(m.env, browse.ExportOffer{
		Rows: len(requests), One: "request", Many: "requests",
		Order: "as an HTTP Archive, without secrets",
		End:   ".har",
		Name:  files.ExportName("gatehouse", "requests", now),
		Write: browse.AtOnce(len(requests), func(w io.Writer) error {
			return api.WriteHAR(w, m.version, requests)
		}),
	}))
}

// detail is the screen that shows one entry in full.
type detail struct {
	*record.Model
	env   *screen.Env
	entry traffic.Entry
}

// title is the method and the last part of the path of a request, or "Note".
func (d *detail) title() string {
	x := d.entry.Exchange
	if x == nil {
		return "Note"
	}
	return x.Method + " " + x.Path[strings.LastIndexByte(x.Path, '/')+1:]
}

// Frame implements [screen.Screen].
func (d *detail) Frame() screen.Frame { return screen.InPane }

// View implements [screen.Screen].
func (d *detail) View() screen.View {
	v := d.Model.View()
	v.Title = d.title()
	v.Border = screen.Pane{Title: safetext.Clip(v.Title, maxLabel)}
	v.Said = []string{d.entry.Text}
	return v
}

func (d *detail) Actions() []screen.Action {
	list := d.Model.Actions()
	if d.Typing() {
		return list
	}
	copyValue := screen.Action{ID: screen.TreeCopy, Run: d.CopyValue}
	copyRequest := screen.Action{
		ID:  screen.ActivityCopyRequest,
		Run: func() tea.Cmd { return copyEntry(d.env.Root, d.entry) },
	}
	return append([]screen.Action{copyValue, copyRequest}, list...)
}

// groups are the fields of an entry: of a request how it ended, when, and what was sent and
// answered; of a note its text and time.
func groups(e traffic.Entry, glyphs styles.Glyphs) []fields.Group {
	x := e.Exchange
	if x == nil {
		return []fields.Group{noteGroup(e)}
	}
	list := []fields.Group{requestGroup(x), answerGroup(x, glyphs), timesGroup(x)}
	for _, pairs := range []fields.Group{
		pairsGroup("Parameters", "parameters", x.Query),
		pairsGroup("Form", "form", x.Form),
		pairsGroup("Headers of the answer", "headers of the answer", x.AnswerHeader),
		pairsGroup("Headers of the request", "headers of the request", x.Header),
	} {
		if len(pairs.Fields) > 0 {
			list = append(list, pairs)
		}
	}
	return list
}

func noteGroup(e traffic.Entry) fields.Group {
	note := fields.Fact("Note", e.Text)
	note.Meaning = "A message from Gatehouse, listed between the requests sent before and after it."
	return fields.Group{Fields: []fields.Field{note, fields.Fact("At", human.Moment(e.At.Local()))}}
}

func requestGroup(x *api.Exchange) fields.Group {
	request := fact("request", "Request", x.Method+" "+x.Scheme+"://"+x.Host+x.Path+query(x))
	request.Role = fields.Strong
	g := fields.Group{Fields: []fields.Field{request}}
	if credentials := strings.Join(Credentials(x), ", "); credentials != "" {
		g.Fields = append(g.Fields, fact("secrets", "Sent with", credentials))
	}
	return g
}

// answerGroup has the fields of the answer. If there was none, it says why and has the number of
// attempts.
func answerGroup(x *api.Exchange, glyphs styles.Glyphs) fields.Group {
	g := fields.Group{Title: "Answer", Fields: []fields.Field{verdict(x, glyphs)}}
	if x.Err != nil {
		g.Fields = append(g.Fields, fields.Fact("Failure", x.Err.Error()))
	}
	attempt := fact("attempt", "Attempt", human.Number(x.Try))
	about := []fields.Field{attempt}
	if x.Status != 0 {
		about = []fields.Field{
			fact("protocol", "Protocol", x.Protocol),
			amount("size", "Size", human.Size(x.Bytes)),
			attempt,
			body(x),
		}
	}
	for _, f := range about {
		if f.Text != "" {
			g.Fields = append(g.Fields, f)
		}
	}
	return g
}

func timesGroup(x *api.Exchange) fields.Group {
	g := fields.Group{Title: "Times", Fields: []fields.Field{
		fact("started", "Started", human.Moment(x.Start.Local())),
	}}
	duration := human.Duration(x.Duration)
	if x.Status == 0 {
		g.Fields = append(g.Fields, amount("given up", "Given up", duration))
		return g
	}
	g.Fields = append(g.Fields,
		amount("first byte", "First byte", human.Duration(x.FirstByte)),
		amount("total", "Total", duration))
	return g
}

// pairsGroup has a field for each pair. path is where the pairs are in the [document].
func pairsGroup(title, path string, pairs []api.Pair) fields.Group {
	g := fields.Group{Title: title}
	for _, p := range pairs {
		name := path + "." + p.Name
		g.Fields = append(g.Fields, fields.Field{
			Label:  safetext.Clip(p.Name, maxLabel),
			Text:   p.Value,
			Path:   name,
			Exact:  p.Value,
			AsSent: true,
			What:   safetext.Clip(name, 2*maxLabel),
			Masked: p.Secret && p.Value == secret.Mask,
		})
	}
	return g
}

// fact is a field with a text; key is its name in the explanations of requests.
func fact(key, label, text string) fields.Field {
	f := fields.Fact(label, text)
	f.Meaning, _ = explain.Field(explain.Request, key)
	return f
}

// amount is a field with an amount; key is its name in the explanations of requests.
func amount(key, label string, a human.Amount) fields.Field {
	f := fields.Quantity(label, a)
	f.Meaning, _ = explain.Field(explain.Request, key)
	return f
}

// maxLabel is how many cells of the name of a header are shown.
const maxLabel = 40

// body is the field with the body of the answer, or with the reason why it was not kept. It is
// the zero Field if there is no body.
func body(x *api.Exchange) fields.Field {
	body := x.Body
	switch {
	case body.Omitted != "":
		return fields.Field{
			Label: "Body",
			Text:  "not kept: " + body.Omitted,
			Role:  fields.Aside,
			Path:  "body, not kept",
			What:  "the body",
			Exact: body.Omitted,
		}
	case body.Text == "":
		return fields.Field{}
	}
	return fields.Field{
		Label:    "Body",
		Text:     body.Text,
		Path:     "body",
		What:     "the body",
		Document: true,
	}
}

// roles are the roles of fields for the tones of the list.
var roles = map[grid.Tone]fields.Role{
	grid.Good:  fields.Good,
	grid.Warn:  fields.Warn,
	grid.Bad:   fields.Bad,
	grid.Plain: fields.Plain,
}

// verdict is the field with the status of the answer and its sign.
func verdict(x *api.Exchange, glyphs styles.Glyphs) fields.Field {
	sign, tone := outcomeOf(traffic.Entry{Exchange: x}).mark(glyphs)
	text := strings.TrimSpace(strconv.Itoa(x.Status) + " " + http.StatusText(x.Status))
	if x.Status == 0 {
		text = "none"
	}
	f := fact("status", "Status", sign+" "+text)
	f.Copied = text
	f.Role = roles[tone]
	return f
}

// document is an entry as JSON, which the tree shows. Its members are in the order in which
// people look for them.
func document(e traffic.Entry) []byte {
	var doc object
	x := e.Exchange
	if x == nil {
		doc.add("note", quoted(e.Text))
		return doc.close()
	}
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

// pairsObject writes pairs as a JSON object. A name that occurs twice is in it twice.
func pairsObject(pairs []api.Pair) []byte {
	var o object
	for _, p := range pairs {
		o.add(p.Name, quoted(p.Value))
	}
	return o.close()
}

// object writes a JSON object. Its members keep their order, and names may repeat.
type object struct{ text []byte }

// add adds a member; value is JSON.
func (o *object) add(name string, value []byte) {
	separator := byte('{')
	if len(o.text) > 0 {
		separator = ','
	}
	o.text = append(o.text, separator)
	o.text = append(o.text, quoted(name)...)
	o.text = append(o.text, ':')
	o.text = append(o.text, value...)
}

// close returns the object as JSON.
func (o *object) close() []byte {
	if len(o.text) == 0 {
		return []byte("{}")
	}
	return append(o.text, '}')
}

// quoted writes a text as a JSON string, without escapes that only HTML needs.
func quoted(text string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string can always be encoded
	return bytes.TrimRight(b.Bytes(), "\n")
}
