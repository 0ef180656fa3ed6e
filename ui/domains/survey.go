package domains

import (
	"context"
	"strings"
	"time"

	"gatehouse/internal/check"
)

// Survey asks the gateways of domains one after the other, each address once, and says in
// words what the screen shows of them.
type Survey struct {
	service  Service
	gateways map[string]*gateway // by address
}

// NewSurvey makes a survey that has asked nobody yet.
func NewSurvey(service Service) *Survey {
	return &Survey{service: service, gateways: map[string]*gateway{}}
}

// Ask says how many shares a domain has, how much they take, and how its gateway does. It
// waits for the answer no longer than the screen does. The words are safe to print.
func (s *Survey) Ask(ctx context.Context, domain string, now func() time.Time) string {
	address, err := s.service.GatewayURL(domain)
	if err != nil || address == "" {
		return "gateway unknown, " + noAddress
	}
	known := s.gateways[address]
	if known == nil {
		ctx, cancel := context.WithTimeout(ctx, deadline)
		defer cancel()
		known = &gateway{}
		known.learn(glance(ctx, s.service, domain, now), now())
		s.gateways[address] = known
	}
	return known.words()
}

// words says what is known of a gateway that was asked.
func (g *gateway) words() string {
	if g.trouble != nil {
		return strings.TrimSpace("gateway " + g.state() + ". " + g.trouble.Sentence + " " + g.trouble.Hint)
	}
	shares := " shares"
	if g.shares.Shares == 1 && !g.shares.More {
		shares = " share"
	}
	parts := []string{g.shares.String() + shares}
	if g.shares.Size != "" {
		parts = append(parts, g.shares.SizeText())
	}
	state := "gateway " + g.state()
	if g.verdict.mark == good {
		state += " in " + took(g.last())
	}
	if c := g.certificate; c != nil {
		state += ", " + c.String()
	}
	if text, _ := check.ClockDifference(g.clock.ahead, g.clock.within); text != "" {
		state += ", clock " + text
	}
	return strings.Join(append(parts, state), ", ")
}
