package activity

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"gatehouse/api"
)

// curl writes a request as a command of curl for a POSIX shell, an option on each line. Where a
// secret was, it has a variable: $GATEHOUSE_TOKEN for the access token, and so on.
func curl(x *api.Exchange) string {
	address := x.Scheme + "://" + x.Host + x.Path
	lines := []string{shellWord(address)}
	if strings.ContainsAny(address, "[]{}") {
		lines[0] = "--globoff " + lines[0]
	}
	usual := "GET"
	if len(x.Form) > 0 {
		usual = "POST"
	}
	if x.Method != usual {
		lines = append(lines, "--request "+shellWord(x.Method))
	}
	for _, h := range x.Header {
		lines = append(lines, header(h))
	}
	if len(x.Query) > 0 {
		lines = append(lines, "--get")
	}
	for _, p := range slices.Concat(x.Query, x.Form) {
		lines = append(lines, data(p))
	}
	return "curl " + strings.Join(lines, " \\\n  ")
}

// shellWord writes a word so that a shell takes it for what it is.
func shellWord(text string) string {
	special := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./:=@,+", r)
	}
	if text != "" && !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func header(p api.Pair) string {
	scheme, _, _ := strings.Cut(p.Value, " ")
	switch {
	case p.Name == "Authorization" && scheme == "Basic":
		return `--user "$GATEHOUSE_CLIENT_ID":"$GATEHOUSE_CLIENT_SECRET"`
	case p.Name == "Authorization":
		return "--header " + shellWord(p.Name+": "+scheme+" ") + variable(scheme)
	case p.Secret:
		return "--header " + shellWord(p.Name+": ") + variable(p.Name)
	}
	return "--header " + shellWord(p.Name+": "+p.Value)
}

// data is a parameter or a field. Characters that cannot be seen are escaped
// here, and all others by curl.
func data(p api.Pair) string {
	name := url.QueryEscape(p.Name) + "="
	switch {
	case p.Secret:
		return "--data-urlencode " + shellWord(name) + variable(p.Name)
	case strings.ContainsFunc(p.Value, func(r rune) bool { return !unicode.IsGraphic(r) }):
		return "--data " + shellWord(name+url.QueryEscape(p.Value))
	}
	return "--data-urlencode " + shellWord(name+p.Value)
}

// variable is the variable for a scheme, parameter, field or header, as a word of a command.
func variable(name string) string {
	switch name {
	case "Bearer":
		name = "TOKEN"
	case "ApiKey":
		name = "API_KEY"
	case "password2":
		name = "PASSWORD_BASE64"
	case "Ad":
		name = "AD_TOKEN"
	}
	return `"$GATEHOUSE_` + strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return '_'
		}
		return unicode.ToUpper(r)
	}, name) + `"`
}
