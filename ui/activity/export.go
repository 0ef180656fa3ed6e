package activity

import (
	"context"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/files"
	"gatehouse/ui/browse"
	"gatehouse/ui/screen"
)

// listed are the requests that are listed, the oldest first.
func (m *Model) listed() []*api.Exchange {
	numbers := m.list.arrange(m.filter.Words(), order{column: columnTime})
	list := make([]*api.Exchange, 0, len(numbers))
	for _, n := range numbers {
		if x := m.list.at(int(n)).Exchange; x != nil {
			list = append(list, x)
		}
	}
	return list
}

func (m *Model) exportAction() screen.Action {
	a := screen.Action{ID: "activity.export", Run: m.openExport}
	if m.env.Remote {
		a.Title, a.Run = "copy all", m.copyListed
		a.Description = "copy the listed requests as an HTTP Archive, without secrets; a file would be saved on the server"
	}
	if m.requests == 0 {
		a.Reason = "there is no request here to save"
	}
	return a
}

// archiveMsg is the listed requests as an HTTP Archive.
type archiveMsg struct {
	text string
	err  error
}

// copyListed copies the listed requests, where no files may be written.
func (m *Model) copyListed() tea.Cmd {
	requests := m.listed()
	return screen.Reply(m, func() tea.Msg {
		var archive strings.Builder
		err := api.WriteHAR(&archive, m.version, requests)
		return archiveMsg{archive.String(), err}
	})
}

func (m *Model) copyArchive(msg archiveMsg) tea.Cmd {
	if msg.err != nil {
		return m.env.Root.Say("Not copied: the HTTP Archive could not be made.", true)
	}
	return m.env.Root.CopyDocument(msg.text, "the listed requests as an HTTP Archive")
}

// openExport shows the prompt that saves the listed requests.
func (m *Model) openExport() tea.Cmd {
	requests := m.listed()
	return m.push(browse.NewExportPrompt(m.env, browse.ExportOffer{
		Rows: len(requests), One: "request", Many: "requests",
		Order: "as an HTTP Archive, without secrets",
		Only:  "har",
		Name:  files.ExportName("gatehouse", "requests", m.env.Now().Local().Format("2006-01-02-150405")),
		Write: func(ctx context.Context, c browse.ExportChoice, progress func(rows int, bytes int64)) error {
			var written files.Counter
			defer func() { progress(len(requests), written.Written()) }()
			return files.Export(ctx, c.Path, c.Overwrite, func(w io.Writer) error {
				return api.WriteHAR(written.To(w), m.version, requests)
			})
		},
	}))
}

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
