package ui

import (
	"strings"

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
