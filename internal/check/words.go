package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/human"
)

// Title is a code in a few words, as a heading: "Wrong password".
func (c Code) Title() string {
	if title, ok := titles[c]; ok {
		return title
	}
	return string(c)
}

var titles = map[Code]string{
	LooksFine:            "Looks fine",
	UnknownAddress:       "Unknown address",
	NoPrimaryDomain:      "No primary domain",
	OtherPrimaryDomain:   "Wrong domain",
	WrongPassword:        "Wrong password",
	ClientRefused:        "Client refused",
	DeviceNotValidated:   "Device not validated",
	WipeOrdered:          "Wipe ordered",
	UndocumentedCode:     "Undocumented code",
	NoAccess:             "No access",
	OtherDomains:         "Other domains",
	AuthorityUnreachable: "Authority unreachable",
	GatewayUnreachable:   "Gateway unreachable",
	GlobalUnreachable:    "Global service unreachable",
	Certificate:          "Certificate not valid",
	Clock:                "Clock differs",
	BadProfile:           "Profile not usable",
	Undecided:            "Undecided",
}

// nothingReached is the title where no host can be reached because of this machine.
const nothingReached = "Nothing can be reached from here"

// Title is the verdict in a few words, as a heading.
func (r Report) Title() string {
	answers := func(c Check) bool { return unreachable[c.ID] != "" && works(c.State) }
	if r.Verdict.Code == GlobalUnreachable && r.Verdict.Scope == ScopeHere && !slices.ContainsFunc(r.Checks, answers) {
		return nothingReached
	}
	return r.Verdict.Code.Title()
}

// Cause is the verdict in a few words, the same for all addresses with the same cause:
// "wrong password", "certificate of gateway.cw.example". The host may come from outside.
func (r Report) Cause() string {
	cause, found := causes[r.Verdict.Code]
	if !found {
		cause = string(r.Verdict.Code)
	}
	if host := r.CauseHost(); host != "" && ofHost[r.Verdict.Code] {
		cause += " of " + host
	}
	return cause
}

// causes are the codes in the middle of a sentence.
var causes = map[Code]string{
	LooksFine:            "looks fine",
	UnknownAddress:       "unknown address",
	NoPrimaryDomain:      "no primary domain",
	OtherPrimaryDomain:   "wrong domain",
	WrongPassword:        "wrong password",
	ClientRefused:        "client refused",
	DeviceNotValidated:   "device not validated",
	WipeOrdered:          "wipe ordered",
	UndocumentedCode:     "undocumented code",
	NoAccess:             "no access",
	OtherDomains:         "other domains",
	AuthorityUnreachable: "unreachable authority",
	GatewayUnreachable:   "unreachable gateway",
	GlobalUnreachable:    "unreachable global service",
	Certificate:          "certificate",
	Clock:                "clock",
	BadProfile:           "profile",
	Undecided:            "undecided",
}

// ofHost are the codes whose cause is a host.
var ofHost = map[Code]bool{
	Certificate: true, Clock: true,
	AuthorityUnreachable: true, GatewayUnreachable: true, GlobalUnreachable: true,
}

// CauseHost is the host of the check that decided the verdict, "" if none was asked. It may
// come from outside.
func (r Report) CauseHost() string {
	decided := func(c Check) bool { return c.Code == r.Verdict.Code }
	if !slices.ContainsFunc(r.Checks, decided) { // it was read from JSON, which has no codes of checks
		decided = func(c Check) bool { return c.State == r.Verdict.State }
	}
	for _, c := range r.Checks {
		if decided(c) && c.Host != "" {
			return c.Host
		}
	}
	return ""
}

// Reach is a scope as part of a sentence: "concerns this person alone". It is "" for
// [ScopeNone].
func (s Scope) Reach() string {
	switch s {
	case ScopePerson:
		return "concerns this person alone"
	case ScopeDomain:
		return "concerns everybody in the domain"
	case ScopeAuthority:
		return "concerns everybody who signs in at this authority"
	case ScopeInstallation:
		return "concerns everybody of this installation"
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

// Label is the name of a fact as people read it: "certificate ends".
func (f Fact) Label() string { return strings.ReplaceAll(f.Name, "_", " ") }

// Text is the value of a fact as people read it: times in UTC, truth as yes or no.
func (f Fact) Text() string {
	switch value := f.Value.(type) {
	case string:
		return value
	case bool:
		if value {
			return "yes"
		}
		return "no"
	case time.Time:
		return value.UTC().Format("2006-01-02 15:04:05 UTC")
	case []string:
		return strings.Join(value, ", ")
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case int64:
		return strconv.FormatInt(value, 10)
	case json.Number:
		return value.String()
	}
	return fmt.Sprint(f.Value)
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
