package linemode

import (
	"context"
	"sync/atomic"

	"gatehouse/api"
	"gatehouse/internal/records"
)

// progress is an answer that is being read, and how far that is.
type progress struct{ body atomic.Pointer[api.Body] }

// load reads an answer to its end and makes a table of it.
func (p *progress) load(ctx context.Context, fetch func(context.Context) (*api.Body, error)) (*records.Table, error) {
	body, err := fetch(ctx)
	if err != nil {
		return nil, err
	}
	p.body.Store(body)
	text, err := body.ReadAll()
	if err != nil {
		return nil, err
	}
	table, err := records.Parse(text)
	if err != nil {
		return nil, body.Unreadable(err)
	}
	return table, nil
}

// still says how much has come so far.
func (p *progress) still() string {
	body := p.body.Load()
	if body == nil {
		return "Still waiting for the answer."
	}
	text := "Still loading: " + size(body.Received())
	if whole := body.ContentLength(); whole > 0 {
		text += " of " + size(whole)
	}
	return text + " so far."
}
