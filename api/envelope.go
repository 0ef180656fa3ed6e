package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// responseCodeOfSuccess is the response code of an envelope whose request succeeded.
const responseCodeOfSuccess = "1"

// envelope returns the refusal in the body of an answer with status 2xx, or nil if it has none. The
// interface does not show the body of a list (sections 4.2 and 4.3), so every usual form counts:
//
//	{"Data":null,"Message":"Denied.","ResponseInfo":{"ResponseCode":0}}
//	{"error":"not_allowed"}, {"error":{"code":403,"message":"Denied."}}, {"errors":[{"message":"Denied."}]}
//	{"ok":false,"error":"not_allowed"}, {"success":false,"message":"Denied."}
//	{"status":"error","message":"Denied."}, {"title":"Denied.","status":403}
//
// Records cannot be mistaken for a refusal. A list is an array, or an object that has the array of
// records among its members, and an answer with records refuses nothing. A single share or company
// has an id or a name, so an object with one of these is not a refusal, even if it has a member
// "error" or "success".
//
// An object that has a message and nothing else but a status is no record either: it is an answer
// without a list, a [*BodyError].
//
// start is the beginning of the body. A refusal is short, so all of it is there.
func (c *call) envelope(resp *http.Response, start []byte) error {
	start = withoutBOM(start)
	if len(start) == 0 || start[0] != '{' || !gjson.ValidBytes(start) {
		return nil
	}
	var found envelope
	gjson.ParseBytes(start).ForEach(func(name, member gjson.Result) bool {
		found.note(plainName(name.Str), member)
		return true
	})
	if found.isMessage() && !found.refuses() {
		e := c.telling(resp, start, "a message and no list")
		e.NoList = true
		return e
	}
	if !found.refuses() {
		return nil
	}
	refusal := &EnvelopeError{Op: c.op, Host: c.host}
	if found.code != "" {
		refusal.Code = shortCode(found.code)
	}
	refusal.Message, refusal.Omitted = c.said(resp, start)
	return refusal
}

// onlySays are the plain names of members that are about the answer as a whole, and are no part of
// the requested data.
var onlySays = []string{
	"message", "msg", "status", "statuscode", "code", "reference", "traceid", "requestid", "timestamp",
}

// envelope is what the members of an object say about it.
type envelope struct {
	code       string // the response code as it was sent, or ""
	failed     bool   // a member says that something went wrong
	hasName    bool   // a member names a record or its id
	hasRecords bool   // a member is an object or an array that is not empty
	says       bool   // it has a message
	hasOther   bool   // it has a member that is not one of onlySays
}

// refuses reports whether the object is a refusal.
func (e envelope) refuses() bool {
	saysSo := e.failed && !e.hasName
	hasRefusingCode := e.code != "" && e.code != responseCodeOfSuccess
	return (saysSo || hasRefusingCode) && !e.hasRecords
}

// isMessage reports whether the object is a message, and has neither a list nor anything that could be
// a record.
func (e envelope) isMessage() bool { return e.says && !e.hasOther && e.code == "" }

// recordNames are the plain names of members that identify a record.
var recordNames = []string{
	"id", "guid", "uuid", "name", "displayname", "fullname", "username", "email",
}

// failedStates are the values of a member "status" in a refusal.
var failedStates = []string{"error", "fail", "failed", "failure"}

// note takes note of a member with this plain name.
func (e *envelope) note(plain string, member gjson.Result) {
	e.says = e.says || plain == "message" && member.Type == gjson.String && member.Str != ""
	e.hasOther = e.hasOther || !slices.Contains(onlySays, plain)
	switch plain {
	case "responseinfo":
		e.code = memberText(member, "responsecode")
	case "responsecode":
		e.code = textOf(member)
	case "error", "errors":
		e.failed = e.failed || holds(member)
	case "ok", "success":
		e.failed = e.failed || member.Type == gjson.False
	case "status", "statuscode":
		isFailed := slices.Contains(failedStates, strings.ToLower(member.Str))
		isRefused := member.Type == gjson.Number && member.Num >= 400 && member.Num < 600
		e.failed = e.failed || isFailed || isRefused
	default:
		e.hasName = e.hasName || slices.Contains(recordNames, plain) && holds(member)
		e.hasRecords = e.hasRecords || (member.IsArray() || member.IsObject()) && holds(member)
	}
}

// holds reports whether a value is neither null, false, empty nor 0, or has such a value in it.
func holds(value gjson.Result) (found bool) {
	switch {
	case value.Type == gjson.String:
		return value.Str != ""
	case value.Type == gjson.Number:
		return value.Num != 0
	case !value.IsArray() && !value.IsObject():
		return value.Type == gjson.True
	}
	value.ForEach(func(_, member gjson.Result) bool {
		found = holds(member)
		return !found
	})
	return found
}

// memberText returns the text of a member by its plain name, see [plainName].
func memberText(object gjson.Result, plain string) (text string) {
	object.ForEach(func(name, member gjson.Result) bool {
		if plainName(name.Str) == plain {
			text = textOf(member)
		}
		return text == ""
	})
	return text
}
