package ui

import (
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/safetext"
)

// windowTitle is what the terminal shows above the program: who, and where.
func (r *root) windowTitle() string {
	parts := []string{"gatehouse"}
	if r.service != nil && r.signIn() == nil {
		if user := r.service.Session.Status().Username; user != "" {
			parts = append(parts, safetext.Clip(user, longestCrumb))
		}
	}
	if p := r.place(); p != nil {
		parts = append(parts, safetext.Clip(p.domain, longestCrumb))
	}
	return strings.Join(parts, " · ")
}

// The terminal keeps the title it had on a stack of its own; one that has no such
// stack does nothing.
const (
	pushTitle = 22
	popTitle  = 23
	ofWindow  = 2
)

// saveTitle has the terminal keep its title until the function it returns is
// called.
func saveTitle(o Options) (restore func()) {
	var out io.Writer = os.Stdout
	if o.Output != nil {
		out = o.Output
	}
	_, _ = io.WriteString(out, ansi.WindowOp(pushTitle, ofWindow))
	return func() { _, _ = io.WriteString(out, ansi.WindowOp(popTitle, ofWindow)) }
}
