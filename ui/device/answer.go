package device

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/styles"
	"gatehouse/ui/explain"
	"gatehouse/ui/fields"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
)

// answer lays one answer out: a card with the verdict, and all of the answer below.
type answer struct {
	*record.Model
	env      *screen.Env
	form     *Model
	entry    *entry
	result   *reading // with its tokens only while the answer has just come
	meaning  api.CodeMeaning
	revealed bool
	head     screen.Part // as Settle measured it, see the type head
}

// newAnswer lays out the answer of an entry. result is nil if the answer came earlier: then it is
// shown as it was kept, without its tokens.
func newAnswer(form *Model, e *entry, result *reading) *answer {
	if result == nil {
		result = e.answer
	}
	a := &answer{env: form.env, form: form, entry: e, result: result, meaning: e.meaning()}
	a.head = head{a}
	a.Model = record.Open(a.env, result.reader, 0)
	a.Name, a.RevealAction = "the whole answer as JSON", screen.DeviceReveal
	a.Before, a.Explains = a.facts, explain.Login
	a.Lead = func(kind record.LeadKind, _ string, cell lists.Cell) *record.Way {
		return record.Companies(a.env.Root, kind, cell.Text())
	}
	return a
}

// Close implements [screen.Screen]: the form below begins again.
func (a *answer) Close() { a.form.begin() }

// Blur implements [screen.Screen]: what was revealed is masked again.
func (a *answer) Blur() { a.reveal(false) }

// Actions implements [screen.Screen].
func (a *answer) Actions() []screen.Action {
	if a.Typing() {
		return a.Model.Actions()
	}
	list := a.nextActions()
	for i := range list {
		list[i].Quiet = true // the card shows it
	}
	list = append(list,
		a.revealAction(),
		a.form.results().CompareAction(screen.DeviceCompare, a, a.entry),
		a.form.results().ListAction(screen.DeviceResults, a, a.open),
	)
	list = append(list, a.Model.Actions()...)
	isCheck := func(action screen.Action) bool { return action.ID == screen.RootCheck }
	if !slices.ContainsFunc(list, isCheck) {
		list = append(list, screen.Action{ID: screen.RootCheck, Quiet: true, Run: func() tea.Cmd {
			return a.env.Root.Check(a.entry.sent[fieldEmail])
		}})
	}
	return list
}

// revealAction shows the tokens, or masks them again. When they are shown, the cursor goes to one
// of them, because its line may be too short for all of it.
func (a *answer) revealAction() screen.Action {
	hasNoTokens := a.result == a.entry.answer
	return screen.Action{
		ID:     screen.DeviceReveal,
		Title:  screen.If(a.revealed, "mask tokens"),
		Reason: screen.If(hasNoTokens, "tokens are not kept after a result is left"),
		Run: screen.Do(func() {
			a.reveal(!a.revealed)
			if a.revealed {
				a.SelectMasked()
			}
		}),
	}
}

// nextActions are the actions that the card offers as next steps.
func (a *answer) nextActions() []screen.Action {
	d, isWrong := a.wrongDomain()
	name := safetext.Clip(hostname.ReadableURL(d.DomainName), maxName)
	id := a.entry.answer.DeviceID
	return []screen.Action{
		{
			ID:     screen.DeviceDomain,
			Title:  screen.If(isWrong, "log in again with "+name),
			Reason: screen.If(!isWrong, "there is no other domain to try"),
			Run:    a.again(fieldDomain, d.DomainID, "the domain "+name),
		},
		{
			ID:    screen.DeviceTicket,
			Title: "copy for the ticket",
			Run: func() tea.Cmd {
				text := markdown(a.entry, a.meaning)
				return a.env.Root.CopyDocument(text, "the result for a ticket")
			},
		},
		{
			ID:     screen.DeviceSame,
			Title:  "log in with this device id",
			Reason: screen.If(id == "", "the answer names no device"),
			Run:    a.again(fieldID, id, "device id "+safetext.Clip(id, maxName)),
		},
	}
}

// again closes the answer, and fills in the form below for the same login with another value in one
// field. what names that value.
func (a *answer) again(field, value, what string) func() tea.Cmd {
	return func() tea.Cmd {
		popped := a.env.Root.Pop(a)
		a.form.fillAgain(a.entry, field, value, what)
		return popped
	}
}

// wrongDomain is the domain to log in with, if the answer says that the login was for a wrong one.
func (a *answer) wrongDomain() (right api.Domain, isWrong bool) {
	p := a.entry.answer.PrimaryUserDomain
	if a.meaning.Code != api.WrongDomain || p == nil {
		return api.Domain{}, false
	}
	wasSent := strings.EqualFold(p.Domain.DomainID, a.entry.sent[fieldDomain])
	if p.Domain.DomainID == "" || wasSent {
		return api.Domain{}, false
	}
	return p.Domain, true
}

// reveal shows or masks the tokens.
func (a *answer) reveal(on bool) {
	if on != a.revealed {
		a.revealed = on
		a.Reveal(on)
	}
}

// facts are the parts of the answer that people ask for, its tokens last, and what was sent. While
// the tokens are masked, the parts come from the sealed answer, as a service may repeat a token
// anywhere.
func (a *answer) facts() []fields.Group {
	visible := a.entry.answer.LoginResult
	if a.revealed {
		visible = a.result.LoginResult
	}
	answered := answerFields(visible)
	token := secret.Text{}
	if p := a.result.PrimaryUserDomain; p != nil {
		token = p.UserDomainToken
	}
	for _, t := range []struct {
		label string
		value secret.Text
	}{{"Domain token", token}, {"Confirm key", a.result.ConfirmKey}} {
		if !t.value.IsEmpty() {
			answered.Fields = append(answered.Fields, fields.Secret(t.label, t.value, a.revealed))
		}
	}
	request := asked(a.entry.sent)
	answeredAt := a.entry.at.Local().Format(time.TimeOnly)
	request.Fields = append(request.Fields, fields.Fact("Answered at", answeredAt))
	return []fields.Group{answered, request}
}

// Settle implements [screen.Screen].
func (a *answer) Settle(room screen.Room) {
	a.head = screen.Keep(head{a}, room.Width, room.Height)
	room.Height = a.body(nil).Rest(room.Width, room.Height)
	a.Model.Settle(room)
}

// Frame implements [screen.Screen].
func (a *answer) Frame() screen.Frame { return screen.InPane }

// View implements [screen.Screen]. The border has the verdict and the number of the result.
func (a *answer) View() screen.View {
	number := strconv.Itoa(a.entry.number)
	mark, style := a.entry.verdictMark(a.env.Theme)
	title := style.Bold().Render(mark + " " + a.entry.verdict())
	v := a.Model.View()
	v.Title = "Result " + number
	v.Border = screen.Pane{Title: title, Note: "result " + number, Border: style}
	v.Body = a.body(v.Body)
	return v
}

// body is the verdict with the record below it.
func (a *answer) body(record screen.Part) screen.Fill {
	return screen.Fill{Above: []screen.Part{a.head}, Part: record}
}

// head is a [screen.Part] above the record: an order to wipe the device, and the verdict. It leaves
// minRecord lines to the record, or half of a small screen. The verdict has no empty lines, because
// the record needs them.
type head struct{ *answer }

// minRecord is how many lines of the screen are for the record, if there is room.
const minRecord = 5

// Draw implements [screen.Part].
func (h head) Draw(width, height int) screen.Drawing {
	maxLines := max(height-minRecord, height/2, 1)
	wipe := screen.Lines(h.wipe(width))
	verdict := screen.Indent{Part: h.verdict(), Left: 1, Right: 1}
	drawn := verdict.Draw(width, maxLines-len(wipe)-1)
	return screen.Column{wipe, screen.Drawn(drawn), screen.Blank{}}.Draw(width, maxLines)
}

// Say implements [screen.Part].
func (h head) Say() iter.Seq[string] {
	var wipe []string
	if h.entry.answer.Wipe {
		wipe = []string{wipeOrdered, api.WipeMeaning}
	}
	return screen.Concat(screen.Texts(wipe...), screen.Texts(h.entry.verdict()), h.verdict().Say())
}

// maxCode is how many cells of a code are shown.
const maxCode = 40

// verdict says what the answer means and what to do next.
func (a *answer) verdict() screen.Verdict {
	const maxText = 400 // cells of what a service may have sent
	v := screen.Verdict{
		Env: a.env, Keys: a.nextActions(),
		Compact:   true, // the record needs the lines
		Sentences: []screen.Happened{{Drawn: safetext.Clip(a.meaning.Meaning, maxText)}},
	}
	if a.entry.answer.Wipe {
		v.Steps = append(v.Steps, screen.Step{Text: api.WipeStep})
	}
	if _, byKey := a.wrongDomain(); a.meaning.NextStep != "" && !byKey {
		v.Steps = append(v.Steps, screen.Step{Text: safetext.Clip(a.meaning.NextStep, maxText)})
	}
	return v
}

// wipeOrdered is the heading of the warning that the service orders the device to be wiped.
const wipeOrdered = "WIPE ORDERED"

// wipe draws the warning that the device is to be wiped; nil if it is not.
func (a *answer) wipe(width int) []string {
	if !a.entry.answer.Wipe {
		return nil
	}
	t := a.env.Theme
	band := func(text string) string {
		return t.ToastBad.Render(safetext.Fit(text, max(width-2, 0)))
	}
	lines := []string{band(t.Glyphs.Warning + " " + wipeOrdered)}
	for line := range strings.SplitSeq(screen.Wrap(api.WipeMeaning, max(width-4, 1)), "\n") {
		lines = append(lines, band("  "+line))
	}
	return append(lines, "")
}

// verdict is what the answer says in a few words, with its code.
func (e *entry) verdict() string {
	meaning := e.meaning()
	if code := safetext.Clip(meaning.Code, maxCode); code != "" {
		return meaning.Title + " (" + code + ")"
	}
	return meaning.Title
}

// verdictMark is the sign and the style of the verdict.
func (e *entry) verdictMark(t *styles.Theme) (string, *styles.Style) {
	switch meaning := e.meaning(); {
	case meaning.Known, e.answer.Wipe:
		return t.Glyphs.Bad, &t.Bad
	case meaning.Fine:
		return t.Glyphs.Good, &t.Good
	}
	return t.Glyphs.Warning, &t.Warn
}
