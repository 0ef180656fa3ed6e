package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/redact"
)

// Gate is asked before a password leaves this program, whichever request carries it. It belongs to
// the transport ([Options]), so no client can send a password past it.
//
// If it returns an error, the password is not sent and the call fails with a *[GateError].
// Otherwise ended is called once, before the call returns, with the outcome. Several goroutines may
// ask a gate at the same time.
type Gate func(ctx context.Context, try PasswordTry) (ended func(PasswordOutcome), err error)

// PasswordTry describes a password that is about to be sent.
type PasswordTry struct {
	Use     PasswordUse
	Account string // the e-mail address, as it will be sent
}

// PasswordUse is a kind of request that sends a password.
type PasswordUse uint8

// The requests of the interface that send a password (sections 4.1 and 4.5).
const (
	PasswordSignIn PasswordUse = iota
	PasswordDeviceLogin
)

// String is the use as a log has it.
func (u PasswordUse) String() string {
	if u == PasswordDeviceLogin {
		return "device login"
	}
	return "sign-in"
}

// PasswordOutcome says what became of a password that a [Gate] has let pass.
type PasswordOutcome struct {
	Fate PasswordFate
	// Came is what came back, in a word or two for a log: a [Cause], a status, a code. It has
	// nothing of the password, and of the service's texts only short codes.
	Came string
}

// PasswordFate is what an outcome shows about a password.
type PasswordFate uint8

// The fates of a password. The zero value stands for everything that is not known.
const (
	PasswordUnanswered PasswordFate = iota // it may have left, and no answer came
	PasswordUnclear                        // an answer came that does not say whether it is right
	PasswordRejected                       // the service said no to the e-mail address or the password
	PasswordAccepted                       // the service took it
	PasswordUnsent                         // nothing of it has left this program
)

// MayBeAGuess reports whether somebody may have guessed at the password: it was sent, and nothing
// shows that it was right.
func (f PasswordFate) MayBeAGuess() bool { return f != PasswordAccepted && f != PasswordUnsent }

// String is the fate as a log and a metric have it.
func (f PasswordFate) String() string {
	return [...]string{"no answer", "unclear answer", "wrong password", "accepted", "not sent"}[f]
}

// GateError means that the gate of the transport has refused a password, which was not sent. Err is
// the gate's reason.
type GateError struct {
	Op  string
	Err error
}

func (e *GateError) Error() string { return e.Op + ": no password was sent: " + e.Err.Error() }

func (e *GateError) Unwrap() error { return e.Err }

// Explain returns the explanation of the gate.
func (e *GateError) Explain() problem.Explanation { return problem.Explain(e.Err) }

// sendingPassword sends a password if the gate of the transport lets it pass, and tells the gate the
// outcome, which judge reads from the answer or the error. Every call that sends a password is made
// here.
func sendingPassword[Answer any](
	ctx context.Context, through *Transport, op string, try PasswordTry,
	send func() (Answer, error), judge func(Answer, error) PasswordOutcome,
) (answer Answer, err error) {
	gate := through.o.Gate
	if gate == nil {
		return send()
	}
	ended, err := gate(ctx, try)
	if err != nil {
		return answer, &GateError{Op: redact.OneLine(op, maxMessage), Err: err}
	}
	var outcome PasswordOutcome // unknown if the call panics
	defer func() { ended(outcome) }()
	answer, err = send()
	outcome = judge(answer, err)
	return answer, err
}

// grantOutcome returns what a password grant shows about its password: a token shows that it is
// right, and invalid_grant that it is wrong. Any other refusal may come before or after the service
// looks at the password.
func grantOutcome(_ *Token, err error) PasswordOutcome {
	if err == nil {
		return PasswordOutcome{Fate: PasswordAccepted}
	}
	outcome := failureOutcome(err)
	if refused, ok := err.(*TokenError); ok && refused.InvalidGrant() {
		outcome.Fate = PasswordRejected
	}
	return outcome
}

// deviceLoginOutcome returns what a device login shows about its password: a 401 shows that it is
// wrong, and nothing shows that it is right. Of the codes that the interface explains (section 7),
// U103 and U105 follow from the e-mail address and the domain, U107 from the device, so a service may
// return each of them before it looks at the password. Other codes are not explained.
func deviceLoginOutcome(result *LoginResult, err error) PasswordOutcome {
	if err == nil {
		return PasswordOutcome{Fate: PasswordUnclear, Came: shortCode(result.ErrorCode)}
	}
	outcome := failureOutcome(err)
	if refused, ok := err.(*StatusError); ok && refused.Status == http.StatusUnauthorized {
		outcome.Fate = PasswordRejected
	}
	return outcome
}

// failureOutcome returns what the error of any call shows about its password.
func failureOutcome(err error) PasswordOutcome {
	switch e := err.(type) {
	case *RequestError:
		return PasswordOutcome{Fate: PasswordUnsent}
	case *TransportError:
		return transportOutcome(e)
	case *TokenError:
		came := strconv.Itoa(e.Status) + " " + shortCode(e.Code)
		return PasswordOutcome{Fate: PasswordUnclear, Came: came}
	case *StatusError:
		return PasswordOutcome{Fate: PasswordUnclear, Came: strconv.Itoa(e.Status)}
	case *RedirectError:
		return PasswordOutcome{Fate: PasswordUnclear, Came: "a redirect"}
	case *EnvelopeError:
		return PasswordOutcome{Fate: PasswordUnclear, Came: "a refusal without a code"}
	case *BodyError:
		return PasswordOutcome{Fate: PasswordUnclear, Came: "an unreadable answer"}
	case *LimitError:
		return PasswordOutcome{Fate: PasswordUnclear, Came: "an answer that is too long"}
	}
	return PasswordOutcome{Fate: PasswordUnanswered}
}

func transportOutcome(e *TransportError) PasswordOutcome {
	cause := e.Cause().String()
	if e.Cause() == CauseCancelled {
		cause = "cancelled"
	}
	if e.Unsent {
		return PasswordOutcome{Fate: PasswordUnsent, Came: cause}
	}
	return PasswordOutcome{Fate: PasswordUnanswered, Came: cause}
}

// shortCode returns a code of the service for a log. The service may send anything as a code, so
// what does not look like one is replaced.
func shortCode(code string) string {
	const maxLength = 32
	isOther := func(r rune) bool {
		isLetter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		isDigit := '0' <= r && r <= '9'
		return !isLetter && !isDigit && r != '_'
	}
	switch code = strings.TrimSpace(code); {
	case code == "":
		return "no code"
	case len(code) > maxLength, strings.ContainsFunc(code, isOther):
		return "another code"
	}
	return code
}
