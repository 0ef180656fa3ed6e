package api

import (
	"slices"
	"strings"
)

// CodeMeaning explains an ErrorCode of a device login. All texts are for people, without
// newlines.
type CodeMeaning struct {
	Code     string // trimmed
	Title    string // the meaning in a few words, "" if not known
	Meaning  string // what the interface says, or that it does not explain the code: a sentence or two
	NextStep string // what to do next: a sentence or two
	Known    bool   // false: the interface does not explain the code
}

// codes lists the codes that the interface names (section 7). All explanations in the
// program come from here.
var codes = []CodeMeaning{
	{
		Code: "U103", Known: true,
		Title:    "No primary domain",
		Meaning:  "The user has no primary domain.",
		NextStep: "Check the spelling of the e-mail address. If it is right, have an administrator of the service give the user a primary domain, then try again.",
	},
	{
		Code: "U105", Known: true,
		Title:    "Another primary domain than the one asked for",
		Meaning:  "The id of the user's primary domain differs from the domain in the request.",
		NextStep: "Look up the user's primary domain and compare. Try again with its domain id, or without a domain.",
	},
	{
		Code: "U107", Known: true,
		Title:    "Device not validated",
		Meaning:  "The device is not validated.",
		NextStep: "Ask an administrator of the service to validate the device, and give them the user's e-mail address and the device id of this result. The interface does not show how it is done.",
	},
	{
		Code:     "U100",
		Meaning:  "The interface does not explain U100. Its sample result carries this code beside a domain and a device id.",
		NextStep: askOperator,
	},
	{
		Code:     "",
		Meaning:  "The result carries no code, and the interface does not explain what that means.",
		NextStep: askOperator,
	},
}

const askOperator = "Read the rest of the result, and ask the operator of the service if it does not tell."

// Codes lists the codes that the interface names, explained or not.
func Codes() []CodeMeaning {
	return slices.DeleteFunc(slices.Clone(codes), func(c CodeMeaning) bool { return c.Code == "" })
}

// ExplainCode explains an ErrorCode of a [LoginResult] by interface section 7. It does
// not guess what the interface does not explain.
func ExplainCode(code string) CodeMeaning {
	code = strings.TrimSpace(code)
	if i := slices.IndexFunc(codes, func(c CodeMeaning) bool { return c.Code == code }); i >= 0 {
		return codes[i]
	}
	return CodeMeaning{
		Code:     code,
		Meaning:  "The interface does not explain this code.",
		NextStep: askOperator,
	}
}
