package linemode

import (
	"context"
	"errors"

	"gatehouse/api"
	"gatehouse/internal/secret"
)

// shares lists the shares of the signed-in user in a domain (interface section
// 4.2).
func (c *conversation) shares(domain string) error {
	return c.browse(names{"share", "shares", domain}, func(ctx context.Context) (*api.Body, error) {
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
	return c.browse(names{"company", "companies", "the reseller " + reseller}, func(ctx context.Context) (*api.Body, error) {
		body, err := c.service.Companies(ctx, domain, reseller, key)
		if errors.Is(err, api.ErrUnauthorized) {
			c.key = secret.Text{} // to be asked for again
		}
		return body, err
	})
}

func (c *conversation) resellerID() (string, error) {
	otherwise := c.reseller
	if otherwise == "" {
		otherwise = c.service.Profile.ResellerID
	}
	q := question{text: "Id of the reseller", help: []string{"Companies belong to a reseller. A device login shows the reseller's id, too."}}
	for {
		reseller, err := c.askDefault(q, otherwise)
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

// apiKey asks for an API key unless there is one; a key that was typed is known
// until the conversation ends.
func (c *conversation) apiKey() error {
	if !c.key.IsEmpty() || !c.service.Profile.APIKey.IsEmpty() {
		return nil
	}
	key, err := c.askSecret(question{text: "API key, which is not shown", help: []string{
		"A reseller key stands in the API Information area of My Account; a company key works too. It is kept in memory only.",
	}})
	if err == nil {
		c.key = key
	}
	return err
}
