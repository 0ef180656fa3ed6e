package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// responseCodeOfSuccess is the response code of an envelope with what was asked for.
const responseCodeOfSuccess = "1"

// envelope returns the refusal that an answer with a success of HTTP holds, nil if it holds none.
// The interface does not show the body of a list (sections 4.2 and 4.3), so every usual form counts:
//
//	{"Data":null,"Message":"Denied.","ResponseInfo":{"ResponseCode":0}}
//	{"error":"not_allowed"}, {"error":{"code":403,"message":"Denied."}}, {"errors":[{"message":"Denied."}]}
//	{"ok":false,"error":"not_allowed"}, {"success":false,"message":"Denied."}
//	{"status":"error","message":"Denied."}, {"title":"Denied.","status":403}
//
// Records cannot be mistaken for one. A list is an array, or has the array of its records beside
// what else it says, and whoever sends records refuses nothing. A single record of a share or a
// company has an id or a name, whatever else it is called; an object that has one is no refusal,
// even with a member "error" or "success". What is left has neither a record nor anything that
// says which one it is.
//
// start is what was read of the body; a refusal is short, and comes as one.
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

// envelope is what an object says of itself that came with a success of HTTP.
type envelope struct {
	code       string // of the response, as it was sent; "" if there is none
	failed     bool   // it says that something went wrong
	hasName    bool   // it says which thing it is
	hasRecords bool
}

// refuses reports whether the object is a refusal.
func (e envelope) refuses() bool {
	isRefused := e.failed && !e.hasName || e.code != "" && e.code != responseCodeOfSuccess
	return isRefused && !e.hasRecords
}

// recordNames are the plain names of members that say which record an object is.
var recordNames = []string{"id", "guid", "uuid", "name", "displayname", "fullname", "username", "email"}

// failedStates are what a member "status" says of an answer that brings nothing.
var failedStates = []string{"error", "fail", "failed", "failure"}

// note takes note of a member.
func (e *envelope) note(plain string, member gjson.Result) {
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

// holds reports whether a value says something: it, or anything in it, is neither null, false,
// empty nor 0.
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

// memberText is a member of an object by its plain name, as text.
func memberText(object gjson.Result, plain string) (text string) {
	object.ForEach(func(name, member gjson.Result) bool {
		if plainName(name.Str) == plain {
			text = textOf(member)
		}
		return text == ""
	})
	return text
}
