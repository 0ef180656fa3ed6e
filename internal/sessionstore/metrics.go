package sessionstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// Metrics count what vaults ask of a store. No metric tells whose row it was.
type Metrics struct {
	set         *metrics.Set
	doubts      *metrics.Counter
	waiting, up *metrics.Gauge
}

// NewMetrics counts for a store of a kind, see [Durability].
func NewMetrics(kind string) *Metrics {
	set := metrics.NewSet()
	m := &Metrics{
		set:     set,
		doubts:  set.NewCounter("gatehouse_sessions_in_doubt_total"),
		waiting: set.NewGauge("gatehouse_sessions_waiting", nil),
		up:      set.NewGauge(fmt.Sprintf("gatehouse_sessions_store_up{kind=%q}", kind), nil),
	}
	m.up.Set(1)
	// A counter that begins with 1 has not increased for who watches it: all begin with 0.
	for _, kind := range []string{kindUnknown, kindFull, kindFailed} {
		m.errors(kind).Set(0)
	}
	for _, result := range []string{resultInDoubt, resultClaimed, resultTaken, resultOutdated, kindUnknown, kindFailed} {
		m.claims(result).Set(0)
	}
	return m
}

func (m *Metrics) errors(kind string) *metrics.Counter {
	return m.set.GetOrCreateCounter(fmt.Sprintf("gatehouse_sessions_errors_total{kind=%q}", kind))
}

func (m *Metrics) claims(result string) *metrics.Counter {
	return m.set.GetOrCreateCounter(fmt.Sprintf("gatehouse_sessions_claims_total{result=%q}", result))
}

func (m *Metrics) took(operation string) *metrics.PrometheusHistogram {
	name := fmt.Sprintf("gatehouse_sessions_store_seconds{operation=%q}", operation)
	return m.set.GetOrCreatePrometheusHistogramExt(name, []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10})
}

// WriteMetrics writes what was counted in the text format of Prometheus.
func (m *Metrics) WriteMetrics(w io.Writer) { m.set.WritePrometheus(w) }

// The kinds of failures of a store.
const (
	kindUnknown = "unknown outcome"
	kindFull    = "full"
	kindFailed  = "failed"
)

// The results of claims, beside those kinds.
const (
	resultInDoubt  = "in doubt"
	resultClaimed  = "claimed"
	resultTaken    = "claimed by another"
	resultOutdated = "outdated"
)

// call measures a call of the store.
func (m *Metrics) call(ctx context.Context, operation string, do func() error) error {
	began := time.Now()
	err := do()
	m.took(operation).UpdateDuration(began)
	kind, reached := failure(ctx, err)
	if kind != "" {
		m.errors(kind).Inc()
	}
	switch {
	case reached:
		m.up.Set(1)
	case kind != "":
		m.up.Set(0)
	}
	return err
}

// failure says which kind of failure of the store an error is, empty for none, and whether
// it was reached. A refusal is an answer.
func failure(ctx context.Context, err error) (kind string, reached bool) {
	switch {
	case err == nil || errors.Is(err, ErrNoRow) || errors.Is(err, ErrOutdated) || errors.Is(err, ErrClaimed):
		return "", true
	case errors.Is(err, ErrUnknownOutcome):
		return kindUnknown, false
	case errors.Is(err, ErrFull):
		return kindFull, true
	case errors.Is(ctx.Err(), context.Canceled): // nobody wants to know any more
		return "", false
	default:
		return kindFailed, false
	}
}

func claimResult(c Claim, err error) string {
	switch {
	case err == nil && c.InDoubt:
		return resultInDoubt
	case err == nil:
		return resultClaimed
	case errors.Is(err, ErrClaimed):
		return resultTaken
	case errors.Is(err, ErrOutdated), errors.Is(err, ErrNoRow):
		return resultOutdated
	case errors.Is(err, ErrUnknownOutcome):
		return kindUnknown
	default:
		return kindFailed
	}
}

// claimed counts a claim.
func (m *Metrics) claimed(c Claim, err error) {
	m.claims(claimResult(c, err)).Inc()
	if err == nil && c.InDoubt {
		m.doubts.Inc()
	}
}
