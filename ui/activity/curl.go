package activity

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"gatehouse/api"
)

// curl writes a request as a curl command for a POSIX shell, with an option on each line. In
// place of secrets it has variables, such as $GATEHOUSE_TOKEN for the access token.
func curl(x *api.Exchange) string {
	address := x.Scheme + "://" + x.Host + x.Path
	lines := []string{shellWord(address)}
	if strings.ContainsAny(address, "[]{}") {
		lines[0] = "--globoff " + lines[0]
	}
	implied := "GET" // the method that curl uses without --request
	if len(x.Form) > 0 {
		implied = "POST"
	}
	if x.Method != implied {
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

// shellWord writes a text as one word of a shell, in quotes if it needs them.
func shellWord(text string) string {
	isSpecial := func(r rune) bool {
		return !isLetterOrDigit(r) && !strings.ContainsRune("-_./:=@,+", r)
	}
	if text != "" && !strings.ContainsFunc(text, isSpecial) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// isLetterOrDigit reports whether a rune is a letter or digit of ASCII.
func isLetterOrDigit(r rune) bool {
	return r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// header is the option for a header.
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

// data is the option for a parameter or a field of a form. A value with invisible characters is
// escaped here, and any other one by curl.
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

// variable is the shell variable for the secret of a scheme, parameter, field or header, in quotes.
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
	name = strings.Map(func(r rune) rune {
		if !isLetterOrDigit(r) {
			return '_'
		}
		return unicode.ToUpper(r)
	}, name)
	return `"$GATEHOUSE_` + name + `"`
}
