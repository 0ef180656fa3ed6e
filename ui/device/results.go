package device

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/records"
	"gatehouse/ui/compare"
	"gatehouse/ui/record"
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
	var popped tea.Cmd
	if before, ok := over.(*answer); ok {
		popped = m.env.Root.Pop(before)
	}
	return tea.Batch(popped, m.env.Root.Push(m, newAnswer(m, e, nil)))
}

// meaning explains the answer.
func (e *entry) meaning() api.CodeMeaning { return e.answer.Explain(e.sent["domain"]) }

// identity is what any two people differ in.
var identity = compare.Identity{Has: isIdentity, Kinds: "names, ids, addresses, quotas, times"}

// identityWords are in the names of members in which any two people or devices differ.
var identityWords = []string{
	"address", "alias", "birthday", "company", "created", "date", "department", "email", "fax", "guid", "id", "ids", "initials", "key", "language",
	"limit", "login", "mail", "mobile", "name", "number", "phone", "picture", "quota", "size", "space", "stamp", "tick", "time", "title", "token",
	"usage", "used", "uuid",
}

// isIdentity reports whether a difference is one that any two people have: a name, an id,
// a quota, a time. Which domain it is matters, whatever its name.
func isIdentity(p compare.Pair) bool {
	member := p.Path[strings.LastIndexByte(p.Path, '.')+1:]
	words := records.Words(member)
	if slices.Contains(words, "domain") && slices.Contains(words, "name") || slices.Contains(words, "code") {
		return false
	}
	if p.Alone() && strings.Contains(p.Path, "].") {
		return true // part of an element whose name tells that it is there
	}
	named := slices.ContainsFunc(words, func(word string) bool { return slices.Contains(identityWords, word) })
	return named || record.IsIdentity(member, p.First) || record.IsIdentity(member, p.Second)
}
