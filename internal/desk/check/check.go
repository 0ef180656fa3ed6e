// Package check finds out why a person cannot get in: a list of checks of one e-mail
// address, in causal order, and the verdict that follows from them. It knows no screen and
// no file.
package check

import (
	"time"

	"gatehouse/internal/text/secret"
	"gatehouse/internal/text/shell"
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

// Code is the cause that a verdict names.
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
	// ID is what the report will be called; "": a new id of its own.
	ID    string
	Email string
	// Domain is the one that the person asks for; "" is the primary one.
	Domain string
	// Password signs the person in, once; empty: there is no sign-in.
	Password secret.Text
	// DeviceName or DeviceID asks for a device login too, which needs the password. The service
	// normally creates a device of that name.
	DeviceName, DeviceID string
	DeviceType           string
	// Control asks the same hosts with the program's own session, for comparison.
	Control bool
	// Repeated says that the same check came out badly a moment ago: to repeat it once more is no
	// advice any longer.
	Repeated bool
	// Program is how a person calls the program, "gatehouse" or "ssh HOST", if the steps are to
	// name its commands; "" where it has keys for them.
	Program string
	// Shell is what the person types the commands into.
	Shell shell.Shell
}

// Report is the outcome of all checks of one address. Its JSON is what `check -o json` prints.
type Report struct {
	ID      string    `json:"id"` // both sides quote it: "K7QD-M2XA"; a ticket has the id of its report
	Email   string    `json:"email"`
	At      time.Time `json:"at"` // in UTC
	MS      int64     `json:"ms"`
	Verdict Verdict   `json:"verdict"`
	Checks  []Check   `json:"checks"` // in causal order
}

// Check is the outcome of one check. Its texts may have parts from outside, which are not
// safe for a terminal; none has a secret.
type Check struct {
	ID      string `json:"id"`
	State   State  `json:"state"`
	Summary string `json:"summary"` // a few words, without a full stop
	Host    string `json:"host"`    // host and port, "" if none was asked
	Status  int    `json:"status"`  // of HTTP, 0 if there was no answer
	MS      int64  `json:"ms"`
	Because string `json:"because"` // the id of the check for which this one was skipped, or ""
	Detail  Detail `json:"detail"`

	found *observation // nil: nothing; see seen
}

// Verdict is the link that breaks, as far as it was seen.
type Verdict struct {
	State    State  `json:"state"`
	Code     Code   `json:"code"`
	Scope    Scope  `json:"scope"`
	Sentence string `json:"sentence"`
	Next     []Step `json:"next"` // never nil

	Title string `json:"title,omitempty"` // a heading, such as "Sign-in rejected"
	Check string `json:"check,omitempty"` // the id of the check that shows the cause, "" for none
	Known string `json:"known,omitempty"` // how it is known
	User  string `json:"user,omitempty"`  // what to tell the user who asked for help

	// Parts are those of the sentence, for faces that draw names apart. A verdict that was read from
	// JSON has none.
	Parts []Part `json:"-"`
}

// Step is something to do next. In JSON it is its sentence.
type Step struct {
	Text    string // with a capital and without a full stop, which [Step.Sentence] adds
	Kind    StepKind
	Command string // that does it, "" if none is to be named
	// written is a sentence, or several, that is said as it stands: of a report that was read, or of
	// another package. Text is empty then.
	written string
	// Domain is set for StepOtherDomain, StepAskToSignIn and StepOpenDomain, and for StepSignIn if the person
	// asks for another domain than the primary one.
	Domain string
	// Email is set for StepOtherAddress.
	Email string
}

// StepKind says which steps the program itself can take.
type StepKind int

// The kinds of steps.
const (
	StepOther        StepKind = iota // for a person
	StepOtherDomain                  // check again with Domain in place of the one asked for
	StepAskToSignIn                  // the person signs in at Domain: no key does that
	StepSignInAgain                  // refresh the sign-in of the person at the program
	StepOpenDomain                   // open Domain
	StepSignIn                       // check again with a sign-in
	StepOtherAddress                 // check Email in place of the address
	StepAgain                        // check again: something was limited, or late
	StepReport                       // report it, with the id
)

func (s Step) MarshalText() ([]byte, error) { return []byte(s.Sentence()), nil }

func (s *Step) UnmarshalText(text []byte) error {
	*s = Step{written: string(text)}
	return nil
}
