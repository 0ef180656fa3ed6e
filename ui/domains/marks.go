package domains

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/ui/browse"
	"gatehouse/ui/compare"
	"gatehouse/ui/screen"
)

// chosen are the marked domains or, if none is marked, all that the list shows, in the order of the
// list.
func (m *Model) chosen() (names []string) {
	rows := m.grid.Marks().In(m.shown)
	if m.grid.Marks().Len() == 0 {
		rows = m.shown
	}
	for _, row := range rows {
		names = append(names, m.domains[row])
	}
	return names
}

// copy copies the names of the marked domains, one a line, or the given name if none is marked.
func (m *Model) copy(name string) tea.Cmd {
	if m.grid.Marks().Len() == 0 {
		return m.env.Root.Copy(name, name)
	}
	marked := m.chosen()
	what := human.Count(len(marked), "marked domain", "marked domains")
	return m.env.Root.CopyDocument(strings.Join(marked, "\n")+"\n", what)
}

// notTwo says why nothing can be compared; "" if two domains are marked.
func (m *Model) notTwo() string {
	switch count := m.grid.Marks().Len(); count {
	case 0:
		return "no domain is marked; mark two with " + m.env.Keys.Key(screen.GridMark)
	case 1:
		return "one domain is marked, and two are compared"
	case 2:
		return ""
	default:
		return human.Count(count, "domain", "domains") + " are marked, and two are compared"
	}
}

// compare shows what is known of the two marked domains beside each other.
func (m *Model) compare() tea.Cmd {
	var marked []int
	for row := range m.grid.Marks().Rows() {
		marked = append(marked, row)
	}
	isAddress := func(p compare.Pair) bool {
		return p.Path == memberDomain || p.Path == memberGateway
	}
	return m.env.Root.Push(m, compare.New(m.env, m.result(marked[0]), m.result(marked[1]), compare.Identity{
		Kinds: "names, addresses", Has: isAddress,
	}))
}

// result is what is known of the domain of a row, to be compared.
func (m *Model) result(row int) compare.Result {
	name, known := hostname.Readable(m.domains[row]), m.known(row)
	return compare.Result{Name: name, Whose: name, Members: func(now time.Time) ([]compare.Member, bool) {
		return compare.Document(known, now)
	}}
}

// facts are what is known of a domain, for exports and comparisons.
type facts struct {
	Domain      string
	Role        string
	Shares      any         `json:",omitempty"` // a number, or "1,000+"
	Size        json.Number `json:",omitempty"`
	State       string      `json:",omitempty"`
	Answer      string      `json:",omitempty"`
	Gateway     string      `json:",omitempty"`
	Certificate string      `json:",omitempty"`
}

// The members of [facts] that tell one domain from another.
const (
	memberDomain  = "Domain"
	memberGateway = "Gateway"
)

// known is what is known of the domain of a row, as a JSON document.
func (m *Model) known(row int) []byte {
	f := facts{Domain: hostname.Readable(m.domains[row]), Role: m.role(row), Gateway: m.addresses[row]}
	if g := m.gateways[m.addresses[row]]; g != nil && g.verdict != nil {
		f.State = g.spoken()
		if g.verdict.mark.hasAnswered() {
			f.Answer = human.Took(g.latency)
		}
		if g.certificate != nil {
			f.Certificate = g.certificate.String()
		}
		if g.shares != nil {
			f.Shares, f.Size = g.shares.Shares, json.Number(g.shares.Size)
			if g.shares.IsLowerBound() {
				f.Shares = g.shares.Count().Number
			}
		}
	}
	document, err := json.Marshal(f)
	if err != nil { // the size is no number
		document = []byte("{}")
	}
	return document
}

// noExport says why no file can be written; "" if one can.
func (m *Model) noExport() string {
	return screen.If(m.env.Remote, "the file would be saved on the server; y copies the names")
}

// export asks for a file, and writes to it what is known of the chosen domains.
func (m *Model) export() tea.Cmd {
	var body bytes.Buffer
	names := m.chosen()
	for _, name := range names {
		body.Write(m.known(slices.Index(m.domains, name)))
		body.WriteByte('\n')
	}
	stream := lists.NewStream(int64(body.Len()))
	if _, err := stream.ReadFrom(&body); err != nil {
		return m.env.Root.Say(screen.Describe(err).Sentence, true)
	}
	table := stream.Table()
	zone, inOrder := m.env.Now().Location(), []int{}
	for column := range table.Columns() {
		inOrder = append(inOrder, column)
	}
	write := func(ctx context.Context, c browse.ExportChoice, progress func(rows int, bytes int64)) error {
		var written files.Counter
		err := files.Export(ctx, c.Path, c.Overwrite, func(out io.Writer) error {
			style := lists.Style{Shown: c.Shown, Format: lists.Format{Zone: zone}}
			view := lists.View{Style: style, Columns: inOrder}
			return table.Write(ctx, io.MultiWriter(out, &written), c.Format, view)
		})
		progress(len(names), written.Written())
		return err
	}
	marked := screen.If(m.grid.Marks().Len() > 0, "marked ")
	return m.env.Root.Push(m, browse.NewExportPrompt(m.env, browse.ExportOffer{
		Rows:    len(names),
		One:     marked + "domain",
		Many:    marked + "domains",
		Formats: lists.Exports(),
		Name:    "domains",
		Write:   write,
	}))
}
