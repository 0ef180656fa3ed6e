package device

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
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
	result   *reading // with its tokens only where it is the one that just came
	meaning  api.CodeMeaning
	revealed bool

	// What follows is settled by Draw: the verdict and the line on which it begins, and how many
	// lines are above the record.
	verdict         screen.Verdict
	verdictAt, head int
	width           int
}

// newAnswer lays out the answer of an entry; without a result it shows what was kept
// of it.
func newAnswer(form *Model, e *entry, result *reading) *answer {
	if result == nil {
		result = e.answer
	}
	a := &answer{env: form.env, form: form, entry: e, result: result, meaning: e.meaning()}
	a.Model = record.Open(a.env, result.reader, 0)
	a.Name, a.RevealAction = "the whole answer as JSON", "device.reveal"
	a.Before, a.Lead = a.facts, a.lead
	return a
}

func (a *answer) Title() string { return "Result " + strconv.Itoa(a.entry.number) }

// Close implements [screen.Screen]: the form below begins again.
func (a *answer) Close() { a.form.begin() }

func (a *answer) Focus() tea.Cmd { return nil }

// Blur implements [screen.Focuser]: what was revealed is masked again.
func (a *answer) Blur() { a.reveal(false) }

func (a *answer) Actions() []screen.Action {
	if a.Typing() {
		return a.Model.Actions()
	}
	own := append(a.nextActions(),
		screen.Action{ID: "device.reveal", Title: a.revealTitle(), Reason: a.noTokens(), Run: a.toggleReveal},
		a.form.results().CompareAction("device.compare", a, a.entry),
		a.form.results().ListAction("device.results", a),
	)
	return append(own, a.Model.Actions()...)
}

// nextActions are what the card offers to do next.
func (a *answer) nextActions() []screen.Action {
	domain := screen.Action{ID: "device.domain", Run: a.otherDomain}
	if d, ok := a.wrongDomain(); ok {
		domain.Title = "log in again with " + safetext.Clip(hostname.ReadableURL(d.DomainName), maxName)
	} else {
		domain.Reason, domain.Quiet = "the domain is not the problem", true
	}
	return []screen.Action{
		domain,
		{ID: "device.ticket", Title: "copy for the ticket", Run: a.copyTicket},
		{ID: "device.same", Title: "log in again with this id", Reason: a.noDeviceID(), Run: a.sameDevice},
	}
}

// wrongDomain is the domain to log in with where another one was asked for.
func (a *answer) wrongDomain() (api.Domain, bool) {
	p := a.entry.answer.PrimaryUserDomain
	if a.meaning.Code != api.WrongDomain || p == nil || p.Domain.DomainID == "" || strings.EqualFold(p.Domain.DomainID, a.entry.sent["domain"]) {
		return api.Domain{}, false
	}
	return p.Domain, true
}

// sameDevice leads back to the form, filled for another login of the same device.
func (a *answer) sameDevice() tea.Cmd {
	popped, id := a.env.Root.Pop(a), a.entry.answer.DeviceID
	a.form.fillAgain(a.entry, "id", id, "device id "+safetext.Clip(id, maxName))
	return popped
}

// otherDomain leads back to the form, filled for another login with the user's domain.
func (a *answer) otherDomain() tea.Cmd {
	popped := a.env.Root.Pop(a)
	d, _ := a.wrongDomain()
	a.form.fillAgain(a.entry, "domain", d.DomainID, "the domain "+safetext.Clip(hostname.ReadableURL(d.DomainName), maxName))
	return popped
}

func (a *answer) copyTicket() tea.Cmd {
	return a.env.Root.CopyDocument(markdown(a.entry, a.meaning), "the result for a ticket")
}

func (a *answer) noDeviceID() string {
	if a.result.DeviceID == "" {
		return "the answer names no device"
	}
	return ""
}

func (a *answer) noTokens() string {
	if a.result == a.entry.answer {
		return "tokens are not kept after a result is left"
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
	if a.revealed {
		a.SelectMasked() // its line may be too short for all of it
	}
	return nil
}

func (a *answer) reveal(on bool) {
	if on != a.revealed {
		a.revealed = on
		a.Reveal(on)
	}
}

// facts are what was asked for, and the parts of the answer that people ask for, its
// tokens last. A service may repeat a token in any part of it.
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
	return []fields.Group{answered, asked(a.entry.sent)}
}

// lead is where a company or a reseller in the answer leads.
func (a *answer) lead(kind record.LeadKind, _ string, cell records.Cell) *record.Way {
	text := cell.Text()
	switch kind {
	case record.Company:
		return &record.Way{Title: "company", Description: "show the company", Run: func() tea.Cmd { return a.env.Root.ShowCompanies("", text) }}
	case record.Reseller:
		return &record.Way{Title: "companies", Description: "show the companies of the reseller", Run: func() tea.Cmd { return a.env.Root.ShowCompanies(text, "") }}
	}
	return nil
}

func (a *answer) Click(x, y int) tea.Cmd {
	if cmd, hit := a.verdict.Click(x-1, y-a.verdictAt); hit && y < a.head {
		return cmd
	}
	return a.Model.Click(x, y-a.head)
}

// Draw draws the verdict and the record below it, which keeps five lines, or half of a small
// screen.
func (a *answer) Draw(width, height int) string {
	most := max(height-5, height/2, 1)
	lines := a.wipe(width)
	a.width, a.verdictAt = width, len(lines)
	a.fillVerdict()
	lines = append(append(lines, screen.Indented(a.verdict.Draw(a.env, max(width-2, 1), most-a.verdictAt-1), 1)...), "")
	lines = lines[:min(len(lines), most)]
	a.head = len(lines)
	return screen.Box(strings.Join(append(lines, a.Model.Draw(width, max(height-a.head, 0))), "\n"), width, height)
}

// Pane shows the verdict in a few words.
func (a *answer) Pane() screen.Pane {
	mark, style := a.entry.verdictMark(a.env.Theme)
	title := style.Bold(true).Render(mark + " " + a.entry.verdict())
	return screen.Pane{Title: title, Note: a.whose(a.width - screen.Cells(title)), Border: &style}
}
