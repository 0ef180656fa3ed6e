package check

import "gatehouse/internal/check"

// mostReports is how many reports are kept.
const mostReports = 20

// History keeps the latest reports of a run of the program, for comparing.
type History struct {
	entries []*entry // the newest first
}

// entry is a report and what was asked for, without the password.
type entry struct {
	asked  check.Request
	signIn bool
	report check.Report
}

func (h *History) add(e *entry) {
	h.entries = append([]*entry{e}, h.entries...)
	h.entries = h.entries[:min(len(h.entries), mostReports)]
}

// before is the report of the same request before another, nil if there is none.
func (h *History) before(e *entry) *entry {
	later := false
	for _, other := range h.entries {
		if later && other.asked == e.asked && other.signIn == e.signIn {
			return other
		}
		later = later || other == e
	}
	return nil
}

// of is the entry of a report, which is added unless it is there.
func (h *History) of(asked check.Request, report check.Report) *entry {
	for _, e := range h.entries {
		if e.report.ID == report.ID {
			return e
		}
	}
	added := &entry{asked: asked, report: report}
	h.add(added)
	return added
}
