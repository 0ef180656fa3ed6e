// Package record shows one JSON record as fields in groups, for reading, and as a tree of
// exactly what was sent. Screens embed it.
package record

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/tidwall/gjson"

	"gatehouse/internal/lists"
	"gatehouse/ui/explain"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// stateKey is the key in the state for the view that was chosen last.
const stateKey = "record.tree"

// Model is a record on a screen.
type Model struct {
	screen.Base
	// Name names the whole record when it is copied.
	Name string
	// RevealAction is the action that shows masked values; [screen.NoAction] if there is none.
	RevealAction screen.ActionID
	// Whole is a sentence that says how to get all of a record that is too long to be shown.
	Whole string
	// Before makes groups that are shown before those of the record; nil for none. A field of the
	// record is left out if one of these has its path.
	Before func() []fields.Group
	// Explains is the kind of the record, for the meanings of its fields.
	Explains explain.Kind
	// Lead returns where a value leads; nil if it leads nowhere. The reader says which kinds of
	// values can be followed.
	Lead func(kind LeadKind, path string, cell lists.Cell) *Way

	env    *screen.Env
	reader *Reader
	row    int
	list   fields.List
	tree   *tree.Model // nil until it is shown
	asTree bool        // the tree is shown, and not the fields
}

// Way is where a value leads: the title and description of the action that follows it, and what it
// does.
type Way struct {
	Title, Description string
	// Related names what the value leads to.
	Related string
	Run     func() tea.Cmd
}

// Companies is where the id of a company or a reseller leads; nil for another kind of value.
func Companies(root screen.Root, kind LeadKind, id string) *Way {
	switch kind {
	case Company:
		return &Way{
			Title: "company", Description: "show the company",
			Related: strings.TrimSpace("the company " + root.CompanyName(id)),
			Run:     func() tea.Cmd { return root.ShowCompanies("", id) },
		}
	case Reseller:
		return &Way{
			Title: "companies", Description: "show the companies of the reseller",
			Related: "the companies of this reseller",
			Run:     func() tea.Cmd { return root.ShowCompanies(id, "") },
		}
	}
	return nil
}

// Open makes a model of a row of the reader, in the view that was chosen last. A record that is too
// long to be read as fields is always shown as a tree.
func Open(env *screen.Env, reader *Reader, row int) *Model {
	m := &Model{
		Name:   "the whole record as JSON",
		env:    env,
		reader: reader,
		row:    row,
		list:   fields.List{Theme: env.Theme},
	}
	m.list.Follow, m.list.Whole = m.follow, m.sayWhole
	env.State.Get(stateKey, &m.asTree)
	return m
}

// Init reads the record.
func (m *Model) Init() tea.Cmd {
	m.renew()
	m.list.Top()
	if m.shownAsTree() {
		m.openTree()
	}
	return nil
}

// raw is the JSON of the record, as it was sent.
func (m *Model) raw() []byte { return m.reader.record(m.row) }

func (m *Model) shownAsTree() bool { return m.asTree || m.reader.IsLong(m.row) }

// openTree makes the tree if there is none yet.
func (m *Model) openTree() {
	if m.tree != nil {
		return
	}
	m.tree = tree.Open(m.env.Theme, m.raw())
	m.tree.Whole = m.Whole
	m.tree.Name, m.tree.Remark, m.tree.RevealAction = m.Name, m.reader.remark, m.RevealAction
	m.tree.Masked, m.tree.Read = m.reader.Masked, m.sayValue
	if m.Explains != explain.None {
		m.tree.Meaning = m.meaning
	}
	m.tree.Copy, m.tree.CopyDocument = m.env.Root.Copy, m.env.Root.CopyDocument
	m.tree.Reveal(m.reader.revealed)
}

// meaning says what a value of the tree is.
func (m *Model) meaning(path string) string {
	line, _ := explain.Field(m.Explains, path)
	return line
}

// toggle shows the other view, and remembers it.
func (m *Model) toggle() {
	m.asTree = !m.asTree
	m.env.State.Set(stateKey, m.asTree)
	if m.asTree {
		m.toTree()
	}
}

// look shows the value under the cursor in the tree. That is not remembered as a chosen view.
func (m *Model) look() {
	m.asTree = true
	m.toTree()
}

// toTree makes the tree, and moves its cursor to the value of the field under the cursor.
func (m *Model) toTree() {
	m.openTree()
	if f := m.list.Selected(); f != nil {
		m.tree.Select(f.Path)
	}
}

// Update implements [screen.Screen]: it passes typing to the search line of the tree.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if m.tree == nil {
		return nil
	}
	return m.tree.Update(msg)
}

// Typing reports whether the search line of the tree has the focus.
func (m *Model) Typing() bool { return m.tree != nil && m.shownAsTree() && m.tree.Typing() }

// renew reads the record again.
func (m *Model) renew() {
	groups := m.groups()
	for g := range groups {
		for i := range groups[g].Fields {
			m.explain(&groups[g].Fields[i])
		}
	}
	m.list.Set(groups)
}

// groups are the groups of Before, and those of the record without the fields that Before has.
func (m *Model) groups() []fields.Group {
	if m.Before == nil {
		return m.reader.Groups(m.row)
	}
	before, said := m.Before(), map[string]bool{}
	for _, g := range before {
		for i := range g.Fields {
			said[g.Fields[i].Path] = true
		}
	}
	isSaid := func(f fields.Field) bool { return f.Path != "" && said[f.Path] }
	for _, g := range m.reader.Groups(m.row) {
		if g.Fields = slices.DeleteFunc(slices.Clone(g.Fields), isSaid); len(g.Fields) > 0 {
			before = append(before, g)
		}
	}
	return before
}

// explain gives a field its meaning, and the keys that work on it.
func (m *Model) explain(f *fields.Field) {
	if f.Path != "" && f.Meaning == "" {
		line, documented := explain.Field(m.Explains, f.Path)
		f.Meaning, f.Undocumented = line, !documented
	}
	f.Related = nil
	if way := m.way(f); way != nil {
		follow := fields.Related{Key: m.env.Keys.Key(screen.RecordFollow), Text: way.Related}
		f.Related = append(f.Related, follow)
	}
	if m.isAddress(f) {
		check := fields.Related{
			Key:  m.env.Keys.Key(screen.RootCheck),
			Text: "check: why can't this person get in?",
		}
		f.Related = append(f.Related, check)
	}
	if f.URL != "" {
		open := fields.Related{
			Key:  m.env.Keys.Key(screen.RecordOpen),
			Text: "open it in the browser",
		}
		f.Related = append(f.Related, open)
	}
}

// isAddress reports whether a field is an e-mail address that can be checked.
func (m *Model) isAddress(f *fields.Field) bool {
	return !f.Masked && m.leads(f) == Person && strings.Contains(f.Exact, "@")
}

// Reveal shows or masks the values that are secret.
func (m *Model) Reveal(on bool) {
	m.reader.revealed = on
	m.renew()
	if m.tree != nil {
		m.tree.Reveal(on)
	}
}

// SelectMasked moves the cursor among the fields to the first one that is a secret.
func (m *Model) SelectMasked() {
	m.list.Select(func(f *fields.Field) bool { return f.Secret })
}

// Actions implements [screen.Screen].
func (m *Model) Actions() []screen.Action {
	toggle := screen.Action{ID: screen.RecordTree, Run: screen.Do(m.toggle)}
	switch {
	case m.Typing():
		return m.tree.Actions()
	case !m.shownAsTree():
		return append(m.fieldActions(), toggle)
	case m.reader.IsLong(m.row):
		toggle.Reason = "the record is too long to be shown as fields"
	default:
		toggle.Title, toggle.Description = "fields", "show the record as fields in groups"
	}
	return append(m.tree.Actions(), toggle)
}

// fieldActions are the actions while the fields are shown.
func (m *Model) fieldActions() []screen.Action {
	f := m.list.Selected()
	none, noURL := screen.If(f == nil, "there is no field here"), f == nil || f.URL == ""
	noPath := cmp.Or(none, screen.If(f != nil && f.Path == "", "it has no path"))
	follow := screen.Action{
		ID:          screen.RecordFollow,
		Title:       "show in tree",
		Description: "show the value in the tree",
		Reason:      none,
		Run:         screen.Do(m.look),
	}
	if way := m.way(f); way != nil {
		follow.Title, follow.Description, follow.Run = way.Title, way.Description, way.Run
	}
	value := screen.Action{ID: screen.TreeCopy, Reason: none, Run: m.copyValue}
	if f != nil && f.Masked {
		value.Reason, value.First = "it is masked", m.RevealAction
	}
	list := []screen.Action{
		follow,
		{
			ID:     screen.RecordOpen,
			Reason: screen.If(noURL, "there is no URL here"),
			Quiet:  noURL,
			Run:    func() tea.Cmd { return m.env.Root.OpenLink(f.URL) },
		},
		{ID: screen.SearchOpen, Run: m.search},
		value,
		{
			ID:     screen.TreeCopyPath,
			Reason: noPath,
			Run:    func() tea.Cmd { return m.env.Root.Copy(f.Path, "the path "+f.Path) },
		},
		{
			ID:          screen.TreeCopyAll,
			Description: "copy " + m.Name,
			Reason:      tree.TooLong(len(m.raw())),
			Run:         m.copyWhole,
		},
	}
	if f != nil && m.isAddress(f) {
		list = append(list, screen.Action{
			ID:          screen.RootCheck,
			Title:       "check",
			SaysTitle:   true,
			Description: "check the address under the cursor: why can't this person get in?",
			Run:         func() tea.Cmd { return m.env.Root.Check(f.Exact) },
		})
	}
	return append(list, m.list.Moves()...)
}

// search shows the tree with its search line.
func (m *Model) search() tea.Cmd {
	m.look()
	return m.tree.Search()
}

// copyWhole copies the whole record.
func (m *Model) copyWhole() tea.Cmd {
	m.openTree()
	return m.tree.CopyWhole()
}

// way is where the value of a field leads; nil if it leads nowhere.
func (m *Model) way(f *fields.Field) *Way {
	if f == nil || m.Lead == nil || f.Masked || m.leads(f) == None {
		return nil
	}
	c := m.reader.column(f.Path)
	return m.Lead(c.lead, f.Path, m.reader.table.Cell(m.row, c.Index))
}

// leads is the kind of thing that the value of a field leads to.
func (m *Model) leads(f *fields.Field) LeadKind {
	if c := m.reader.column(f.Path); c != nil {
		return c.lead
	}
	return None
}

// CopyValue copies the value under the cursor.
func (m *Model) CopyValue() tea.Cmd {
	if m.shownAsTree() {
		return m.tree.CopyValue()
	}
	return m.copyValue()
}

// copyValue copies the field under the cursor.
func (m *Model) copyValue() tea.Cmd {
	f := m.list.Selected()
	switch {
	case f == nil:
		return nil
	case f.Path == "":
		return m.env.Root.Copy(f.Copied, f.What)
	case f.Document: // the tree masks the secrets in it
		m.openTree()
		m.tree.Select(f.Path)
		return m.tree.CopyValue()
	}
	return m.env.Root.Copy(cmp.Or(f.Exact, f.Copied), f.What)
}

// Settle implements [screen.Screen].
func (m *Model) Settle(room screen.Room) {
	if m.shownAsTree() {
		m.tree.Settle(room)
		return
	}
	m.list.Settle(room)
}

// Beside implements [screen.Screen].
func (m *Model) Beside(width int) int {
	if m.shownAsTree() {
		return m.tree.Beside(width)
	}
	return m.list.Beside(width)
}

// View implements [screen.Screen]. The screen that embeds the model adds a title and a frame.
func (m *Model) View() screen.View {
	if m.shownAsTree() {
		return screen.View{
			Body:   screen.Column{m.heardBefore(), m.tree},
			Side:   m.tree.Explained(),
			Wheel:  m.tree.Wheel,
			Typing: m.Typing(),
		}
	}
	return screen.View{Body: &m.list, Side: m.list.Explained(), Wheel: m.list.Wheel}
}

// heardBefore says the groups of Before, which the tree does not show.
func (m *Model) heardBefore() screen.Part {
	groups := fields.Groups{Theme: m.env.Theme}
	if m.Before != nil {
		groups.Groups = m.Before()
	}
	return screen.Heard{Part: groups}
}

// follow goes where the value under the cursor leads.
func (m *Model) follow() tea.Cmd {
	if way := m.way(m.list.Selected()); way != nil {
		return way.Run()
	}
	return nil
}

// sayWhole says each value of a field that is an array or object.
func (m *Model) sayWhole(f *fields.Field) iter.Seq[string] {
	c := m.reader.column(f.Path)
	if c == nil {
		return screen.Texts(f.Label + ": " + f.Text)
	}
	return screen.SayValues(f.Label, m.reader.table.Cell(m.row, c.Index).Raw(), m.sayValue)
}

// sayValue says a value as people read it and, if that is different, as it was sent.
func (m *Model) sayValue(path string, value gjson.Result) string {
	name := path[strings.LastIndexByte(path, '.')+1:]
	if m.reader.isSecret(path, name, value.Str) && !m.reader.revealed {
		return "hidden"
	}
	text := screen.SayValue(path, value)
	now := m.env.Now()
	read := readable(path, value.Raw, lists.Format{Zone: now.Location(), Now: now, Spoken: true})
	if read == value.Raw || read == value.Str || value.Type == gjson.True || value.Type == gjson.False {
		return text
	}
	return read + ", raw value " + text
}
