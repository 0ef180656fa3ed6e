package activity

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"gatehouse/api"
)

// curl writes a request as a command of curl for a POSIX shell. Where a secret
// was, it has a variable: $GATEHOUSE_TOKEN for the access token, and so on.
func curl(x *api.Exchange) string {
	lines := []string{}
	for _, option := range curlOptions(x) {
		quoted := make([]string, len(option))
		for i, w := range option {
			quoted[i] = w.quoted()
		}
		lines = append(lines, strings.Join(quoted, " "))
	}
	return "curl " + strings.Join(lines, " \\\n  ")
}

// word is one word of a command, in parts.
type word []part

// part is text, or the name of a variable.
type part struct{ text, variable string }

func words(text string) word { return word{{text: text}} }

// quoted writes a word so that a shell takes it for what it is.
func (w word) quoted() string {
	var b strings.Builder
	for _, p := range w {
		switch {
		case p.variable != "":
			b.WriteString(`"$` + p.variable + `"`)
		case p.text != "" && !strings.ContainsFunc(p.text, isSpecial):
			b.WriteString(p.text)
		default:
			b.WriteString("'" + strings.ReplaceAll(p.text, "'", `'\''`) + "'")
		}
	}
	return b.String()
}

// isSpecial reports whether a character could mean something to a shell.
func isSpecial(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./:=@,+", r)
}

// option is what stands on one line: an option and its value, or the address.
type option []word

// curlOptions are the lines behind "curl".
func curlOptions(x *api.Exchange) []option {
	address := x.Scheme + "://" + x.Host + x.Path
	first := option{words(address)}
	if strings.ContainsAny(address, "[]{}") {
		first = append(option{words("--globoff")}, first...)
	}
	list := []option{first}
	usual := "GET"
	if len(x.Form) > 0 {
		usual = "POST"
	}
	if x.Method != usual {
		list = append(list, option{words("--request"), words(x.Method)})
	}
	for _, h := range x.Header {
		list = append(list, header(h))
	}
	if len(x.Query) > 0 {
		list = append(list, option{words("--get")})
	}
	for _, p := range slices.Concat(x.Query, x.Form) {
		list = append(list, data(p))
	}
	return list
}

func header(p api.Pair) option {
	scheme, _, _ := strings.Cut(p.Value, " ")
	switch {
	case p.Name == "Authorization" && scheme == "Basic":
		return option{words("--user"), {{variable: "GATEHOUSE_CLIENT_ID"}, {text: ":"}, {variable: "GATEHOUSE_CLIENT_SECRET"}}}
	case p.Name == "Authorization":
		return option{words("--header"), {{text: p.Name + ": " + scheme + " "}, {variable: variable(scheme)}}}
	case p.Secret:
		return option{words("--header"), {{text: p.Name + ": "}, {variable: variable(p.Name)}}}
	}
	return option{words("--header"), words(p.Name + ": " + p.Value)}
}

// data is a parameter or a field. Characters that cannot be seen are escaped
// here, and all others by curl.
func data(p api.Pair) option {
	name := url.QueryEscape(p.Name) + "="
	switch {
	case p.Secret:
		return option{words("--data-urlencode"), {{text: name}, {variable: variable(p.Name)}}}
	case strings.ContainsFunc(p.Value, func(r rune) bool { return !unicode.IsGraphic(r) }):
		return option{words("--data"), words(name + url.QueryEscape(p.Value))}
	}
	return option{words("--data-urlencode"), words(name + p.Value)}
}

// variable names the variable for a scheme, parameter, field or header.
func variable(name string) string {
	switch name {
	case "Bearer":
		return "GATEHOUSE_TOKEN"
	case "ApiKey":
		return "GATEHOUSE_API_KEY"
	case "password2":
		return "GATEHOUSE_PASSWORD_BASE64"
	case "Ad":
		return "GATEHOUSE_AD_TOKEN"
	}
	return "GATEHOUSE_" + strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return '_'
		}
		return unicode.ToUpper(r)
	}, name)
}
