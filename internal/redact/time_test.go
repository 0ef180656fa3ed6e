//go:build !race

package redact

import (
	"strings"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// What takes longer than in proportion would take minutes here. The race detector slows
// this down tenfold, so that it is tested without.
func TestAnAnswerIsMaskedInNoTime(t *testing.T) {
	for name, text := range longAnswers(8 << 20) {
		began := testkit.ProcessorTime()
		var sent Secrets
		sent.Add("canary-password", "demo", strings.Repeat("A", 1000)+"B")
		if Result(sent.Repeated([]byte(text))) == nil {
			t.Errorf("%s: it is not masked", name)
		}
		if took := testkit.ProcessorTime() - began; took > 5*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
	}
}
