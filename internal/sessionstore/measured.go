package sessionstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// Measured is a [Store] whose calls are counted. No metric tells whose row it was.
type Measured struct {
	store       Store
	set         *metrics.Set
	doubts      *metrics.Counter
	waiting, up *metrics.Gauge
}

// NewMeasured measures a store of a kind, see [Durability].
func NewMeasured(store Store, kind string) *Measured {
	set := metrics.NewSet()
	m := &Measured{
		store: store, set: set,
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

func (m *Measured) errors(kind string) *metrics.Counter {
	return m.set.GetOrCreateCounter(fmt.Sprintf("gatehouse_sessions_errors_total{kind=%q}", kind))
}

func (m *Measured) claims(result string) *metrics.Counter {
	return m.set.GetOrCreateCounter(fmt.Sprintf("gatehouse_sessions_claims_total{result=%q}", result))
}

func (m *Measured) took(operation string) *metrics.PrometheusHistogram {
	name := fmt.Sprintf("gatehouse_sessions_store_seconds{operation=%q}", operation)
	return m.set.GetOrCreatePrometheusHistogramExt(name, []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10})
}

// WriteMetrics writes what was counted in the text format of Prometheus.
func (m *Measured) WriteMetrics(w io.Writer) { m.set.WritePrometheus(w) }

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

// call measures a call.
func (m *Measured) call(ctx context.Context, operation string, do func() error) error {
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

// Load implements [Sessions].
func (m *Measured) Load(ctx context.Context, id ID) (r Row, err error) {
	err = m.call(ctx, "load", func() error { r, err = m.store.Load(ctx, id); return err })
	return r, err
}

// Save implements [Sessions].
func (m *Measured) Save(ctx context.Context, r Row, over uint64) error {
	return m.call(ctx, "save", func() error { return m.store.Save(ctx, r, over) })
}

// Claim implements [Sessions].
func (m *Measured) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (c Claim, err error) {
	err = m.call(ctx, "claim", func() error { c, err = m.store.Claim(ctx, id, generation, life); return err })
	m.claims(claimResult(c, err)).Inc()
	if err == nil && c.InDoubt {
		m.doubts.Inc()
	}
	return c, err
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

// Finish implements [Sessions].
func (m *Measured) Finish(ctx context.Context, c Claim, r Row) error {
	return m.call(ctx, "finish", func() error { return m.store.Finish(ctx, c, r) })
}

// Release implements [Sessions].
func (m *Measured) Release(ctx context.Context, c Claim) error {
	return m.call(ctx, "release", func() error { return m.store.Release(ctx, c) })
}

// Delete implements [Sessions].
func (m *Measured) Delete(ctx context.Context, id ID) error {
	return m.call(ctx, "delete", func() error { return m.store.Delete(ctx, id) })
}

// DeleteAll implements [Sessions].
func (m *Measured) DeleteAll(ctx context.Context) (n int, err error) {
	err = m.call(ctx, "delete all", func() error { n, err = m.store.DeleteAll(ctx); return err })
	return n, err
}

// Wait implements [Sessions].
func (m *Measured) Wait(ctx context.Context, id ID) {
	m.waiting.Inc()
	defer m.waiting.Dec()
	m.store.Wait(ctx, id)
}

// SavePlace implements [Sessions].
func (m *Measured) SavePlace(ctx context.Context, id ID, sealed []byte) error {
	return m.call(ctx, "save place", func() error { return m.store.SavePlace(ctx, id, sealed) })
}

// SealedWith implements [Sessions].
func (m *Measured) SealedWith(ctx context.Context) (counts map[string]int, err error) {
	err = m.call(ctx, "count", func() error { counts, err = m.store.SealedWith(ctx); return err })
	return counts, err
}

// SaveTicket implements [Tickets].
func (m *Measured) SaveTicket(ctx context.Context, t Ticket) error {
	return m.call(ctx, "save ticket", func() error { return m.store.SaveTicket(ctx, t) })
}

// LoadTicket implements [Tickets].
func (m *Measured) LoadTicket(ctx context.Context, id ID) (t Ticket, err error) {
	err = m.call(ctx, "load ticket", func() error { t, err = m.store.LoadTicket(ctx, id); return err })
	return t, err
}

// DeleteTicket implements [Tickets].
func (m *Measured) DeleteTicket(ctx context.Context, id ID) error {
	return m.call(ctx, "delete ticket", func() error { return m.store.DeleteTicket(ctx, id) })
}

// Try implements [Tickets].
func (m *Measured) Try(ctx context.Context, subjects []ID, most int, within time.Duration) (wait time.Duration, err error) {
	err = m.call(ctx, "try", func() error { wait, err = m.store.Try(ctx, subjects, most, within); return err })
	return wait, err
}

// Check implements [Store].
func (m *Measured) Check(ctx context.Context) (d Durability, err error) {
	err = m.call(ctx, "check", func() error { d, err = m.store.Check(ctx); return err })
	return d, err
}

// Close implements [Store].
func (m *Measured) Close() error { return m.store.Close() }
