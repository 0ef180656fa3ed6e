package check

import (
	"encoding/json"
	"errors"

	"gatehouse/internal/format"
)

// keptVersion is the version of what [Report.Keep] returns.
const keptVersion = 1

// errKept is the error of reading what is no report that was kept.
var errKept = errors.New("this is no report that was kept")

// kept is a report as it is kept for somebody else: its JSON, and what that leaves out, so
// that it is shown to them as it was to whoever ran the check.
type kept struct {
	Version int    `json:"version"`
	Report  Report `json:"report"`
	Known   string `json:"known"`
	User    string `json:"user"`
}

// Keep is the report as text that [ReadKept] reads. It has no secret, for reports have none.
func (r Report) Keep() ([]byte, error) {
	return json.Marshal(kept{Version: keptVersion, Report: r, Known: r.Verdict.Known, User: r.Verdict.User})
}

// ReadKept reads a report that was kept. The error is a *[format.NewerError] for that of a
// newer program.
func ReadKept(text []byte) (Report, error) {
	var k kept
	err := json.Unmarshal(text, &k)
	if newer := format.Check(k.Version, keptVersion); newer != nil { // which may have other types as well
		return Report{}, newer
	}
	if err != nil || k.Version < 1 {
		return Report{}, errKept
	}
	k.Report.Verdict.Known, k.Report.Verdict.User = k.Known, k.User
	return k.Report, nil
}
