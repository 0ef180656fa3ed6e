package ui

import (
	"cmp"
	"io"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	engine "gatehouse/internal/check"
	"gatehouse/ui/check"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// Check implements [screen.Root]. A check that is open is replaced.
func (r *root) Check(address string) tea.Cmd { return r.check(address, false) }

func (r *root) CheckSignIn(address string) tea.Cmd { return r.check(address, true) }

func (r *root) check(address string, signIn bool) tea.Cmd {
	if r.service == nil {
		return nil
	}
	r.closeOverlays()
	r.closeCheck()
	complete := func(typed string) string { return signin.Complete(typed, r.options.Tips) }
	o := check.Options{
		NewChecker: func() check.Checker { return engine.New(r.service) },
		Complete:   complete, Status: r.service.Session.Status, History: r.checked,
		WriteBundle: r.writeBundle,
	}
	o.Address = complete(address)
	whole := signin.IsWhole(o.Address)
	o.Begin, o.SignIn = whole && !signIn, whole && signIn
	return r.stack.Push(check.New(r.env, o))
}

// writeBundle writes a report with the requests of its time, for a ticket.
func (r *root) writeBundle(w io.Writer, report engine.Report) error {
	end := report.At.Add(time.Duration(report.MS+1) * time.Millisecond)
	requests := slices.DeleteFunc(r.options.Activity.Requests(), func(x *api.Exchange) bool {
		return x.Start.Before(report.At) || x.Start.After(end)
	})
	return engine.WriteBundle(w, r.options.Version, report, requests)
}

// checkAction leads to the check of an address.
func (r *root) checkAction() screen.Action {
	_, here := r.page().(*check.Model)
	reason := cmp.Or(screen.If(r.service == nil, "the session is not open yet"), screen.If(here, "this is the form for it"))
	return screen.Action{ID: "root.check", Quiet: true, Reason: reason, Run: func() tea.Cmd { return r.Check("") }}
}
