package check

import (
	"fmt"
	"strconv"
	"strings"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/redact"
)

// maxShown is how many characters of a text that a person typed are repeated, and maxValue how many
// of a text that a service sent.
const (
	maxShown = 100
	maxValue = 200
)

// quoted is a text from outside in quotation marks.
func quoted(text string) string { return `"` + text + `"` }

// asked is the check of a request that did not bring what it was for, with its state and why in a
// few words.
func asked(host string, o *observation) Check {
	state, text := Fail, o.Reason
	switch o.outcome {
	case outcomeStopped:
		state, text = Unknown, "stopped before it was completed"
	case outcomeBusy:
		state, text = Unknown, answeredStatus(o)
	case outcomeLate, outcomeBroken, outcomeWithheld:
		state = Unknown
	case outcomeFailing, outcomePortal, outcomeMissing, outcomeRefused:
		text = answeredStatus(o)
	}
	switch words := o.words(); {
	case o.outcome != outcomeForeign || words == "":
	case o.page:
		text += ", titled " + quoted(words)
	default:
		text += ": " + quoted(words)
	}
	return Check{
		State:   state,
		Host:    host,
		Status:  o.probe.Status,
		Summary: inOnePart(text),
		found:   o,
	}
}

// answeredStatus is an answer that is no success, in words.
func answeredStatus(o *observation) string {
	text := "answered " + answerInShort(o.probe.Status, o)
	if o.RetryAfter > 0 {
		text += " and told us to wait " + human.InWords(o.retryAfter())
	}
	return withWords(text, o)
}

// refusalInShort is the status or code of a refusal and what the service says.
func refusalInShort(status int, o *observation) string {
	return withWords(answerInShort(status, o), o)
}

// answerInShort is the status or code of a refusal.
func answerInShort(status int, o *observation) string {
	switch {
	case o.code() != "":
		return strconv.Itoa(status) + " " + o.code()
	case o.ResponseCode != "":
		return "response code " + o.ResponseCode
	case o.emptied:
		return refusedInEmptyList
	case o.inBody:
		return refusedInBody
	}
	return statusInWords(status)
}

// withWords adds what the service says to a text.
func withWords(text string, o *observation) string {
	if words := o.words(); words != "" {
		text += ": " + withoutStop(words)
	}
	return redact.OneLine(text, maxValue)
}

// attempts says how often a host failed.
func attempts(tries, status int) string {
	return fmt.Sprintf("failed %d times out of %d (%d)", tries, maxTries, status)
}

// equalIDs reports whether two ids of a device are the same, however they are written.
func equalIDs(a, b string) bool {
	plain := func(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }
	return plain(a) == plain(b)
}
