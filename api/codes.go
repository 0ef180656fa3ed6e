package api

import (
	"cmp"
	"slices"
	"strings"

	"gatehouse/internal/text/hostname"
)

// CodeMeaning explains the code of a device login. All texts are for people, without
// newlines of their own; the values in them come from the service or the request.
type CodeMeaning struct {
	Code     string // trimmed
	Title    string // the verdict in a few words
	Meaning  string // what the interface says, or that it does not explain the code: a sentence or two
	NextStep string // what to do next: a sentence or two; "" where nothing is to be done
	Known    bool   // false: the interface does not explain the code
	Fine     bool   // the code is not explained, but the result has everything that a login is for
}

// codes lists the codes that the interface names (section 7). All explanations in the
// program come from here.
var codes = []CodeMeaning{
	{
		Code: "U103", Known: true,
		Title:    "No primary domain",
		Meaning:  "The user has no primary domain.",
		NextStep: "Check the spelling of the e-mail address. If it is right, ask an administrator of the service to assign a primary domain, then try again.",
	},
	{
		Code: "U105", Known: true,
		Title:    "Wrong domain",
		Meaning:  "The user's primary domain differs from the domain in the request.",
		NextStep: "Look up the user's primary domain, and log in again with its domain id.",
	},
	{
		Code: "U107", Known: true,
		Title:    "Device not validated",
		Meaning:  "The device is not validated.",
		NextStep: "If the device of this result is the user's own, ask an administrator of the service to validate it. The documentation does not say how.",
	},
	{
		Code:     "U100",
		Title:    undocumented,
		Meaning:  "The documentation lists no meaning for U100, but a sample response uses it, with a domain and a device id.",
		NextStep: askOperator,
	},
	{
		Code:     "",
		Title:    "No code",
		Meaning:  "The result has no code, which is undocumented.",
		NextStep: askOperator,
	},
}

// WipeMeaning says what it means that Wipe is set in a result, WipeStep what to do about it
// before anything about the code.
const (
	WipeMeaning = "The service orders this device to erase its data. Gatehouse ignores the order."
	WipeStep    = "Ask an administrator whether the wipe is intended."
)

const (
	undocumented = "The code is undocumented"
	askOperator  = "Read the rest of the result, and ask the operator of the service what the code means."
)

// Explain explains the code of the result of a login that was sent with the domain id
// domain, "" for none (interface section 7). It adds what the result itself tells: which domains
// differ, and whether a login with an undocumented code got all that it is for. It does not guess
// what the interface does not explain.
func (r *LoginResult) Explain(domain string) CodeMeaning {
	m := CodeMeaning{Code: strings.TrimSpace(r.ErrorCode), Title: undocumented, Meaning: "This code is not documented.", NextStep: askOperator}
	if i := slices.IndexFunc(codes, func(c CodeMeaning) bool { return c.Code == m.Code }); i >= 0 {
		m = codes[i]
	}
	p := r.PrimaryUserDomain
	complete := r.domainName() != "" && !p.UserDomainToken.IsEmpty() && r.DeviceID != "" && !r.Wipe
	switch {
	case m.Code == WrongDomain:
		m.explainDomains(r, domain)
	case !m.Known && complete:
		m.Title, m.Fine, m.NextStep = "Looks fine; the code is undocumented", true, ""
		m.Meaning = "The result has a domain, a token and a device. " + m.Meaning
	}
	if r.Wipe { // which outweighs the code
		m.Title = "Wipe ordered; " + strings.ToLower(m.Title[:1]) + m.Title[1:]
	}
	return m
}

// WrongDomain is the code of a login with another domain than the user's primary one.
const WrongDomain = "U105"

// explainDomains says which domain the login named, and which is the user's.
func (m *CodeMeaning) explainDomains(r *LoginResult, asked string) {
	primary := r.domainName()
	if primary == "" {
		return
	}
	id := r.PrimaryUserDomain.Domain.DomainID
	if asked != "" && strings.EqualFold(asked, id) {
		m.Meaning += " The request named " + primary + ", and the answer names it as the user's primary domain."
		m.NextStep = "The code contradicts the answer: ask the operator of the service what it means."
		return
	}
	named := "no domain"
	if asked != "" {
		named = "the domain " + asked
	}
	m.Meaning += " The request named " + named + "; the user's primary domain is " + primary + "."
	if id != "" {
		m.NextStep = "Log in again with " + primary + ", domain id " + id + "."
	}
}

// domainName is what the primary domain of the result is called, "" where it has none.
func (r *LoginResult) domainName() string {
	if r.PrimaryUserDomain == nil {
		return ""
	}
	d := r.PrimaryUserDomain.Domain
	return cmp.Or(hostname.ReadableURL(cmp.Or(d.DomainName, d.URL)), d.DomainID)
}
