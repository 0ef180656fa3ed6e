package device

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/redact"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// result is an answer laid out: a verdict, what it means, what to do next, and
// the whole of it below.
type result struct {
	env      *screen.Env
	entry    *entry
	answer   *api.LoginResult // with its tokens only where it is the one that just came
	meaning  api.CodeMeaning
	tree     *tree.Model
	revealed bool
	above    int // lines above the tree, as last drawn
}

// newResult lays out an answer; the command reads it if it is long. An entry
// without an answer shows what was kept of it.
func (m *Model) newResult(e *entry, answer *api.LoginResult) tea.Cmd {
	m.leaveResult()
	if answer == nil {
		answer = e.answer
	}
	reply := func(work func() tea.Msg) tea.Cmd { return screen.Reply(m, work) }
	whole, read := tree.Open(m.env.Context, m.env.Theme, answer.Raw, reply)
	tokens := redact.Found(answer.Raw)
	whole.Masked = func(_, key, text string) bool { return redact.IsSecretName(key) || tokens.In(text) }
	whole.Name = "the whole answer as JSON"
	whole.Copy = func(text, what string) tea.Cmd { return m.env.Root.Copy(text, what) }
	m.result = &result{env: m.env, entry: e, answer: answer, meaning: api.ExplainCode(answer.ErrorCode), tree: whole}
	return read
}

// leaveResult drops the answer that is shown, and its tokens with it.
func (m *Model) leaveResult() {
	if m.result != nil {
		m.result.tree.Close()
		m.result = nil
	}
}

func (r *result) noDeviceID() string {
	if r.answer.DeviceID == "" {
		return "the answer names no device"
	}
	return ""
}

func (r *result) noTokens() string {
	if r.answer == r.entry.answer {
		return "the tokens of a result are not kept once it is left"
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
	r.reveal(!r.revealed)
	return nil
}

func (r *result) reveal(on bool) {
	r.revealed = on
	r.tree.Reveal(on)
}

func (r *result) view(width, height int) string {
	head := append(r.wipe(width), r.verdict(width)...)
	head = append(head, r.facts(width)...)
	head = append(head, "")
	// The tree keeps five lines, or half of a small screen.
	if most := max(height-5, height/2, 1); len(head) > most {
		head = head[:most]
	}
	r.above = len(head)
	r.tree.Layout(width, max(height-len(head), 0))
	return strings.Join(head, "\n") + "\n" + r.tree.View()
}

// wipe is the warning that comes before everything else.
func (r *result) wipe(width int) []string {
	if !r.answer.Wipe {
		return nil
	}
	t := r.env.Theme
	band := func(text string) string { return t.ToastBad.Render(safetext.Fit(text, max(width-2, 0))) }
	return []string{
		band(t.Glyphs.Warning + " WIPE IS SET"),
		band("  " + WipeMeaning),
	}
}

// verdict says what the code means and what to do next.
func (r *result) verdict(width int) []string {
	t := r.env.Theme
	mark, style := verdictMark(t, r.meaning)
	when := t.Faint.Render("result " + strconv.Itoa(r.entry.number) + ", " + r.entry.at.Local().Format(time.TimeOnly))
	lines := []string{screen.Sides(style.Render(screen.Cut(mark+" "+Verdict(r.meaning), width)), when, width)}
	lines = append(lines, split(screen.Wrap(safetext.Clip(r.meaning.Meaning, 4*width), width))...)
	if r.meaning.NextStep != "" {
		lines = append(lines, split(screen.Wrap("Next: "+r.meaning.NextStep, width))...)
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

// visible is the answer as the person wants to see it: a service may repeat a token in
// any part of it.
func (r *result) visible() *api.LoginResult {
	if r.revealed {
		return r.answer
	}
	return r.entry.answer
}

// facts are the parts of the answer that people ask for, its tokens last.
func (r *result) facts(width int) []string {
	lines := []string{""}
	var token secret.Text
	if p := r.answer.PrimaryUserDomain; p != nil {
		token = p.UserDomainToken
	}
	facts := append(Facts(r.visible(), " "+r.env.Theme.Glyphs.Separator+" "),
		Fact{"Domain token", r.shown(token)}, Fact{"Confirm key", r.shown(r.answer.ConfirmKey)})
	for _, f := range facts {
		if f.Value != "" {
			value := safetext.Clip(f.Value, width)
			lines = append(lines, screen.Cut(r.env.Theme.Muted.Render(safetext.Pad(f.Label, 14))+value, width))
		}
	}
	return lines
}

func split(text string) []string { return strings.Split(text, "\n") }
