package device

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/internal/redact"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/styles"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// answer lays one answer out: a verdict, what it means, what to do next, and the whole
// of it below.
type answer struct {
	env      *screen.Env
	form     *Model
	entry    *entry
	result   *api.LoginResult // with its tokens only where it is the one that just came
	meaning  api.CodeMeaning
	tree     *tree.Model
	read     tea.Cmd // of a long answer
	revealed bool

	width, height int
	head          []string // the lines above the tree
}

// newAnswer lays out the answer of an entry; without a result it shows what was kept
// of it.
func newAnswer(form *Model, e *entry, result *api.LoginResult) *answer {
	if result == nil {
		result = e.answer
	}
	a := &answer{env: form.env, form: form, entry: e, result: result, meaning: api.ExplainCode(result.ErrorCode)}
	reply := func(work func() tea.Msg) tea.Cmd { return screen.Reply(a, work) }
	a.tree, a.read = tree.Open(a.env.Context, a.env.Theme, result.Raw, reply)
	tokens := redact.Found(result.Raw)
	a.tree.Masked = func(_, key, text string) bool { return redact.IsSecretName(key) || tokens.In(text) }
	a.tree.Name = "the whole answer as JSON"
	a.tree.Copy, a.tree.CopyDocument = a.env.Root.Copy, a.env.Root.CopyDocument
	return a
}

// Title implements [screen.Screen].
func (a *answer) Title() string { return "Result " + strconv.Itoa(a.entry.number) }

// Init implements [screen.Screen].
func (a *answer) Init() tea.Cmd { return a.read }

// Typing implements [screen.Screen].
func (a *answer) Typing() bool { return a.tree.Typing() }

// Update implements [screen.Screen].
func (a *answer) Update(msg tea.Msg) tea.Cmd { return a.tree.Update(msg) }

// Close implements [screen.Screen]: the tokens go with the screen.
func (a *answer) Close() { a.tree.Close() }

// Focus implements [screen.Focuser].
func (a *answer) Focus() tea.Cmd { return nil }

// Blur implements [screen.Focuser]: what was revealed is masked again.
func (a *answer) Blur() { a.reveal(false) }

// Actions implements [screen.Screen]. The way back comes last while esc ends a search
// in the tree.
func (a *answer) Actions() []screen.Action {
	if a.tree.Typing() {
		return a.tree.Actions()
	}
	compare := screen.Action{ID: "device.compare", Run: a.compare}
	if len(a.form.history.entries) < 2 {
		compare.Reason = "there is no other result yet"
	}
	own := []screen.Action{
		{ID: "device.same", Reason: a.noDeviceID(), Run: a.sameDevice},
		{ID: "device.reveal", Title: a.revealTitle(), Reason: a.noTokens(), Run: a.toggleReveal},
		compare,
		a.form.resultsAction(a),
	}
	back := screen.Action{ID: "device.form", Run: a.back}
	inTree := a.tree.Actions()
	if slices.ContainsFunc(inTree, func(found screen.Action) bool { return a.env.Keys.Standard(found.ID) == "esc" }) {
		return append(append(own, inTree...), back)
	}
	return append(append([]screen.Action{back}, own...), inTree...)
}

func (a *answer) back() tea.Cmd {
	a.form.begin()
	return a.env.Root.Pop(a)
}

// sameDevice leads back to the form, filled for another login of the same device.
func (a *answer) sameDevice() tea.Cmd {
	a.form.fillAgain(a.entry)
	return a.env.Root.Pop(a)
}

// compare compares the answer with the only other one, or lets the person pick it.
func (a *answer) compare() tea.Cmd {
	if entries := a.form.history.entries; len(entries) == 2 {
		return a.env.Root.Push(a, newComparison(a.env, entries[1], entries[0]))
	}
	list := newResults(a.form, a)
	list.picked = []*entry{a.entry}
	return a.env.Root.Push(a, list)
}

func (a *answer) noDeviceID() string {
	if a.result.DeviceID == "" {
		return "the answer names no device"
	}
	return ""
}

func (a *answer) noTokens() string {
	if a.result == a.entry.answer {
		return "the tokens of a result are not kept once it is left"
	}
	return ""
}

func (a *answer) revealTitle() string {
	if a.revealed {
		return "mask tokens"
	}
	return "reveal tokens"
}

func (a *answer) toggleReveal() tea.Cmd {
	a.reveal(!a.revealed)
	return nil
}

func (a *answer) reveal(on bool) {
	a.revealed = on
	a.tree.Reveal(on)
}

// Click implements [screen.MouseHandler].
func (a *answer) Click(x, y int) tea.Cmd {
	a.tree.Click(x, y-len(a.head))
	return nil
}

// Wheel implements [screen.MouseHandler].
func (a *answer) Wheel(_, _, lines int) tea.Cmd {
	a.tree.Wheel(lines)
	return nil
}

// Layout implements [screen.Screen]. The tree keeps five lines, or half of a small
// screen.
func (a *answer) Layout(width, height int) {
	a.width, a.height = width, height
	a.head = append(a.wipe(width), a.verdict(width)...)
	a.head = append(append(a.head, a.facts(width)...), "")
	a.head = a.head[:min(len(a.head), max(height-5, height/2, 1))]
	a.tree.Layout(width, max(height-len(a.head), 0))
}

// View implements [screen.Screen].
func (a *answer) View() string {
	return screen.Box(strings.Join(a.head, "\n")+"\n"+a.tree.View(), a.width, a.height)
}

// wipe is the warning that comes before everything else.
func (a *answer) wipe(width int) []string {
	if !a.result.Wipe {
		return nil
	}
	t := a.env.Theme
	band := func(text string) string { return t.ToastBad.Render(safetext.Fit(text, max(width-2, 0))) }
	return []string{
		band(t.Glyphs.Warning + " WIPE IS SET"),
		band("  " + WipeMeaning),
	}
}

// verdict says what the code means and what to do next.
func (a *answer) verdict(width int) []string {
	t := a.env.Theme
	mark, style := verdictMark(t, a.meaning)
	when := t.Faint.Render("result " + strconv.Itoa(a.entry.number) + ", " + a.entry.at.Local().Format(time.TimeOnly))
	lines := []string{screen.Sides(style.Render(screen.Cut(mark+" "+Verdict(a.meaning), width)), when, width)}
	lines = append(lines, split(screen.Wrap(safetext.Clip(a.meaning.Meaning, 4*width), width))...)
	if a.meaning.NextStep != "" {
		lines = append(lines, split(screen.Wrap("Next: "+a.meaning.NextStep, width))...)
	}
	return lines
}

// shown is a token as the person wants to see it.
func (a *answer) shown(token secret.Text) string {
	if a.revealed {
		return token.Reveal()
	}
	return token.String()
}

// visible is the answer as the person wants to see it: a service may repeat a token in
// any part of it.
func (a *answer) visible() *api.LoginResult {
	if a.revealed {
		return a.result
	}
	return a.entry.answer
}

// facts are the parts of the answer that people ask for, its tokens last.
func (a *answer) facts(width int) []string {
	lines := []string{""}
	var token secret.Text
	if p := a.result.PrimaryUserDomain; p != nil {
		token = p.UserDomainToken
	}
	facts := append(Facts(a.visible(), " "+a.env.Theme.Glyphs.Separator+" "),
		Fact{"Domain token", a.shown(token)}, Fact{"Confirm key", a.shown(a.result.ConfirmKey)})
	for _, f := range facts {
		if f.Value != "" {
			value := safetext.Clip(f.Value, width)
			lines = append(lines, screen.Cut(a.env.Theme.Muted.Render(safetext.Pad(f.Label, 14))+value, width))
		}
	}
	return lines
}

func split(text string) []string { return strings.Split(text, "\n") }

// longestCode is how many cells of a code are shown.
const longestCode = 40

// Verdict is the answer in a few words, of which some may come from outside; they
// are safe on a terminal. A code that the interface does not explain is not judged.
func Verdict(meaning api.CodeMeaning) string {
	code := safetext.Clip(meaning.Code, longestCode)
	switch {
	case meaning.Title != "":
		return meaning.Title + " (" + code + ")"
	case code == "":
		return "Answered without a code"
	}
	return "Answered with " + code
}

// WipeMeaning says what it means that wipe is set.
const WipeMeaning = "A client on this device would be told to erase its data. Gatehouse does not."

// Fact is a part of an answer that people ask for. The value comes from outside.
type Fact struct{ Label, Value string }

// Facts are the parts of an answer that people ask for, the most asked first, but
// for its tokens. What the answer has not is left out. The separator stands between
// the flags, which are given as they came: the interface does not show what their
// numbers mean.
func Facts(r *api.LoginResult, separator string) []Fact {
	domain := api.Domain{DomainName: "none in the answer"}
	if p := r.PrimaryUserDomain; p != nil {
		domain = p.Domain
		domain.DomainName, domain.URL = hostname.ReadableURL(domain.DomainName), hostname.ReadableURL(domain.URL)
	}
	var facts []Fact
	for _, f := range []Fact{
		{"Domain", domain.DomainName},
		{"Device id", r.DeviceID},
		{"Flags", strings.Join(flags(r), separator)},
		{"Notification", notification(r.UserNotification)},
		{"Address", domain.URL},
		{"Domain id", domain.DomainID},
		{"Reseller id", domain.ResellerID},
	} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

func flags(r *api.LoginResult) []string {
	list := []string{"Wipe no"}
	if r.Wipe {
		list[0] = "Wipe YES"
	}
	if r.Validated != "" {
		list = append(list, "Validated "+r.Validated.String())
	}
	if p := r.PrimaryUserDomain; p != nil && p.Domain.DataSetup != "" {
		list = append(list, "DataSetup "+p.Domain.DataSetup.String())
	}
	return list
}

func notification(n *api.UserNotification) string {
	switch {
	case n == nil:
		return ""
	case n.URL == "":
		return "type " + n.NotificationType.String()
	}
	return "type " + n.NotificationType.String() + ", " + hostname.ReadableURL(n.URL)
}

// verdictMark is the sign and the style of a verdict.
func verdictMark(t *styles.Theme, meaning api.CodeMeaning) (string, lipgloss.Style) {
	if meaning.Known {
		return t.Glyphs.Bad, t.Bad.Bold(true)
	}
	return t.Glyphs.Bullet, t.Strong
}
