package device

import (
	"time"

	"gatehouse/api"
)

const (
	mostResults = 20       // that are kept
	mostBytes   = 16 << 20 // of them together
)

// History keeps the latest results of a run, for whoever is signed in. The
// tokens of the answers are not in it.
type History struct {
	entries []*entry // the newest first
	made    int
}

// entry is one device login that was answered.
type entry struct {
	number int // from 1, as they were made
	at     time.Time
	sent   map[string]string // the form's fields, without the secrets
	answer *api.LoginResult  // sealed
}

func (h *History) add(at time.Time, sent map[string]string, answer *api.LoginResult) *entry {
	h.made++
	added := &entry{number: h.made, at: at, sent: sent, answer: answer.Sealed()}
	h.entries = append([]*entry{added}, h.entries...)
	bytes := 0
	for i, e := range h.entries {
		if bytes += len(e.answer.Raw); i > 0 && (i == mostResults || bytes > mostBytes) {
			h.entries = h.entries[:i:i]
			break
		}
	}
	return added
}
