package check

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestASummaryIsChangedForOneReportAlone adds to a summary that several reports have: what a host
// answered is remembered for other addresses.
func TestASummaryIsChangedForOneReportAlone(t *testing.T) {
	known := append(make(Summary, 0, 4), "gateway.example", "clock 2m ahead")
	first, second := known.With("slow"), known.With("not asked")
	noted := known.noting("it answered another request")
	for _, tt := range []struct{ got, want Summary }{
		{known, Summary{"gateway.example", "clock 2m ahead"}},
		{first, Summary{"gateway.example", "clock 2m ahead", "slow"}},
		{second, Summary{"gateway.example", "clock 2m ahead", "not asked"}},
		{noted, Summary{"gateway.example", "clock 2m ahead; it answered another request"}},
		{Summary(nil).noting("it answered another request"), Summary{"it answered another request"}},
	} {
		if diff := cmp.Diff([]string(tt.want), []string(tt.got)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestASummaryIsOneTextInJSON(t *testing.T) {
	for text, summary := range map[string]Summary{
		`""`:                           nil,
		`"harbor.example · TLS 1.3"`:   {"harbor.example", "TLS 1.3"},
		`"says: \"a · b\", not asked"`: {`says: "a · b", not asked`},
	} {
		written, err := json.Marshal(summary)
		if err != nil || string(written) != text {
			t.Errorf("%q is written as %s: %v", summary, written, err)
		}
		var read Summary
		if err := json.Unmarshal(written, &read); err != nil || read.String() != summary.String() {
			t.Errorf("%s is read as %q: %v", written, read, err)
		}
	}
}
