package api

import (
	"net/http"

	"github.com/tidwall/gjson"
)

// responseCodeOfSuccess is the response code of an envelope with what was asked for.
const responseCodeOfSuccess = "1"

// envelope returns the refusal that an answer with a success of HTTP holds, nil if it holds none:
// an object whose response code is not that of success and which has no records beside it. start
// is what was read of the body; a refusal is short, and comes as one.
func (c *call) envelope(resp *http.Response, start []byte) error {
	start = withoutBOM(start)
	if len(start) == 0 || start[0] != '{' || !gjson.ValidBytes(start) {
		return nil
	}
	var code string
	hasRecords := false
	gjson.ParseBytes(start).ForEach(func(name, member gjson.Result) bool {
		switch plainName(name.Str) {
		case "responseinfo":
			code = memberText(member, "responsecode")
		case "responsecode":
			code = textOf(member)
		default:
			hasRecords = hasRecords || member.IsArray() && len(member.Array()) > 0 || member.IsObject()
		}
		return true
	})
	if code == "" || code == responseCodeOfSuccess || hasRecords {
		return nil
	}
	refusal := &EnvelopeError{Op: c.op, Host: c.host, Code: shortCode(code)}
	refusal.Message, refusal.Omitted = c.said(resp, start)
	return refusal
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
