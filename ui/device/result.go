package device

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// result is an answer laid out: a verdict, what it means, what to do next, and
// the whole of it below.
type result struct {
	env      *screen.Env
	answer   *api.LoginResult
	meaning  api.CodeMeaning
	tree     *tree.Model
	revealed bool
}

func newResult(env *screen.Env, answer *api.LoginResult) *result {
	whole := tree.New(env.Theme, answer.Raw)
	whole.Masked = func(_, key string) bool { return api.IsSecretName(key) }
	return &result{env: env, answer: answer, meaning: api.ExplainCode(answer.ErrorCode), tree: whole}
}

func (r *result) noDeviceID() string {
	if r.answer.DeviceID == "" {
		return "the answer names no device"
	}
	return ""
}

func (r *result) revealTitle() string {
	if r.revealed {
		return "mask tokens"
	}
	return "reveal tokens"
}

func (r *result) toggleReveal() tea.Cmd {
	r.revealed = !r.revealed
	r.tree.Reveal(r.revealed)
	return nil
}

func (r *result) copy() tea.Cmd {
	path, text := r.tree.Value()
	if path == "" {
		path = "the whole answer as JSON"
	}
	return r.env.Tell(screen.Copy{Text: text, What: path})
}

func (r *result) view(width, height int) string {
	head := r.verdict(width)
	head = append(head, r.facts(width)...)
	head = append(head, "")
	// The tree keeps five lines, or half of a small screen.
	if most := max(height-5, height/2, 1); len(head) > most {
		head = head[:most]
	}
	return strings.Join(head, "\n") + "\n" + r.tree.View(width, max(height-len(head), 0))
}

// verdict says what the code means and what to do next; a wipe comes first.
func (r *result) verdict(width int) []string {
	t := r.env.Theme
	lines := []string{}
	if r.answer.Wipe {
		lines = append(lines, t.Bad.Bold(true).Render(layout.Cut(t.Glyphs.Warning+" WIPE is set: a client on this device would be told to erase its data.", width)))
	}
	code := safetext.Clip(r.answer.ErrorCode, width)
	if code == "" {
		code = "no code"
	}
	mark, style := t.Glyphs.Bullet, t.Strong
	if r.meaning.Known {
		mark, style = t.Glyphs.Bad, t.Bad
	}
	lines = append(lines, split(style.Render(layout.Wrap(mark+" "+code+": "+safetext.Clip(r.meaning.Meaning, 4*width), width)))...)
	if r.meaning.NextStep != "" {
		lines = append(lines, split(layout.Wrap(r.meaning.NextStep, width))...)
	}
	return lines
}

// shown is a token as the person wants to see it.
func (r *result) shown(token secret.Text) string {
	if r.revealed {
		return token.Reveal()
	}
	return token.String()
}

// facts are the parts of the answer that people ask for.
func (r *result) facts(width int) []string {
	rows := [][2]string{}
	add := func(label, value string) {
		if value != "" {
			rows = append(rows, [2]string{label, safetext.Clip(value, width)})
		}
	}
	if p := r.answer.PrimaryUserDomain; p != nil {
		add("Domain", p.Domain.DomainName)
		add("Address", p.Domain.URL)
		add("Reseller id", p.Domain.ResellerID)
		add("Domain token", r.shown(p.UserDomainToken))
	} else {
		rows = append(rows, [2]string{"Domain", "none in the answer"})
	}
	add("Device id", r.answer.DeviceID)
	add("Confirm key", r.shown(r.answer.ConfirmKey))

	lines := []string{""}
	for _, row := range rows {
		lines = append(lines, layout.Cut(r.env.Theme.Muted.Render(safetext.Pad(row[0], 14))+row[1], width))
	}
	return lines
}

func split(text string) []string { return strings.Split(text, "\n") }
