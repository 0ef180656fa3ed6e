// Package activity is the tab that lists the requests the program has made, and its messages
// in between. Support staff copy a request as a command or save all requests as an HTTP
// Archive. Requests arrive already redacted.
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

// pause is how long the list stays as it is when it has changed: many requests at
// once are shown together.
const pause = 100 * time.Millisecond

// Model is the list.
type Model struct {
	*browse.List
	env     *screen.Env
	log     *traffic.Log
	version string       // of the program
	life    *screen.Work // ends with the screen

	seen  int       // the version of the log that is shown; -1: none yet
	begun time.Time // when that log was begun
}

// New makes the screen of a log; version is the program's.
func New(env *screen.Env, log *traffic.Log, version string) *Model {
	m := &Model{env: env, log: log, version: version, life: screen.NewWork(env), seen: -1}
	glyphs := env.Theme.Glyphs
	m.List = browse.NewList(env, m, browse.Options{
		Title: "Activity", One: "entry", Many: "entries", Columns: columns, Headings: map[string]string{"took_ms": "Took"}, Mark: marker(glyphs),
		Empty: "Each request appears here when it has been answered; " + env.Keys.Key(screen.BrowseReload) + " on Shares sends one.",
		Open: func(row []byte) tea.Cmd {
			e, ok := entryOf(log, row)
			if !ok {
				return nil
			}
			read := func() []fields.Group { return groups(e, env.Theme.Glyphs) }
			d := &detail{Model: record.Open(env, record.Fixed(document(e), read), 0), env: env, entry: e}
			d.Explains = explain.Request
			d.Name = "the request as JSON"
			return m.Over(d)
		},
		Preview: func(record []byte) []fields.Group {
			e, _ := entryOf(log, record)
			return groups(e, glyphs)
		},
	})
	return m
}

func (m *Model) Init() tea.Cmd { return tea.Batch(m.refresh(), m.wait(0)) }

// Focus implements [screen.Screen]: what is shown again is up to date.
func (m *Model) Focus() tea.Cmd { return m.refresh() }

func (m *Model) Close() {
	m.life.Cancel()
	m.List.Close()
}

// wait lists the log again with its next change, after a pause.
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

func (m *Model) changed() tea.Cmd { return tea.Batch(m.refresh(), m.wait(pause)) }

// refresh lists what the log holds now. The command closes what was opened for somebody
// else.
func (m *Model) refresh() (closed tea.Cmd) {
	entries, version, begun := m.log.All()
	if version == m.seen {
		return nil
	}
	if begun != m.begun {
		closed = m.Forget()
	}
	m.seen, m.begun = version, begun
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
				a.Never = true
				a.Reason, a.Quiet = "the file would be saved on the server; "+m.env.Keys.Key(screen.ActivityCopy)+" copies a request", true
			}
		}
	}
	return slices.DeleteFunc(list, func(a screen.Action) bool { return a.ID == screen.BrowseReload })
}

// copyEntry copies a note as it is, and a request as a command.
func copyEntry(root screen.Root, e traffic.Entry) tea.Cmd {
	if e.Exchange == nil {
		return root.Copy(e.Text, "the note")
	}
	return root.CopyDocument(curl(e.Exchange), "the request as a curl command")
}

// listed are the requests that are listed, the oldest first.
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

// openExport shows the prompt that saves the listed requests.
func (m *Model) openExport() tea.Cmd {
	requests := m.listed()
	if len(requests) == 0 {
		return m.env.Root.Say("There is no request here to save.", false)
	}
	return m.Over(browse.NewExportPrompt(m.env, browse.ExportOffer{
		Rows: len(requests), One: "request", Many: "requests",
		Order: "as an HTTP Archive, without secrets",
		End:   ".har",
		Name:  files.ExportName("gatehouse", "requests", m.env.Now().Local().Format("2006-01-02-150405")),
		Write: browse.AtOnce(len(requests), func(w io.Writer) error { return api.WriteHAR(w, m.version, requests) }),
	}))
}

// detail is the screen of one entry, whole.
type detail struct {
	*record.Model
	env   *screen.Env
	entry traffic.Entry
}

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
	duplicate := screen.Action{ID: screen.ActivityCopy, Run: func() tea.Cmd { return copyEntry(d.env.Root, d.entry) }}
	value := screen.Action{ID: screen.ActivityCopyValue, Run: d.CopyValue}
	return append([]screen.Action{duplicate, value}, list...)
}

// groups say how a request ended, when, and what was sent and answered; of a note what it
// says.
func groups(e traffic.Entry, glyphs styles.Glyphs) []fields.Group {
	x := e.Exchange
	if x == nil {
		said := fields.Fact("Note", e.Text)
		said.Meaning = "A message from Gatehouse, listed between the requests sent before and after it."
		return []fields.Group{{Fields: []fields.Field{said, fields.Fact("At", human.Moment(e.At.Local()))}}}
	}
	asked := fact("request", "Request", x.Method+" "+x.Scheme+"://"+x.Host+x.Path+query(x))
	asked.Role = fields.Strong
	answer := fields.Group{Title: "Answer", Fields: []fields.Field{verdict(x, glyphs)}}
	if x.Err != nil {
		answer.Fields = append(answer.Fields, fields.Fact("Failure", x.Err.Error()))
	}
	for _, f := range []fields.Field{
		fact("protocol", "Protocol", x.Protocol), amount("size", "Size", human.Size(x.Bytes)),
		fact("attempt", "Attempt", human.Number(x.Try)), body(x),
	} {
		if f.Text != "" && (x.Status != 0 || f.Label == "Attempt") {
			answer.Fields = append(answer.Fields, f)
		}
	}
	times := fields.Group{Title: "Times", Fields: []fields.Field{
		fact("started", "Started", human.Moment(x.Start.Local())), amount("first byte", "First byte", human.Duration(x.FirstByte)),
		amount("total", "Total", human.Duration(x.Duration)),
	}}
	if x.Status == 0 {
		times.Fields = append(times.Fields[:1], amount("given up", "Given up", human.Duration(x.Duration)))
	}
	sent := fields.Group{Fields: []fields.Field{asked}}
	if credentials := strings.Join(Credentials(x), ", "); credentials != "" {
		sent.Fields = append(sent.Fields, fact("secrets", "Sent with", credentials))
	}
	list := []fields.Group{sent, answer, times}
	for _, g := range []struct {
		title, path string
		pairs       []api.Pair
	}{
		{"Parameters", "parameters", x.Query}, {"Form", "form", x.Form},
		{"Headers of the answer", "headers of the answer", x.AnswerHeader}, {"Headers of the request", "headers of the request", x.Header},
	} {
		group := fields.Group{Title: g.title}
		for _, p := range g.pairs {
			name := g.path + "." + p.Name // in the document
			group.Fields = append(group.Fields, fields.Field{
				Label: safetext.Clip(p.Name, maxLabel), Text: p.Value, Path: name, Exact: p.Value, AsSent: true,
				What: safetext.Clip(name, 2*maxLabel), Masked: p.Secret && p.Value == secret.Mask,
			})
		}
		if len(g.pairs) > 0 {
			list = append(list, group)
		}
	}
	return list
}

// fact is a field with what is known of it.
func fact(key, label, text string) fields.Field {
	f := fields.Fact(label, text)
	f.Meaning, _ = explain.Field(explain.Request, key)
	return f
}

func amount(key, label string, a human.Amount) fields.Field {
	f := fields.Quantity(label, a)
	f.Meaning, _ = explain.Field(explain.Request, key)
	return f
}

// maxLabel is how many cells of the name of a header are shown.
const maxLabel = 40

// body says what is kept of the body of the answer.
func body(x *api.Exchange) fields.Field {
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
func verdict(x *api.Exchange, glyphs styles.Glyphs) fields.Field {
	sign, tone := mark(Outcome(x), glyphs)
	text := strings.TrimSpace(strconv.Itoa(x.Status) + " " + http.StatusText(x.Status))
	if x.Status == 0 {
		text = "none"
	}
	f := fact("status", "Status", sign+" "+text)
	f.Copied = text
	f.Role = map[grid.Tone]fields.Role{grid.Good: fields.Good, grid.Warn: fields.Warn, grid.Bad: fields.Bad, grid.Plain: fields.Plain}[tone]
	return f
}

// document is what the tree shows of an entry: JSON in the order in which people
// look for it.
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
