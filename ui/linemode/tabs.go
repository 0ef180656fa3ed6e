package linemode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/secret"
	"gatehouse/ui"
	"gatehouse/ui/activity"
	"gatehouse/ui/browse"
	"gatehouse/ui/domains"
)

// tabRun is what line mode does for a tab of the UI.
type tabRun struct {
	// item is the entry in a menu.
	item string
	run  func(c *conversation, domain string) error
	// anywhere is set if no domain is needed.
	anywhere bool
}

// tabRuns has an entry for the title of each tab.
func tabRuns() map[string]tabRun {
	return map[string]tabRun{
		"Shares":       {item: "Shares: what is shared with you here", run: (*conversation).shares},
		"Companies":    {item: "Companies of a reseller, with an API key", run: (*conversation).companies},
		"Device login": {item: "Device login: try one and have the answer explained", run: (*conversation).deviceLogin, anywhere: true},
		"Token":        {item: "Access token: whose it is and when it expires", run: (*conversation).token, anywhere: true},
		"Activity":     {item: "Activity: the requests made so far", run: (*conversation).activity, anywhere: true},
	}
}

// tabItems are the tabs in order, as items of a menu; without a domain, those that need
// none.
func (c *conversation) tabItems(domain string) []item {
	var items []item
	for _, tab := range ui.Tabs() {
		if t, ok := tabRuns()[tab.Title]; ok && (domain != "" || t.anywhere) {
			items = append(items, item{t.item, func() error { return t.run(c, domain) }})
		}
	}
	return items
}

// domains is the menu of the account's domains.
func (c *conversation) domains() error {
	status := c.service.Session.Status()
	var items []item
	for _, domain := range status.Claims.AllDomains() {
		title := "Domain " + hostname.Readable(domain)
		if domain == status.Claims.PrimaryDomain {
			title += ", your primary domain"
		}
		items = append(items, item{title, func() error { return c.domain(domain) }})
	}
	title := fmt.Sprintf("Your account reaches %s.", human.Count(len(items), "domain", "domains"))
	items = append(items, c.tabItems("")...)
	return c.menu(title, append(items,
		item{"Shares, size and gateway of each domain", c.surveyDomains},
		item{checkItem, c.check},
		item{"Sign in again, which reloads the list of domains", c.signInForDomains},
		item{"Sign out", c.signOut},
	))
}

// surveyDomains says of each domain what its gateway answers.
func (c *conversation) surveyDomains() error {
	survey := domains.NewSurvey(c.service)
	err := c.read(func(yield func(string) bool) {
		for _, domain := range c.service.Session.Status().Claims.AllDomains() {
			var words string
			_ = c.await(stillWaiting, func(ctx context.Context) error {
				words = survey.Ask(ctx, domain, c.options.Now)
				return nil
			})
			if c.ctx.Err() != nil || !yield(sentence(line(hostname.Readable(domain))+": "+words)) {
				return
			}
		}
	})
	if c.ctx.Err() != nil {
		return errQuit
	}
	return err
}

// domain is the menu of a domain.
func (c *conversation) domain(domain string) error {
	return c.menu("You are in the domain "+hostname.Readable(domain)+". Type back for another one.", c.tabItems(domain))
}

// shares lists the shares of the signed-in user in a domain (interface section
// 4.2).
func (c *conversation) shares(domain string) error {
	return c.browse(names{one: "share", many: "shares", of: domain}, func(ctx context.Context) (browse.Body, error) {
		return c.service.Shares(ctx, domain, "")
	})
}

// companies lists the companies of a reseller (interface section 4.3).
func (c *conversation) companies(domain string) error {
	reseller, err := c.resellerID()
	if err != nil {
		return err
	}
	if err := c.apiKey(); err != nil {
		return err
	}
	key := c.key
	return c.browse(names{one: "company", many: "companies", of: "the reseller " + reseller}, func(ctx context.Context) (browse.Body, error) {
		body, err := c.service.Companies(ctx, domain, reseller, key)
		if errors.Is(err, api.ErrUnauthorized) {
			c.key = secret.Text{} // to be asked for again
		}
		return body, err
	})
}

func (c *conversation) resellerID() (string, error) {
	fallback := c.reseller
	if fallback == "" {
		fallback = c.service.Profile.ResellerID
	}
	q := question{text: "Id of the reseller", help: []string{"Companies belong to a reseller. A device login shows the reseller's id, too."}}
	for {
		reseller, err := c.askDefault(q, fallback)
		if err != nil {
			return "", err
		}
		if reseller != "" {
			c.reseller = reseller
			return reseller, nil
		}
		c.say("The id is needed.")
	}
}

// apiKey asks for an API key unless there is one; it is kept until the conversation ends.
func (c *conversation) apiKey() error {
	if !c.key.IsEmpty() || !c.service.Profile.APIKey.IsEmpty() {
		return nil
	}
	key, err := c.askSecret(question{text: "API key, which is not shown", help: []string{
		"A reseller key is in the API Information area of My Account; a company key works too. It is kept in memory only.",
	}})
	if err == nil {
		c.key = key
	}
	return err
}

// token says facts about the access token (interface sections 2.1, 2.2 and 5).
func (c *conversation) token(string) error {
	c.tokenFacts()
	items := []item{
		{"Read its claims, which are decoded and not verified", c.claims},
		{"Renew it now", c.renew},
		{"Hear its facts again", func() error { c.tokenFacts(); return nil }},
	}
	if c.service.Session.CanKeep() {
		items = append(items, c.forgetItem())
	}
	return c.menu("What next?", items)
}

func (c *conversation) tokenFacts() {
	now := c.options.Now()
	for _, f := range c.sessionFacts(c.service.Session.Status()) {
		text := f.Text
		if !f.At.IsZero() {
			text = strings.TrimSpace(text + " " + moment(f.At) + ", " + relative(f.At, now))
		}
		c.fact(f.Label, text)
	}
}

func (c *conversation) claims() error {
	claims := c.service.Session.Status().Claims
	if !claims.Present {
		c.say("This access token is not a readable JWT, so there are no claims to show.")
		return nil
	}
	c.say("The claims, decoded and not verified:")
	return c.read(valuesOf(bytes.TrimSpace(claims.JSON)))
}

// renew renews the token; the result is said as an event before the next question.
func (c *conversation) renew() error {
	if !c.service.Session.Status().Renewable {
		c.say("It cannot be renewed: no refresh token was issued.")
		return nil
	}
	c.say("Renewing the access token.")
	if err := c.await(stillWaiting, c.service.Session.Renew); err != nil && c.ctx.Err() != nil {
		return errQuit
	}
	return nil
}

// activity lists the requests made, newest first.
func (c *conversation) activity(string) error {
	requests := c.options.Activity.Requests()
	good, refused, failed := 0, 0, 0
	for _, e := range requests {
		switch {
		case e.Status == 0 || e.Err != nil:
			failed++
		case e.Status >= 400:
			refused++
		default:
			good++
		}
	}
	c.say("%s: %d answered, %d refused, %d failed.", human.Count(len(requests), "request", "requests"), good, refused, failed)
	if len(requests) == 0 {
		return nil
	}
	c.say("The newest first:")
	return c.read(func(yield func(string) bool) {
		for i, e := range requests {
			if !yield(strconv.Itoa(i+1) + ". " + exchange(e)) {
				return
			}
		}
	})
}

// exchange describes one request in a line.
func exchange(e *api.Exchange) string {
	outcome := activity.Outcome(e)
	if e.Status != 0 {
		outcome = "status " + outcome
	}
	sent := ""
	if credentials := activity.Credentials(e); len(credentials) > 0 {
		sent = ", sent with " + strings.Join(credentials, ", ")
	}
	return fmt.Sprintf("%s, %s, host %s, path %s, %s after %s%s.", e.Start.Local().Format(time.TimeOnly), e.Method,
		line(hostname.Readable(e.Host)), clip(e.Path, maxValue), outcome, human.Count(int(e.Duration.Milliseconds()), "millisecond", "milliseconds"), line(sent))
}
