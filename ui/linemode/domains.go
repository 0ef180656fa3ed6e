package linemode

import (
	"fmt"

	"gatehouse/internal/hostname"
	"gatehouse/internal/secret"
)

// domains asks which of the account's domains to go into.
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
	title := fmt.Sprintf("Your account reaches %s.", count(len(items), "domain", "domains"))
	return c.menu(title, append(items,
		item{"Device login: try one and have the answer explained", c.deviceLogin},
		item{"Access token: whose it is and how long it lives", c.token},
		item{"Activity: the requests made so far", c.activity},
		item{"Sign in again, which reads the list of domains anew", c.signInAnew},
		item{"Sign out", c.signOut},
	))
}

// signInAnew is signInAgain with the domains listed anew whoever it is.
func (c *conversation) signInAnew() error {
	if err := c.signInAgain(); err != nil {
		return err
	}
	return errStartOver
}

// forget drops what was found out for the person who was signed in.
func (c *conversation) forget() {
	c.reseller, c.key = "", secret.Text{}
	c.options.Activity.Clear(c.options.Now())
}

// domain asks what to read in a domain.
func (c *conversation) domain(domain string) error {
	return c.menu("You are in the domain "+hostname.Readable(domain)+". Type back for another one.", []item{
		{"Shares: what is shared with you here", func() error { return c.shares(domain) }},
		{"Companies of a reseller, with an API key", func() error { return c.companies(domain) }},
		{"Device login: try one and have the answer explained", c.deviceLogin},
		{"Access token: whose it is and how long it lives", c.token},
		{"Activity: the requests made so far", c.activity},
	})
}
