package check

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/human"
)

// titles are what people call the codes as a heading.
var titles = map[Code]string{
	LooksFine: "Looks fine", UnknownAddress: "Unknown address", NoPrimaryDomain: "No primary domain", OtherPrimaryDomain: "Wrong domain",
	WrongPassword: "Wrong password", ClientRefused: "Client refused", DeviceNotValidated: "Device not validated", WipeOrdered: "Wipe ordered",
	UndocumentedCode: "Undocumented code", NoAccess: "No access", OtherDomains: "Other domains", AuthorityUnreachable: "Authority unreachable",
	GatewayUnreachable: "Gateway unreachable", GlobalUnreachable: "Global service unreachable", Certificate: "Certificate not valid",
	Clock: "Clock differs", BadProfile: "Profile not usable", Undecided: "Undecided",
}

// causeWords are what they call some of them in the middle of a sentence. It is else the title.
var causeWords = map[Code]string{
	AuthorityUnreachable: "unreachable authority", GatewayUnreachable: "unreachable gateway", GlobalUnreachable: "unreachable global service",
	Certificate: "certificate", Clock: "clock", BadProfile: "profile",
}

// Title is a code in a few words, as a heading: "Wrong password".
func (c Code) Title() string { return cmp.Or(titles[c], string(c)) }

// Title is the verdict in a few words, as a heading.
func (r Report) Title() string { return cmp.Or(r.Verdict.Title, r.Verdict.Code.Title()) }

// Cause is the verdict in a few words, the same for all addresses with the same cause:
// "wrong password", "certificate of gateway.cw.example". The host may come from outside.
func (r Report) Cause() string {
	code := r.Verdict.Code
	cause := cmp.Or(causeWords[code], strings.ToLower(code.Title()))
	if host := r.CauseHost(); host != "" && code != BadProfile && causeWords[code] != "" {
		cause += " of " + host
	}
	return cause
}

// CauseHost is the host of the check that decided the verdict, "" if none was asked. It may
// come from outside.
func (r Report) CauseHost() string {
	decided := func(c Check) bool { return c.ID == r.Verdict.Check }
	if r.Verdict.Check == "" { // an older program wrote the report
		decided = func(c Check) bool { return c.State == r.Verdict.State && c.Host != "" }
	}
	if i := slices.IndexFunc(r.Checks, decided); i >= 0 {
		return r.Checks[i].Host
	}
	return ""
}

// Reach is a scope as part of a sentence: "concerns this person alone". It is "" for
// [ScopeNone]. A check looks from one place, so it never says that everybody is affected.
func (s Scope) Reach() string {
	switch s {
	case ScopePerson:
		return "concerns this person alone"
	case ScopeDomain:
		return "may affect the whole domain"
	case ScopeAuthority:
		return "may affect every sign-in at this authority"
	case ScopeInstallation:
		return "may affect the whole installation"
	case ScopeHere:
		return "concerns this machine or its network"
	}
	return ""
}

// Word is a state as people read it.
func (s State) Word() string {
	switch s {
	case Warn:
		return "warning"
	case Fail:
		return "failed"
	}
	return string(s)
}

// Name is the check as people call it: its id, and of a domain's check the domain.
func (c Check) Name() string { return strings.TrimPrefix(c.ID, DomainPrefix) }

// Took is how long the check took; it is "" for one that asked nothing.
func (c Check) Took() string {
	if c.State == Skipped || c.Host == "" {
		return ""
	}
	return human.Took(time.Duration(c.MS) * time.Millisecond)
}

// Sentence is the step as a sentence of its own: with a capital letter and a full stop.
// Text may be what a key does, as keys say it.
func (s Step) Sentence() string {
	first, size := utf8.DecodeRuneInString(s.Text)
	if size == 0 {
		return ""
	}
	text := string(unicode.ToUpper(first)) + s.Text[size:]
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?…", last) {
		return text
	}
	return text + "."
}
