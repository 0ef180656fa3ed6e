package device

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/compare"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
)

// History keeps the latest results of a run, for the signed-in user. The tokens of the answers
// are not in it.
type History = compare.History[*entry]

// entry is one device login that was answered.
type entry struct {
	number int // from 1, as they were made
	at     time.Time
	sent   map[string]string // the form's fields, without the secrets
	answer *reading          // sealed
}

func (e *entry) Size() int { return len(e.answer.Raw) }

func (e *entry) Result() compare.Result {
	return compare.Result{
		Name: strconv.Itoa(e.number), Whose: cmp.Or(e.sent["email"], fmt.Sprintf("result %d", e.number)), At: e.at,
		Verdict: e.verdict(), Mark: e.verdictMark, JSON: func() []byte { return e.answer.Raw }, Copied: e.answer.DeviceID, What: "device id",
	}
}

// results are those of the run on the screen.
func (m *Model) results() *compare.Results[*entry] {
	return &compare.Results[*entry]{
		Env: m.env, History: m.options.History, Identity: identity, One: "result", Many: "results",
		Open: m.open,
	}
}

// open shows a result over the form, in place of the one over that.
func (m *Model) open(over screen.Screen, e *entry) tea.Cmd {
	shown := newAnswer(m, e, nil)
	if before, ok := over.(*answer); ok {
		return tea.Batch(m.env.Root.Pop(before), m.env.Root.Push(m, shown))
	}
	return m.env.Root.Push(m, shown)
}

// meaning explains the answer.
func (e *entry) meaning() api.CodeMeaning { return e.answer.Explain(e.sent["domain"]) }

// draw is a result in at most height lines, in a pane with its verdict.
func (e *entry) draw(t *styles.Theme, width, height int) (screen.Pane, string) {
	mark, style := e.verdictMark(t)
	meaning := split(screen.Wrap(safetext.Clip(e.meaning().Meaning, 4*width), width))
	groups := []fields.Group{answerFields(e.answer.LoginResult), asked(e.sent)}
	facts := fields.Draw(t, groups, width, max(height-len(meaning)-1, 0))
	pane := screen.Pane{Title: style.Bold(true).Render(mark + " " + e.verdict()), Border: &style}
	return pane, strings.Join(meaning, "\n") + "\n\n" + facts
}
