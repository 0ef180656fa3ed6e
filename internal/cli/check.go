package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/api"
	"gatehouse/internal/desk/batch"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/traffic"
)

type checkFlags struct {
	request               check.Request
	signIn, passwordStdin bool
	bundle                string
	list                  batchFlags
}

func checkCommand(a *app) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check EMAIL...",
		Short: "Find out why a person cannot get in",
		Long: `Finds out, step by step, why a person cannot get in, and names the cause. Is the address
known? Does each host answer, is its certificate valid, and is its clock right? With
--sign-in, which asks for the password and sends it once: is the password right, what does
the token say, and which domains does it open? A step that could not be completed is marked
unknown or skipped, never failed. Without an address, on a terminal, the command opens a
screen that asks for one.

The exit code is 0 if every verdict is ok, info or warn, and 1 if any is fail or unknown.
Every report has an id to quote; -o markdown writes the report for a ticket.`,
		Example: `  gatehouse check ada@harbor.example
  gatehouse check ada@harbor.example ben@harbor.example -o csv
  gatehouse check finn@harbor.example --sign-in --device-name laptop --domain minato.example
  printf %s "$PASSWORD" | gatehouse check cleo@harbor.example --sign-in --password-stdin -o markdown
  gatehouse check dora@harbor.example --control --bundle dora.zip`,
		Args: func(cmd *cobra.Command, args []string) error {
			if a.asksOnScreen(cmd, args) {
				return nil
			}
			return f.list.accept(a, cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.asksOnScreen(cmd, args) {
				return a.place.browse(cmd.Context(), &ui.Options{Check: true})
			}
			emails := a.emailsIn(args)
			if err := f.refuse(emails); err != nil {
				return err
			}
			return f.run(cmd.Context(), a, emails)
		},
	}
	flags, r := cmd.Flags(), &f.request
	a.writes(cmd, lists.Lists|lists.Reports)
	flags.BoolVar(&f.signIn, "sign-in", false, "sign in as the person: ask for the password and send it once")
	flags.BoolVar(&f.passwordStdin, "password-stdin", false, "with --sign-in: read the password from standard input")
	addParsed(flags, &r.Domain, "domain", "d", check.ParseDomain, "`DOMAIN` that the person wants to reach (default: the primary domain)")
	if a.local { // the others create devices, need a saved session, or write files
		a.addAccessibleFlag(flags)
		cmd.Long += `

With --sign-in you can add a device login, which sends the password, too. With --device-name,
the service normally creates a device, which stays until an administrator removes it. --control
shows whether the problem is this person's or everybody's; without a session its exit code is 3.`
		flags.StringVar(&r.DeviceName, "device-name", "", "also log in with a device called `NAME`, which the service normally creates")
		flags.StringVar(&r.DeviceID, "device-id", "", "also log in with the device that has this `ID`")
		flags.StringVar(&r.DeviceType, "device-type", "", "`TYPE` of the device, such as Pc, Mac or Iphone")
		flags.BoolVar(&r.Control, "control", false, "repeat the look-up, and with --sign-in the domains, for your own account")
		flags.StringVar(&f.bundle, "bundle", "", "write the report and the requests to the ZIP archive `FILE`, for a ticket")
	}
	f.list.add(a, cmd)
	return cmd
}

// asksOnScreen reports whether the call says nothing of what to check, and there is a screen
// on which to ask, or line mode was asked for, which needs none.
func (a *app) asksOnScreen(cmd *cobra.Command, args []string) bool {
	said := len(args) > 0
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		saysWhat := f.Changed && f.Name != accessibleFlag
		said = said || saysWhat
	})
	inLines := a.flags.accessible && cmd.Flags().Changed(accessibleFlag)
	return !said && (a.env.RunUI != nil || inLines)
}

// refuse returns an error for flags that contradict each other, before anybody is asked.
func (f *checkFlags) refuse(emails []string) error {
	r := &f.request
	device := r.DeviceName != "" || r.DeviceID != ""
	several := f.list.from != "" || len(emails) > 1
	switch {
	case several && (f.signIn || f.passwordStdin || device):
		return usage("a check with a password takes one address only",
			"Give one address, or leave out `--sign-in`.")
	case several && f.bundle != "":
		return usage("a bundle is about one person",
			"Give one address with `--bundle`, or use -o json for all.")
	case f.passwordStdin && !f.signIn:
		return usage("`--password-stdin` needs `--sign-in`",
			"Add `--sign-in`, or leave out `--password-stdin`.")
	case device && !f.signIn:
		return usage("a device login needs the person's password", "Add `--sign-in`.")
	case r.DeviceName != "" && r.DeviceID != "":
		return usage("`--device-name` and `--device-id` cannot be combined", "Use one of them.")
	case r.DeviceType != "" && !device:
		return usage("`--device-type` needs a device", "Add `--device-name` or `--device-id`.")
	case r.DeviceType != "" && !slices.Contains(api.DeviceTypes, r.DeviceType):
		return unknownValue("--device-type", r.DeviceType, api.DeviceTypes)
	}
	if f.bundle != "" {
		return files.CheckExport(f.bundle)
	}
	return nil
}

// run checks the addresses of a list, or those given as arguments. A single address is checked once,
// perhaps with its password, and an interrupt ends that at once.
func (f *checkFlags) run(ctx context.Context, a *app, emails []string) error {
	one := len(emails) == 1
	if !one {
		a.options.Parallel = f.list.jobs
	}
	requests := new(traffic.Log)
	if f.bundle != "" {
		a.options.Observe = requests.Add
	}
	list, err := f.list.addresses(ctx, a, emails)
	if err != nil {
		return err
	}
	service, err := f.open(ctx, a)
	if err != nil {
		return err
	}
	if err := f.prepare(ctx, a, list.Addresses); err != nil {
		return err
	}
	checker, last := check.New(service), check.Report{}
	checker.Face = check.Face{Command: a.stepCommand, Words: commandLine.Words}
	q := &inquiry[checked]{
		app:     a,
		command: "check",
		flags:   &f.list,
		list:    list,
		alone:   one,
		outcome: outcomeInJournal,
		form:    a.reportForm(emails),
		line:    func(c *checked) *line { return &c.line },
	}
	q.ask = func(ctx context.Context, email string) batch.Answer[checked] {
		request := f.request
		request.Email = email
		if one {
			q.rewrite("Checking " + email + "…")
		}
		report := checker.Run(ctx, request, nil)
		report.Email = email // the key in the journal
		if one {
			last = report
		}
		wait, busy := report.Busy()
		return batch.Answer[checked]{
			Value:   checked{Report: report},
			Outcome: report.Outcome(),
			Busy:    busy,
			Wait:    wait,
		}
	}
	err = q.run(ctx)
	switch {
	case !one, err != nil && !errors.Is(err, errReported):
		return err
	case ctx.Err() != nil:
		a.say("Interrupted. Checks that did not complete are unknown.")
		return errReported
	}
	if f.bundle != "" {
		if err := writeBundle(ctx, a, f.bundle, last, requests); err != nil {
			return err
		}
	}
	a.place.keepReport(ctx, last)
	return err
}

// open opens the service for the check: with the saved session, which must exist, for a control, and
// otherwise without any session.
func (f *checkFlags) open(ctx context.Context, a *app) (*session.Service, error) {
	switch {
	case f.request.Control:
		return a.openRestored(ctx)
	case f.signIn:
		return a.open(ctx, noVault, clientSecret)
	default:
		return a.open(ctx, noVault)
	}
}

// prepare completes the request. It asks for the password after it has said that a device will be
// created.
func (f *checkFlags) prepare(ctx context.Context, a *app, emails []string) (err error) {
	if f.signIn {
		if err := a.canAsk(f.passwordStdin); err != nil {
			return err // first, so that it does not count as a check
		}
	}
	if f.request.ID, err = a.place.admitCheck(ctx, emails); err != nil || !f.signIn {
		return err
	}
	if f.request.DeviceName != "" {
		a.say("For the device login, the service normally creates a device named %s,"+
			" which stays until an administrator removes it.", f.request.DeviceName)
	}
	f.request.Password, err = a.password(ctx, emails[0], f.passwordStdin)
	return err
}

// stepCommand returns the command that takes a step of a report, or "" if there is none.
func (a *app) stepCommand(step check.Step) string {
	call := a.called.asking + " check " + a.shell().Join(step.Email)
	switch step.Kind {
	case check.StepOtherAddress:
		return call
	case check.StepSignIn:
		call += " --sign-in"
		if step.Domain != "" {
			call += " --domain " + a.shell().Join(step.Domain)
		}
		return call
	}
	return ""
}

// checked is one element of the JSON of check: a report, with its line in a list.
type checked struct {
	check.Report
	line
}

// outcomeInJournal reads an element of check from a journal.
func outcomeInJournal(element []byte) (batch.Outcome, error) {
	var report check.Report
	err := json.Unmarshal(element, &report)
	hasVerdict := report.Verdict.State != "" && report.Verdict.Code != ""
	if err != nil || !hasVerdict || len(report.Checks) == 0 {
		return batch.Outcome{}, errors.New("this is not a result of check")
	}
	return report.Outcome(), nil
}

// writeBundle writes the report and its requests to a file that must not exist yet.
func writeBundle(
	ctx context.Context, a *app, path string, report check.Report, log *traffic.Log,
) error {
	requests := log.Requests()
	slices.Reverse(requests) // the oldest first
	err := files.Export(ctx, path, false, func(w io.Writer) error {
		return check.WriteBundle(w, Version(), report, requests)
	})
	if err == nil {
		a.say("Wrote %s: the report %s and its requests, without secrets.", path, report.ID)
	}
	return err
}
