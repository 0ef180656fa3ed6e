package linemode

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/batch"
	engine "gatehouse/internal/check"
	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/secret"
	"gatehouse/ui/browse"
	"gatehouse/ui/check"
	"gatehouse/ui/device"
	"gatehouse/ui/signin"
)

// checkItem is the entry of a menu that leads to the check of an address.
const checkItem = "Check an address: why can somebody not get in?"

// check asks for an address, or several, and says why these people cannot get in.
func (c *conversation) check() error {
	text, err := c.askRequired(c.addressQuestion())
	if err != nil {
		return err
	}
	if text = signin.Complete(text, c.options.Tips); strings.Count(text, "@") < 2 && !check.IsFileName(text) {
		email, _ := hostname.ParseEmail(text)
		return c.checkPerson(email)
	}
	list, err := c.addresses(text)
	switch {
	case err != nil:
		c.say("%s", problem.Sentence(err.Error()))
		return nil
	case len(list.Addresses) == 1:
		return c.checkPerson(list.Addresses[0])
	}
	return c.checkMany(list)
}

func (c *conversation) addressQuestion() question {
	q := question{text: "E-mail address of the person, or several", help: []string{"Type the address of the person who cannot get in, or several separated by commas."}}
	if !c.options.Remote {
		q.help = append(q.help, "Or type the name of a file with one address a line, such as ./list.csv.")
	}
	return q
}

// addresses reads several addresses, or a file of them.
func (c *conversation) addresses(text string) (list *batch.List, err error) {
	if check.IsFileName(text) && c.options.Remote {
		return nil, errors.New("this is no e-mail address, and no file can be read from here")
	}
	err = c.await(func() string { return "Still reading." }, func(context.Context) (err error) {
		if check.IsFileName(text) {
			list, err = check.ReadFile(text)
		} else {
			list, err = check.Addresses(text, c.options.Remote)
		}
		return err
	})
	return list, err
}

// checkPerson asks how much is to be checked of a person, and says what came of it.
func (c *conversation) checkPerson(email string) error {
	request := engine.Request{Email: email}
	chosen, err := c.choose("What is to be checked of "+line(email)+"?", []string{
		"What can be known from outside, without a password", "The sign-in too, with the person's password", "The sign-in and a login of a device",
	})
	if err != nil {
		return err
	}
	if chosen > 0 {
		request.Domain, err = c.ask(question{text: "Domain that the person asks for, or nothing for the primary one"})
	}
	if err == nil && chosen == 2 {
		err = c.deviceOf(&request)
	}
	if err != nil {
		return err
	}
	return c.runCheck(request, chosen > 0)
}

// deviceOf asks for the device that is to be logged in.
func (c *conversation) deviceOf(request *engine.Request) error {
	chosen, err := c.choose("Which device?", []string{"A new one, by its name", "An existing one, by its id"})
	if err != nil {
		return err
	}
	if chosen == 1 {
		request.DeviceID, err = c.askRequired(question{text: "Id of the device", help: []string{"It is in the answer of an earlier device login."}})
		return err
	}
	if request.DeviceName, err = c.askRequired(question{text: "Name of the device", help: []string{"The service creates a device of that name."}}); err != nil {
		return err
	}
	c.say("%s", sentence(device.Consequence("", request.DeviceName)))
	return nil
}

// nextCheck is what a person has chosen to check after a report: its menu gives way to that
// of the next report, so that one "back" leaves all of them.
type nextCheck struct {
	request engine.Request // with the password, which is sent once and not kept
	signIn  bool
	before  *engine.Report // of an earlier check of the same, nil if there is none
}

// Error implements error: what ends the menu of a report.
func (*nextCheck) Error() string { return "another check" }

// runCheck checks an address, says the card, and offers what can be done next, until the
// person leaves.
func (c *conversation) runCheck(request engine.Request, signIn bool) error {
	err := c.prepare(request, signIn, nil)
	for {
		next, ok := errors.AsType[*nextCheck](err)
		if !ok {
			return err
		}
		err = c.oneCheck(next.request, next.signIn, next.before)
	}
}

// prepare asks for the password, if there is to be a sign-in, and returns the [*nextCheck].
func (c *conversation) prepare(request engine.Request, signIn bool, before *engine.Report) error {
	if signIn {
		var err error
		request.Password, err = c.askSecret(question{text: "Password of the person, which is not shown", help: []string{"It is sent once, to sign in as " + line(request.Email) + ", and not kept."}})
		if err != nil {
			return err
		}
	}
	return &nextCheck{request, signIn, before}
}

func (c *conversation) oneCheck(request engine.Request, signIn bool, before *engine.Report) error {
	report, err := c.checked(request)
	request.Password = secret.Text{}
	if err != nil {
		return err
	}
	c.sayCard(report)
	if before != nil {
		c.sayChanges(*before, report)
	}
	earlier := c.report
	c.report = &report
	again := func(r engine.Request, signIn bool) func() error {
		return func() error { return c.prepare(r, signIn, nil) }
	}
	items := c.stepItems(request, signIn, report)
	items = append(items,
		item{"Check again, and hear what has changed", func() error { return c.prepare(request, signIn, &report) }},
		item{"Hear all that the checks have found", func() error { return c.read(details(report)) }},
		item{"Hear the report as Markdown, for a ticket", func() error { return c.read(strings.Lines(report.Markdown())) }},
		item{"Hear the card again", func() error { c.sayCard(report); return nil }},
	)
	if !signIn && !slices.ContainsFunc(report.Verdict.Next, isSignIn) {
		items = append(items, c.signInItem(request))
	}
	if !request.Control && !c.signedOut() {
		control := request
		control.Control = true
		items = append(items, item{"Ask the same hosts with your own session: is it the person, or everybody?", again(control, signIn)})
	}
	if earlier != nil && earlier.ID != report.ID {
		title := "Compare it with the check " + line(earlier.ID) + " of " + clip(earlier.Email, maxListText)
		items = append(items, item{title, func() error { return c.compareChecks(*earlier, report) }})
	}
	return c.menu("What next? Type back to leave the check.", items)
}

// checked runs the checks.
func (c *conversation) checked(request engine.Request) (engine.Report, error) {
	c.say("Checking %s.", line(request.Email))
	var report engine.Report
	err := c.await(func() string { return "Still checking." }, func(ctx context.Context) error {
		report = engine.New(c.service).Run(ctx, request, nil)
		return ctx.Err()
	})
	if err != nil {
		return report, errQuit
	}
	return report, nil
}

// stepItems are the steps of the verdict that the program can take.
func (c *conversation) stepItems(request engine.Request, signIn bool, report engine.Report) []item {
	var items []item
	for _, step := range report.Verdict.Next {
		switch step.Kind {
		case engine.StepOtherDomain:
			other := request
			other.Domain = step.Domain
			items = append(items, item{"Check again with the domain " + line(hostname.Readable(step.Domain)), func() error { return c.prepare(other, signIn, nil) }})
		case engine.StepSignIn:
			items = append(items, c.signInItem(request))
		case engine.StepOpenDomain:
			reached := c.service.Session.Status().Claims.AllDomains()
			if !c.signedOut() && slices.ContainsFunc(reached, func(d string) bool { return strings.EqualFold(d, step.Domain) }) {
				items = append(items, item{"Open the domain " + line(hostname.Readable(step.Domain)), func() error { return c.domain(step.Domain) }})
			}
		case engine.StepSignInAgain:
			if !c.signedOut() {
				items = append(items, item{"Sign in again yourself", c.signInAgain})
			}
		}
	}
	return items
}

// signInItem leads to a check with a sign-in.
func (c *conversation) signInItem(request engine.Request) item {
	return item{"Check the sign-in too, with the person's password", func() error { return c.prepare(request, true, nil) }}
}

func isSignIn(s engine.Step) bool { return s.Kind == engine.StepSignIn }

// sayCard says all that stands on the card of a report.
func (c *conversation) sayCard(r engine.Report) {
	v := r.Verdict
	c.say("%s", sentence(capital(v.State.Word())+": "+r.Title()+", "+line(r.Email)+", check "+line(r.ID)))
	text := sentence(clip(v.Sentence, maxValue))
	if reach := v.Scope.Reach(); reach != "" {
		text += " This " + reach + "."
	}
	c.say("%s", text)
	for _, step := range v.Next {
		c.say("Next: %s", capital(sentence(clip(step.Text, maxValue))))
	}
	if v.User != "" {
		c.say("Tell the person: %s", sentence(clip(v.User, maxValue)))
	}
	counts := map[engine.State]int{}
	for _, found := range r.Checks {
		counts[found.State]++
		parts := []string{found.State.Word()}
		for _, part := range []string{found.Found(), found.Took()} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		c.say("%s", field(found.Name(), strings.Join(parts, ", ")))
	}
	var outcomes []string
	for _, state := range []engine.State{engine.OK, engine.Info, engine.Warn, engine.Fail, engine.Unknown, engine.Skipped} {
		if counts[state] > 0 {
			outcomes = append(outcomes, human.Number(counts[state])+" "+state.Word())
		}
	}
	c.say("%s in %s: %s.", human.Count(len(r.Checks), "check", "checks"), human.Took(time.Duration(r.MS)*time.Millisecond), strings.Join(outcomes, ", "))
}

func (c *conversation) sayChanges(before, now engine.Report) {
	changes := engine.Changes(before, now)
	if len(changes) == 0 {
		c.say("Nothing has changed since %s.", before.At.Local().Format(time.TimeOnly))
		return
	}
	c.say("%s since %s:", human.Count(len(changes), "change", "changes"), before.At.Local().Format(time.TimeOnly))
	for _, change := range changes {
		c.say("%s", sentence(clip(change.String(), maxValue)))
	}
}

// details yields the facts of each check.
func details(r engine.Report) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, found := range r.Checks {
			if found.Host != "" && !yield(field(found.Name()+", host", hostname.Readable(found.Host))) {
				return
			}
			for _, fact := range found.Detail {
				if !yield(field(found.Name()+", "+fact.Label(), fact.Text())) {
					return
				}
			}
		}
	}
}

// compareChecks says in what two reports differ.
func (c *conversation) compareChecks(before, now engine.Report) error {
	return c.sayDifferences(check.Compare(before, now, c.options.Now()))
}

// checkMany checks addresses, and says how they came out and because of what; the list of
// them has the commands of every list.
func (c *conversation) checkMany(list *batch.List) error {
	many := check.NewMany(engine.New(c.service), list)
	n := names{one: "address", many: "addresses", columns: check.Columns(), doing: "Checking " + human.Count(many.Len(), "address", "addresses") + ".", still: func() string {
		return "Still checking: " + human.Number(many.Done()) + " of " + human.Number(many.Len()) + " so far."
	}}
	n.loaded = func() { c.say("%s", sentence(line(many.Summary()))) }
	n.open = func(record []byte) error {
		var row struct {
			Email string `json:"email"`
		}
		if err := json.Unmarshal(record, &row); err != nil {
			return nil // no row of ours
		}
		if report, kept := many.Report(row.Email); kept {
			c.sayCard(report)
			return nil
		}
		report, err := c.checked(engine.Request{Email: row.Email})
		if err == nil {
			c.sayCard(report)
		}
		return err
	}
	return c.browse(n, func(ctx context.Context) (browse.Body, error) { return many.Start(ctx), nil })
}

// capital begins a safe text with a capital.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
