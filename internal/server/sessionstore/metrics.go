package sessionstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// Metrics count the calls of a store and measure how long they take. No metric tells whose row a
// call was about.
type Metrics struct {
	set            *metrics.Set
	doubts         *metrics.Counter
	up             *metrics.Gauge
	errors, claims map[string]*metrics.Counter // by outcome
}

// NewMetrics makes the metrics of a store. kind is the label that they have, see [Durability].
func NewMetrics(kind string) *Metrics {
	set := metrics.NewSet()
	// All counters exist from the start: a monitor would not see the first increase of one that
	// appears with the value 1.
	counters := func(name string, outcomes ...string) map[string]*metrics.Counter {
		all := map[string]*metrics.Counter{}
		for _, outcome := range outcomes {
			all[outcome] = set.NewCounter(fmt.Sprintf(name, outcome))
		}
		return all
	}
	m := &Metrics{
		set:    set,
		doubts: set.NewCounter("gatehouse_sessions_in_doubt_total"),
		up:     set.NewGauge(fmt.Sprintf("gatehouse_sessions_store_up{kind=%q}", kind), nil),
		errors: counters("gatehouse_sessions_errors_total{kind=%q}",
			outcomeUnknown, outcomeFull, outcomeFailed),
		claims: counters("gatehouse_sessions_claims_total{result=%q}",
			outcomeInDoubt, outcomeClaimed, outcomeTaken, outcomeOutdated, outcomeUnknown, outcomeFailed),
	}
	m.up.Set(1)
	return m
}

// WriteMetrics writes all metrics in the text format of Prometheus.
func (m *Metrics) WriteMetrics(w io.Writer) { m.set.WritePrometheus(w) }

// The outcomes of calls, as labels of metrics. The first three are failures of the store, the
// others are answers. The metric of claims has all but [outcomeFull].
const (
	outcomeUnknown = "unknown outcome"
	outcomeFull    = "full"
	outcomeFailed  = "failed"

	outcomeClaimed  = "claimed"
	outcomeInDoubt  = "in doubt"
	outcomeTaken    = "claimed by another"
	outcomeOutdated = "outdated"
)

// outcome is the outcome of a call that returned err; empty for nil.
func outcome(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrClaimed):
		return outcomeTaken
	case errors.Is(err, ErrOutdated), errors.Is(err, ErrNoRow):
		return outcomeOutdated
	case errors.Is(err, ErrUnknownOutcome):
		return outcomeUnknown
	case errors.Is(err, ErrFull):
		return outcomeFull
	default:
		return outcomeFailed
	}
}

// storeSeconds are the upper bounds of the histogram of calls, in seconds.
var storeSeconds = []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10}

// call makes a call of the store, measures it, and returns its error. The store counts as up unless
// the call failed: a refusal is an answer, and so is that the store is full.
func (m *Metrics) call(ctx context.Context, operation string, do func() error) error {
	start := time.Now()
	err := do()
	name := fmt.Sprintf("gatehouse_sessions_store_seconds{operation=%q}", operation)
	m.set.GetOrCreatePrometheusHistogramExt(name, storeSeconds).UpdateDuration(start)
	kind := outcome(err)
	if kind == outcomeFailed && errors.Is(ctx.Err(), context.Canceled) {
		return err // the caller gave up
	}
	if failure, is := m.errors[kind]; is {
		failure.Inc()
	}
	up := 1.0
	if kind == outcomeUnknown || kind == outcomeFailed {
		up = 0
	}
	m.up.Set(up)
	return err
}

// countClaim counts the result of a claim.
func (m *Metrics) countClaim(c Claim, err error) {
	result := outcome(err)
	switch {
	case err == nil && c.InDoubt:
		result = outcomeInDoubt
		m.doubts.Inc()
	case err == nil:
		result = outcomeClaimed
	case result == outcomeFull:
		result = outcomeFailed
	}
	m.claims[result].Inc()
}
