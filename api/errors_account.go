package api

import (
	"cmp"
	"fmt"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/redact"
)

// NoDomainError means that the global service knows no primary domain for an e-mail address: the
// second value of its answer is empty (interface section 2.3).
type NoDomainError struct {
	Email, Host string
}

func (e *NoDomainError) Error() string {
	return fmt.Sprintf("%s: %s has no primary domain for this user", lookupOp(e.Email), e.Host)
}

func (e *NoDomainError) Explain() problem.Explanation {
	return could(e, "Check the address: the service gives this answer for unknown users.")
}

// NotDomainError means that the primary domain in the answer of the global service is not a host
// name, but for instance a URL.
type NotDomainError struct {
	Email, Host string
	Value       string // exactly as sent
}

func (e *NotDomainError) Error() string {
	return fmt.Sprintf("%s: %s names %q, which is no domain name",
		lookupOp(e.Email), e.Host, redact.OneLine(e.Value, maxWords))
}

func (e *NotDomainError) Explain() problem.Explanation {
	return could(e, "Nothing was sent to it. Report the value to the operator of the service.")
}

// SeveralDomainsError means that the global service names several primary domains for one e-mail
// address, where the interface has one (section 2.3).
type SeveralDomainsError struct {
	Email, Host string
	Domains     []string // as they came, each once
}

func (e *SeveralDomainsError) Error() string {
	named := redact.OneLine(human.List(e.Domains), maxWords)
	return fmt.Sprintf("%s: %s names several: %s", lookupOp(e.Email), e.Host, named)
}

func (e *SeveralDomainsError) Explain() problem.Explanation {
	return could(e, "Ask an administrator of the service which of them is right.")
}

// BlankForPlusError means that the answer of the global service is about the e-mail address of the
// request with a blank in place of each "+": the service decoded the address twice.
type BlankForPlusError struct {
	Email, Host string
	Answered    string // the address in the answer
}

func (e *BlankForPlusError) Error() string {
	answered := redact.OneLine(e.Answered, maxWords)
	return fmt.Sprintf("%s: %s read the + in it as a blank and answered for %q",
		lookupOp(e.Email), e.Host, answered)
}

func (e *BlankForPlusError) Explain() problem.Explanation {
	return could(e, "Report it to the operator of the service: it does not find addresses with a +.")
}

// OtherAddressError means that the answer of the global service is about another e-mail address
// than the request, for instance the one that an alias belongs to.
type OtherAddressError struct {
	Op, Host string
	Answered string // the address in the answer, exactly as sent
	Domain   string // the domain in the answer, exactly as sent; may be ""
}

func (e *OtherAddressError) Error() string {
	return fmt.Sprintf("%s: %s answered for another e-mail address, %s",
		e.Op, e.Host, redact.OneLine(e.Answered, maxWords))
}

func (e *OtherAddressError) Explain() problem.Explanation {
	answered := redact.OneLine(e.Answered, maxWords)
	return could(e, "Try "+answered+": the address may be an alias of that one.")
}

// EnvelopeError is a refusal in the body of an answer with status 2xx. The interface does not show
// the body of a list (section 4.2).
type EnvelopeError struct {
	Op, Host string
	Code     string   // the response code as it was sent, or ""
	Message  string   // what the service says, or ""
	Omitted  Omission // why the message of the service is left out, or ""
	Emptied  bool     // the words beside an empty list refuse, and nothing else does
}

func (e *EnvelopeError) Error() string {
	text := e.Op + ": " + e.Host + " refused it"
	if e.Emptied {
		text = e.Op + ": " + e.Host + " sent an empty list"
	}
	if e.Code != "" {
		text += " with the response code " + e.Code
	}
	switch {
	case e.Message != "":
		text += ": " + e.Message
	case e.Omitted != "":
		text += "; what it adds is " + e.Omitted.String()
	}
	return text
}

// Reason returns why the service refuses, as far as its words say so.
func (e *EnvelopeError) Reason() Reason { return ReasonOf(e.Message) }

func (e *EnvelopeError) Explain() problem.Explanation {
	return could(e, cmp.Or(e.Reason().Advice().Next, "Try another domain, or ask an administrator of the domain."))
}

// RequestError means that a request was not sent because it is invalid.
type RequestError struct {
	Field  string // its name in the interface ("userId", "devicetype"), or the setting ("base_url")
	Reason string // completes a sentence that starts with Field: "is missing"
}

func (e *RequestError) Error() string { return e.Field + " " + e.Reason }

func (e *RequestError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: "the request was not sent: " + e.Error()}
}
