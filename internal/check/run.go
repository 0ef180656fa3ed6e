package check

import (
	"context"

	"gatehouse/session"
)

// Checker checks addresses with one profile. Its methods may be called from several
// goroutines.
type Checker struct {
	service *session.Service
}

// New makes a checker. The service's session is asked for nothing but the control.
func New(service *session.Service) *Checker { return &Checker{service} }

// Run checks one address. It returns within 10 s whatever happens, earlier if ctx ends; the
// report then says what is not known. progress, which may be nil, is called for every
// check when it begins (Running) and when it has ended, one call at a time. The only
// request with the person's credentials is the one sign-in, and the one device login if
// the request asks for it; both are sent once.
func (c *Checker) Run(ctx context.Context, r Request, progress func(Check)) Report {
	panic("not built")
}
