package device

import (
	"cmp"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/redact"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/fields"
	"gatehouse/ui/record"
)

// reading is a result that was read, to be shown.
type reading struct {
	*api.LoginResult
	reader *record.Reader
}

// read reads a result. It takes up to a second for a long one.
func read(result *api.LoginResult, glyphs styles.Glyphs, now func() time.Time) (*reading, error) {
	reader, err := record.One(result.Raw, glyphs, now)
	if err != nil {
		return nil, err
	}
	tokens := redact.Found(result.Raw)
	reader.Masked = func(_, key, text string) bool { return redact.IsSecretName(key) || tokens.In(text) }
	reader.Leads = func(kind record.LeadKind) bool { return kind != record.Person }
	reader.Unmarked = true
	return &reading{result, reader}, nil
}

// Fact is a part of an answer that people ask for. The value comes from outside.
type Fact struct{ Label, Value string }

// asked are the parts of a request by the keys of the form's fields, without the secrets.
func asked(sent map[string]string) []Fact {
	device := Fact{"Device name", sent["name"]}
	if sent["id"] != "" {
		device = Fact{"Device id", sent["id"]}
	}
	return present([]Fact{
		{"E-mail", sent["email"]}, device, {"Device type", sent["type"]},
		{"Domain id", cmp.Or(sent["domain"], "none")}, {"Reseller id", sent["reseller"]},
		{"Device IP", sent["ip"]}, {"Latitude", sent["lat"]}, {"Longitude", sent["lon"]}, {"Location", sent["geo"]},
	})
}

// Facts are the parts of an answer that people ask for, the most asked first, but
// for its tokens. What the answer has not is left out. Numbers whose meaning the interface
// does not show say so.
func Facts(r *api.LoginResult) []Fact {
	domain := api.Domain{DomainName: "none in the answer"}
	if p := r.PrimaryUserDomain; p != nil {
		domain = p.Domain
		domain.DomainName, domain.URL = hostname.ReadableURL(domain.DomainName), hostname.ReadableURL(domain.URL)
	}
	wipe := "no"
	if r.Wipe {
		wipe = "YES"
	}
	return present([]Fact{
		{"Domain", domain.DomainName},
		{"Device id", r.DeviceID},
		{"Wipe", wipe},
		{"Validated", undocumented(r.Validated.String())},
		{"Data setup", undocumented(domain.DataSetup.String())},
		{"Notification", notification(r.UserNotification)},
		{"Address", domain.URL},
		{"Domain id", domain.DomainID},
		{"Reseller id", domain.ResellerID},
	})
}

// present leaves out the facts without a value.
func present(facts []Fact) []Fact {
	list := facts[:0]
	for _, f := range facts {
		if f.Value != "" {
			list = append(list, f)
		}
	}
	return list
}

func undocumented(number string) string {
	if number == "" {
		return ""
	}
	return number + " (meaning undocumented)"
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

// members are the paths of the facts that a result has as they are.
var members = map[string]map[string]string{"Answered": {
	"Domain": "PrimaryUserDomain.Domain.DomainName", "Device id": "DeviceId", "Wipe": "Wipe", "Validated": "Validated",
	"Data setup": "PrimaryUserDomain.Domain.DataSetup", "Address": "PrimaryUserDomain.Domain.Url",
	"Domain id": "PrimaryUserDomain.Domain.DomainId", "Reseller id": "PrimaryUserDomain.Domain.ResellerId",
}}

// group are facts as fields.
func group(title string, facts []Fact) fields.Group {
	g := fields.Group{Title: title}
	for _, f := range facts {
		field := fields.Fact(f.Label, f.Value)
		field.Path = members[title][f.Label]
		if f.Label == "Wipe" && f.Value != "no" {
			field.Role = fields.Bad
		}
		g.Fields = append(g.Fields, field)
	}
	return g
}

// markdown is a result as text for a ticket. What comes from outside is on one line and
// cannot end a cell of the table.
func markdown(e *entry, m api.CodeMeaning) string {
	var b strings.Builder
	b.WriteString("**Device login of " + safetext.Markdown(e.sent["email"]) + ": " + safetext.Markdown(e.verdict()) + "**\n\n" + safetext.Markdown(m.Meaning) + "\n")
	if e.answer.Wipe {
		b.WriteString("\n**Wipe ordered.** " + api.WipeMeaning + "\n")
	}
	if e.answer.Wipe {
		b.WriteString("\nNext: " + wipeStep + "\n")
	}
	if m.NextStep != "" {
		b.WriteString("\nNext: " + safetext.Markdown(m.NextStep) + "\n")
	}
	b.WriteString("\n| | |\n|---|---|\n| Answered at | " + human.Moment(e.at.UTC()) + " |\n")
	for _, f := range asked(e.sent) {
		b.WriteString("| Asked: " + strings.ToLower(f.Label) + " | " + safetext.Markdown(f.Value) + " |\n")
	}
	for _, f := range Facts(e.answer.LoginResult) {
		b.WriteString("| " + f.Label + " | " + safetext.Markdown(f.Value) + " |\n")
	}
	return b.String()
}
