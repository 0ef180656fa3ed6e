// Package check finds out why a person cannot get in: a list of checks of one e-mail
// address, in causal order, and the verdict that follows from them. It knows no screen and
// no file.
package check

import (
	"encoding/json"
	"time"

	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
)

// State says how a check, or all of them together, came out.
type State string

// The states. A check is Running until it has ended; no report has one.
const (
	OK      State = "ok"
	Info    State = "info"
	Warn    State = "warn"
	Fail    State = "fail"
	Unknown State = "unknown" // could not be completed, or was put off: nothing is known to be broken
	Skipped State = "skipped"
	Running State = "running"
)

// Code is a kind of causes that a verdict may name.
type Code string

// The codes of verdicts.
const (
	LooksFine            Code = "looks-fine"
	UnknownAddress       Code = "unknown-address"
	NoPrimaryDomain      Code = "no-primary-domain"
	OtherPrimaryDomain   Code = "other-primary-domain"
	WrongPassword        Code = "wrong-password"
	SignInRefused        Code = "sign-in-refused" // for another reason than the password
	ClientRefused        Code = "client-refused"
	DeviceNotValidated   Code = "device-not-validated"
	WipeOrdered          Code = "wipe-ordered"
	UndocumentedCode     Code = "undocumented-code"
	NoAccess             Code = "no-access"
	OtherDomains         Code = "other-domains"
	AuthorityUnreachable Code = "authority-unreachable"
	GatewayUnreachable   Code = "gateway-unreachable"
	GlobalUnreachable    Code = "global-unreachable"
	ServiceFailing       Code = "service-failing" // a host answers, and not what it should
	Network              Code = "network"         // of this machine
	Certificate          Code = "certificate"
	Clock                Code = "clock"
	NotRenewable         Code = "not-renewable"
	BadProfile           Code = "profile"
	Undecided            Code = "undecided" // the check was interrupted
)

// Scope says how far a cause reaches.
type Scope string

// The scopes.
const (
	ScopePerson       Scope = "person"
	ScopeDomain       Scope = "domain"
	ScopeAuthority    Scope = "authority"
	ScopeInstallation Scope = "installation"
	ScopeHere         Scope = "here" // this machine or its network
	ScopeNone         Scope = "none"
)

// Request asks for a check of one address.
type Request struct {
	// ID is the id of the report. If it is empty, the report gets a new one.
	ID    string
	Email string
	// Domain is the domain that the person asks for: a host name or an id, or "" for the primary
	// one.
	Domain string
	// Password signs the person in, once. If it is empty, there is no sign-in.
	Password secret.Text
	// DeviceName or DeviceID asks for a device login as well, which needs the password. With a name
	// the service normally creates a device.
	DeviceName, DeviceID string
	DeviceType           string
	// Control asks the same hosts with the program's own session, for comparison.
	Control bool
	// Repeated says that the same check failed a moment ago, so that repeating it is no advice any
	// more.
	Repeated bool
}

// Face has what steps say in the words of the face that shows them.
type Face struct {
	// Command returns the command that takes a step, or "" if there is none. It is nil if keys take
	// the steps.
	Command func(Step) string
	// Words are sentences for what helps, as in [problem.Face].
	Words map[problem.Help]string
}

// Report is the outcome of all checks of one address. Its JSON is what `check -o json` prints.
type Report struct {
	ID      string    `json:"id"` // "K7QD-M2XA", for people to quote; a ticket has the same id
	Email   string    `json:"email"`
	At      time.Time `json:"at"` // in UTC
	MS      int64     `json:"ms"`
	Verdict Verdict   `json:"verdict"`
	Checks  []Check   `json:"checks"` // in causal order
}

// Check is the outcome of one check. Its texts may contain text from outside, which is not safe for
// a terminal. They never contain a secret.
type Check struct {
	ID      string  `json:"id"`
	State   State   `json:"state"`
	Summary Summary `json:"summary"`
	Host    string  `json:"host"`   // host and port, or "" if none was asked
	Status  int     `json:"status"` // of HTTP, or 0 if there was no answer
	MS      int64   `json:"ms"`
	Because string  `json:"because"` // the id of the check because of which this one was skipped
	Detail  Detail  `json:"detail"`

	found *observation // nil if nothing was found; see seen
}

// Verdict is the conclusion from all checks: the first link that breaks, or that all is well.
type Verdict struct {
	State    State  `json:"state"`
	Code     Code   `json:"code"`
	Scope    Scope  `json:"scope"`
	Sentence string `json:"sentence"`
	Next     []Step `json:"next"` // never nil

	// Cause is the id of the cause, which is more exact than Code: "account-locked". It is "" in
	// the reports of older programs.
	Cause string `json:"cause,omitempty"`
	Title string `json:"title,omitempty"` // a heading, such as "Sign-in rejected"
	Check string `json:"check,omitempty"` // the id of the check that shows the cause, or ""
	Known string `json:"known,omitempty"` // the evidence
	User  string `json:"user,omitempty"`  // what to tell the user who asked for help

	// Commands are the commands in the sentences of Next, in their order.
	Commands []string `json:"commands,omitempty"`

	// Parts is the sentence in parts, for faces that draw names differently. A verdict that was read
	// from JSON has none.
	Parts []Part `json:"-"`
}

// UnmarshalJSON implements [json.Unmarshaler]: it finds the commands in the steps.
func (v *Verdict) UnmarshalJSON(text []byte) error {
	type members Verdict // without this method
	if err := json.Unmarshal(text, (*members)(v)); err != nil {
		return err
	}
	commands := v.Commands
	for i := range v.Next {
		v.Next[i].said, commands = withCommands(v.Next[i].Sentence(), commands)
	}
	return nil
}

// Step is something to do next. In JSON it is its sentence.
type Step struct {
	Text    string // with a capital and without a full stop, which [Step.Sentence] adds
	Kind    StepKind
	Command string // the command that takes the step, or ""
	// Help is what helps. The words of the [Face] for it stand behind Text, which is in sentences
	// then, or "".
	Help problem.Help
	// said replaces Text by whole sentences, from a report that was read or from another package.
	said phrase
	// Domain is set for StepOtherDomain, StepAskToSignIn and StepOpenDomain, and for StepSignIn if
	// the person asks for another domain than the primary one.
	Domain string
	// Email is set for StepOtherAddress and StepSignIn.
	Email string
}

// StepKind says which steps the program itself can take.
type StepKind int

// The kinds of steps.
const (
	StepOther        StepKind = iota // for a person
	StepOtherDomain                  // check again with Domain in place of the one asked for
	StepAskToSignIn                  // the person signs in at Domain; the program cannot do that
	StepSignInAgain                  // renew the sign-in of the program's own user
	StepOpenDomain                   // open Domain
	StepSignIn                       // check again with a sign-in
	StepOtherAddress                 // check Email in place of the address
	StepAgain                        // check again, as something was limited or late
	StepReport                       // report it, with the id

	stepKinds // their number
)

// StepKinds returns all kinds of steps, so that tests can check that each has its action.
func StepKinds() []StepKind {
	kinds := make([]StepKind, stepKinds)
	for i := range kinds {
		kinds[i] = StepKind(i)
	}
	return kinds
}

// MarshalText returns the sentence of a step.
func (s Step) MarshalText() ([]byte, error) { return []byte(s.Sentence()), nil }

// UnmarshalText makes a step that only has its sentence.
func (s *Step) UnmarshalText(text []byte) error {
	*s = Step{said: plain(string(text))}
	return nil
}
