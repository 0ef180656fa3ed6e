package device

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/redact"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/compare"
	"gatehouse/ui/fields"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
)

// History has the latest results of a run of the program for the signed-in user, without the
// tokens of the answers.
type History = compare.History[*entry]

// entry is one device login that was answered.
type entry struct {
	number int // from 1, in the order of the answers
	at     time.Time
	sent   map[string]string // the values of the form, without the secrets
	answer *reading          // without its tokens
}

// Size implements [compare.Entry].
func (e *entry) Size() int { return len(e.answer.Raw) }

// Result implements [compare.Entry].
func (e *entry) Result() compare.Result {
	return compare.Result{
		Name:    strconv.Itoa(e.number),
		Whose:   cmp.Or(e.sent[fieldEmail], fmt.Sprintf("result %d", e.number)),
		At:      e.at,
		Verdict: e.verdict(),
		Mark:    e.verdictMark,
		Members: e.members,
		Copied:  e.answer.DeviceID,
		What:    "device id",
	}
}

// members are the members of the answer, to be compared with those of another one.
func (e *entry) members(now time.Time) ([]compare.Member, bool) {
	return compare.Document(e.answer.Raw, now)
}

// results are the results of this run of the program.
func (m *Model) results() *compare.Results[*entry] { return results(m.env, m.options.History) }

// results are the results of a history, as lists and comparisons show them.
func results(env *screen.Env, h *History) *compare.Results[*entry] {
	return &compare.Results[*entry]{
		Env:      env,
		History:  h,
		Identity: identity,
		One:      "result",
		Many:     "results",
	}
}

// ResultsGroup is the heading of the results in the palette.
const ResultsGroup = "Device logins"

// Entries are the results of a history for the palette, the newest first. Each opens over the
// form, which show has to show before it calls open with it.
func Entries(
	env *screen.Env, h *History, show func(open func(form *Model) tea.Cmd) tea.Cmd,
) []screen.Entry {
	return results(env, h).Entries(ResultsGroup, func(e *entry) tea.Cmd {
		return show(func(form *Model) tea.Cmd {
			return env.Root.Push(form, newAnswer(form, e, nil))
		})
	})
}

// open shows a result over the form.
func (m *Model) open(e *entry) tea.Cmd {
	return m.env.Root.Push(m, newAnswer(m, e, nil))
}

// open shows another result over the form in place of this one.
func (a *answer) open(e *entry) tea.Cmd {
	return tea.Batch(a.env.Root.Pop(a), a.form.open(e))
}

// meaning explains the answer.
func (e *entry) meaning() api.CodeMeaning { return e.answer.Explain(e.sent[fieldDomain]) }

// identity names the members that differ between the answers for any two people.
var identity = compare.Identity{Has: isIdentity, Kinds: "names, ids, addresses, quotas, times"}

// identityWords are in the names of members in which any two people or devices differ.
var identityWords = []string{
	"address", "alias", "birthday", "company", "created", "date", "department", "email", "fax",
	"guid", "id", "ids", "initials", "key", "language", "limit", "login", "mail", "mobile",
	"name", "number", "phone", "picture", "quota", "size", "space", "stamp", "tick", "time",
	"title", "token", "usage", "used", "uuid",
}

// isIdentity reports whether a difference is one that any two people have, such as in a name, an
// id, a quota or a time. A difference in the domain or in a code matters, and is none.
func isIdentity(p compare.Pair) bool {
	name := p.Path[strings.LastIndexByte(p.Path, '.')+1:]
	words := lists.Words(name)
	isDomainName := slices.Contains(words, "domain") && slices.Contains(words, "name")
	isCode := slices.Contains(words, "code")
	if isDomainName || isCode {
		return false
	}
	if p.Alone() && p.InElement {
		return true // only one of the two has the element, and its name differs as well
	}
	hasIdentityWord := slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains(identityWords, word)
	})
	return hasIdentityWord || record.IsIdentity(name, p.First) || record.IsIdentity(name, p.Second)
}

// reading is a result that was read, to be shown.
type reading struct {
	*api.LoginResult
	reader *record.Reader
}

// read reads a result. A long one takes up to a second.
func read(result *api.LoginResult, theme *styles.Theme, now func() time.Time) (*reading, error) {
	reader, err := record.One(result.Raw, theme.Glyphs, now)
	if err != nil {
		return nil, err
	}
	tokens := redact.Found(result.Raw)
	reader.Masked = func(_, key, text string) bool {
		return redact.IsSecretName(key) || tokens.In(text)
	}
	reader.Leads = func(kind record.LeadKind) bool { return kind != record.Person }
	reader.Unmarked, reader.Spoken = true, theme.Options.Spoken
	return &reading{result, reader}, nil
}

// asked is what was sent, given by the keys of the form's fields.
func asked(sent map[string]string) fields.Group {
	device := fields.Fact("Device name", sent[fieldName])
	if sent[fieldID] != "" {
		device = fields.Fact("Device id", sent[fieldID])
	}
	return group("Request", []fields.Field{
		fields.Fact("E-mail", sent[fieldEmail]),
		device,
		fields.Fact("Device type", sent[fieldType]),
		fields.Fact("Domain id", cmp.Or(sent[fieldDomain], "none")),
		fields.Fact("Reseller id", sent[fieldReseller]),
		fields.Fact("Device IP", sent[fieldIP]),
		fields.Fact("Latitude", sent[fieldLatitude]),
		fields.Fact("Longitude", sent[fieldLongitude]),
		fields.Fact("Location", sent[fieldLocation]),
	})
}

// answerFields are the parts of an answer that people ask for, the most important first, without
// its tokens. A number whose meaning is not documented says so.
func answerFields(r *api.LoginResult) fields.Group {
	domain := api.Domain{DomainName: "none in the answer"}
	if p := r.PrimaryUserDomain; p != nil {
		domain = p.Domain
		domain.DomainName = hostname.ReadableURL(domain.DomainName)
		domain.URL = hostname.ReadableURL(domain.URL)
	}
	wipe := member("Wipe", "no", "Wipe")
	if r.Wipe {
		wipe = member("Wipe", "YES", "Wipe")
		wipe.Role = fields.Bad
	}
	const ofDomain = "PrimaryUserDomain.Domain."
	return group("Answer", []fields.Field{
		member("Domain", domain.DomainName, ofDomain+"DomainName"),
		member("Device id", r.DeviceID, "DeviceId"),
		wipe,
		undocumented("Validated", r.Validated.String(), "Validated"),
		undocumented("Data setup", domain.DataSetup.String(), ofDomain+"DataSetup"),
		member("Notification", notification(r.UserNotification), "UserNotification"),
		member("Domain URL", domain.URL, ofDomain+"Url"),
		member("Domain id", domain.DomainID, ofDomain+"DomainId"),
		member("Reseller id", domain.ResellerID, ofDomain+"ResellerId"),
	})
}

// member is a part of an answer with the path at which the answer has it.
func member(label, value, path string) fields.Field {
	f := fields.Fact(label, value)
	f.Path = path
	return f
}

// group leaves out the fields without a value.
func group(title string, list []fields.Field) fields.Group {
	isEmpty := func(f fields.Field) bool { return f.Text == "" }
	return fields.Group{Title: title, Fields: slices.DeleteFunc(list, isEmpty)}
}

// undocumented is a number of an answer that nobody explains. The number alone is copied.
func undocumented(label, number, path string) fields.Field {
	f := member(label, number, path)
	if number != "" {
		f.Text += " (meaning undocumented)"
	}
	return f
}

// notification is the type of a notification and its URL; "" if there is none.
func notification(n *api.UserNotification) string {
	switch {
	case n == nil:
		return ""
	case n.URL == "":
		return "type " + n.NotificationType.String()
	}
	return "type " + n.NotificationType.String() + ", " + hostname.ReadableURL(n.URL)
}

// markdown is a result as text for a ticket. What comes from outside is on one line and cannot end
// a cell of the table.
func markdown(e *entry, m api.CodeMeaning) string {
	var b strings.Builder
	who, verdict := safetext.Markdown(e.sent[fieldEmail]), safetext.Markdown(e.verdict())
	b.WriteString("**Device login of " + who + ": " + verdict + "**\n\n")
	b.WriteString(safetext.Markdown(m.Meaning) + "\n")
	if e.answer.Wipe {
		b.WriteString("\n**Wipe ordered.** " + api.WipeMeaning + "\n\nNext: " + api.WipeStep + "\n")
	}
	if m.NextStep != "" {
		b.WriteString("\nNext: " + safetext.Markdown(m.NextStep) + "\n")
	}
	row := func(label, text string) { b.WriteString("| " + label + " | " + text + " |\n") }
	b.WriteString("\n| | |\n|---|---|\n")
	row("Answered at", human.Moment(e.at.UTC()))
	for _, f := range asked(e.sent).Fields {
		row("Asked: "+strings.ToLower(f.Label), safetext.Markdown(f.Text))
	}
	for _, f := range answerFields(e.answer.LoginResult).Fields {
		row(f.Label, safetext.Markdown(f.Text))
	}
	return b.String()
}
