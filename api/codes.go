package api

import "strings"

// CodeMeaning explains an ErrorCode of a device login. Both texts are for the
// person who reads the result: one or two sentences without an end of line.
type CodeMeaning struct {
	Code     string // as it came, without the blanks around it
	Meaning  string // what the interface says, or that it says nothing
	NextStep string // what to do now
	Known    bool   // false: the interface does not explain the code
}

// ExplainCode explains an ErrorCode of [LoginResult] by interface section 7.
// What the interface does not explain is not guessed.
func ExplainCode(code string) CodeMeaning {
	code = strings.TrimSpace(code)
	switch code {
	case "U103":
		return CodeMeaning{
			Code: code, Known: true,
			Meaning:  "The user has no primary domain.",
			NextStep: "Check the spelling of the e-mail address. If it is right, have an administrator of the service give the user a primary domain, then try again.",
		}
	case "U105":
		return CodeMeaning{
			Code: code, Known: true,
			Meaning:  "The id of the user's primary domain differs from the domain in the request.",
			NextStep: "Look up the user's primary domain and compare. Try again with its domain id, or without a domain.",
		}
	case "U107":
		return CodeMeaning{
			Code: code, Known: true,
			Meaning:  "The device is not validated.",
			NextStep: "Ask an administrator of the service to validate the device, and give them the user's e-mail address and the device id of this result. The interface does not show how it is done.",
		}
	case "U100":
		return CodeMeaning{
			Code:     code,
			Meaning:  "The interface does not explain U100. Its sample result carries this code beside a domain and a device id.",
			NextStep: askOperator,
		}
	case "":
		return CodeMeaning{
			Meaning:  "The result carries no code, and the interface does not explain what that means.",
			NextStep: askOperator,
		}
	}
	return CodeMeaning{
		Code:     code,
		Meaning:  "The interface does not explain this code.",
		NextStep: askOperator,
	}
}

const askOperator = "Read the rest of the result, and ask the operator of the service if it does not tell."
