package api

import (
	"cmp"
	"fmt"

	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/redact"
)

// NoDomainError means that the global service knows no primary domain for an e-mail
// address (an empty second value, interface section 2.3).
type NoDomainError struct {
	Email, Host string
}

func (e *NoDomainError) Error() string {
	return fmt.Sprintf("%s: %s has no primary domain for this user", lookupOp(e.Email), e.Host)
}

func (e *NoDomainError) Explain() problem.Explanation {
	return could(e, "Check the address: the service gives this answer for unknown users.")
}

// NotDomainError means that the global service names as the primary domain what is no host name,
// such as a URL.
type NotDomainError struct {
	Email, Host string
	Value       string // as it came
}

func (e *NotDomainError) Error() string {
	return fmt.Sprintf("%s: %s names %q, which is no domain name", lookupOp(e.Email), e.Host, redact.OneLine(e.Value, maxWords))
}

func (e *NotDomainError) Explain() problem.Explanation {
	return could(e, "Nothing was sent to it. Report the value to the operator of the service.")
}

// OtherAddressError means that the global service answered about another e-mail address than the
// one that was asked about, such as the one that an alias belongs to.
type OtherAddressError struct {
	Op, Host         string
	Answered, Domain string // of the answer, as they came; Domain may be ""
}

func (e *OtherAddressError) Error() string {
	return fmt.Sprintf("%s: %s answered for another e-mail address, %s", e.Op, e.Host, redact.OneLine(e.Answered, maxWords))
}

func (e *OtherAddressError) Explain() problem.Explanation {
	return could(e, "Try "+redact.OneLine(e.Answered, maxWords)+": the address may be an alias of that one.")
}

// EnvelopeError is a refusal in an answer with a success of HTTP, which says so in its body. The
// interface does not show the body of a list (section 4.2).
type EnvelopeError struct {
	Op, Host string
	Code     string   // the response code as it was sent, "" for none; 1 is success where such codes were seen
	Message  string   // what the service says, or ""
	Omitted  Omission // why there is no message though the service sent one, or ""
}

func (e *EnvelopeError) Error() string {
	text := e.Op + ": " + e.Host + " refused it"
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

// Reason is why the service refuses, as far as its words say so.
func (e *EnvelopeError) Reason() Reason { return ReasonOf(e.Message) }

func (e *EnvelopeError) Explain() problem.Explanation {
	return could(e, cmp.Or(e.Reason().Advice().Next, "Try another domain, or ask an administrator of the domain."))
}

// RequestError is a request that was not sent because it is invalid.
type RequestError struct {
	Field  string // its name in the interface ("userId", "devicetype"), or the setting ("base_url")
	Reason string // completes a sentence that starts with Field: "is missing"
}

func (e *RequestError) Error() string { return e.Field + " " + e.Reason }

func (e *RequestError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: "the request was not sent: " + e.Error()}
}
