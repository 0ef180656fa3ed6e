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
	Meaning  string // what the interface says, or that it says nothing: a sentence or two
	NextStep string // what to do next: a sentence or two, or ""
	Known    bool   // the interface explains the code
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

// What to say about a result in which Wipe is set: what that means, and what to do about it, which
// comes before anything about the code.
const (
	WipeMeaning = "The service orders this device to erase its data. Gatehouse ignores the order."
	WipeStep    = "Ask an administrator whether the wipe is intended."
)

const (
	undocumented = "The code is undocumented"
	askOperator  = "Read the rest of the result, and ask the operator of the service what the code means."
)

// Explain explains the code of a result (interface section 7). domain is the domain id that the
// login was sent with, or "". The explanation includes what the result itself shows: which domains
// differ, and whether a login with an undocumented code returned everything that it is for. It does
// not guess what the interface leaves out.
func (r *LoginResult) Explain(domain string) CodeMeaning {
	m := meaningOf(strings.TrimSpace(r.ErrorCode))
	switch {
	case m.Code == WrongDomain:
		m.explainDomains(r, domain)
	case !m.Known && r.isComplete():
		m.Title, m.Fine, m.NextStep = "Looks fine; the code is undocumented", true, ""
		m.Meaning = "The result has a domain, a token and a device. " + m.Meaning
	}
	if r.Wipe { // which outweighs the code
		m.Title = "Wipe ordered; " + strings.ToLower(m.Title[:1]) + m.Title[1:]
	}
	return m
}

// meaningOf returns the entry of a code, or one that says that the code is not documented.
func meaningOf(code string) CodeMeaning {
	i := slices.IndexFunc(codes, func(m CodeMeaning) bool { return m.Code == code })
	if i < 0 {
		return CodeMeaning{
			Code:     code,
			Title:    undocumented,
			Meaning:  "This code is not documented.",
			NextStep: askOperator,
		}
	}
	return codes[i]
}

// isComplete reports whether a result has everything that a login is for, and orders no wipe.
func (r *LoginResult) isComplete() bool {
	return r.domainName() != "" &&
		!r.PrimaryUserDomain.UserDomainToken.IsEmpty() &&
		r.DeviceID != "" &&
		!r.Wipe
}

// WrongDomain is the code of a login with another domain than the user's primary one.
const WrongDomain = "U105"

// explainDomains adds which domain the login asked for, by its id, and which one is the user's.
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

// domainName returns the name of the primary domain of the result, or else its id. It is "" if the
// result has neither.
func (r *LoginResult) domainName() string {
	if r.PrimaryUserDomain == nil {
		return ""
	}
	d := r.PrimaryUserDomain.Domain
	return cmp.Or(hostname.ReadableURL(cmp.Or(d.DomainName, d.URL)), d.DomainID)
}
