package check

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
	"gatehouse/internal/records"
	"gatehouse/session"
)

// MostCounted limits how many bytes of a list are read to count it: a survey of many domains
// must not load every list of the account.
const MostCounted = 1 << 20

// maxLargest is how many of the largest shares are remembered.
const maxLargest = 3

// ShareCount is what was counted in a list of shares. All of it is a lower bound where More is
// set, for the list was not read to its end.
type ShareCount struct {
	Shares int
	More   bool
	// Size is how many bytes the shares take together, in digits; "" where no record tells.
	Size    string
	Largest []Share // the largest first, at most three
}

// Share is a share and how many bytes it takes, in digits. Its name comes from outside.
type Share struct{ Name, Size string }

// String writes the count for people; a lower bound is a round figure: 2,000+.
func (c ShareCount) String() string {
	if !c.More {
		return human.Number(c.Shares)
	}
	round := 1
	for round*10 <= c.Shares {
		round *= 10
	}
	return human.Number(c.Shares/round*round) + "+"
}

// SizeText is the size for people: 3.6 TB, or 1.2 TB+ where there is more.
func (c ShareCount) SizeText() string {
	number, unit, _ := human.SizeOf(c.Size)
	if c.More {
		unit += "+"
	}
	return number + " " + unit
}

// Others are how many shares there are beside the largest, and how many bytes they take.
func (c ShareCount) Others() (int, string) {
	left, ok := new(big.Int).SetString(c.Size, 10)
	if !ok {
		return 0, ""
	}
	for _, share := range c.Largest {
		size, _ := new(big.Int).SetString(share.Size, 10)
		left.Sub(left, size)
	}
	return c.Shares - len(c.Largest), left.String()
}

// CountShares counts a list of shares up to a limit in bytes and throws it away. What a limit or a
// deadline cuts off is a lower bound; the error says that a body is no list.
func CountShares(body io.Reader, limit int64) (ShareCount, error) {
	stream := records.NewStream(-1)
	_, err := stream.ReadFrom(io.LimitReader(body, limit))
	table := stream.Table()
	found := ShareCount{Shares: table.Len()}
	found.measure(table)
	cut, isCut := errors.AsType[*records.CutError](err)
	syntax, isSyntax := errors.AsType[*jsonscan.SyntaxError](err) // also of a body that came to its end before the JSON did
	switch {
	case isCut && (cut.Bytes == limit || !isSyntax):
		found.More = true
		return found, nil
	case isSyntax:
		return found, syntax // and not how much came before it
	}
	return found, err
}

// measure adds up what the shares take on disk. The interface does not show the members of
// a share; where they are not those that are usual, nothing is known.
func (c *ShareCount) measure(table *records.Table) {
	if c.Shares == 0 {
		c.Size = "0"
	}
	disk, name := columnNamed(table, "DiskUsage"), columnNamed(table, "Name")
	if disk < 0 {
		return
	}
	total, numbers := new(big.Int), 0
	for row := range table.Len() {
		cell := table.Cell(row, disk)
		if cell.Kind() != records.Number {
			continue
		}
		size := cell.Text()
		digits, ok := new(big.Int).SetString(size, 10)
		if !ok || size[0] == '-' { // these are no sizes
			c.Largest = nil
			return
		}
		total.Add(total, digits)
		numbers++
		if name >= 0 {
			c.Largest = append(c.Largest, Share{table.Cell(row, name).Text(), size})
			slices.SortStableFunc(c.Largest, func(a, b Share) int { return CompareDigits(b.Size, a.Size) })
			c.Largest = c.Largest[:min(len(c.Largest), maxLargest)]
		}
	}
	if numbers > 0 {
		c.Size = total.String()
	}
}

// columnNamed is the first column whose own name is this one, -1 if there is none.
func columnNamed(table *records.Table, name string) int {
	return slices.IndexFunc(table.Columns(), func(column string) bool {
		return column[strings.LastIndexByte(column, '.')+1:] == name
	})
}

// CompareDigits compares numbers that are written without leading zeros.
func CompareDigits(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// maxDomains is how many domains of a person are asked for their shares.
const maxDomains = 20

// domains are the domains of the claims that are asked: the primary one first, then in the
// claim's order, and the one that the person asks for in any case. The token goes to no
// others: without claims there are none.
func (r *run) domains() []string {
	all := r.person().Session.Status().Claims.AllDomains()
	asked := slices.Clone(all[:min(len(all), maxDomains)])
	if slices.Contains(all, r.Domain) && !slices.Contains(asked, r.Domain) {
		asked[len(asked)-1] = r.Domain
	}
	return asked
}

// domainSteps are the checks of the person's domains.
func domainSteps(r *run) (steps []*step) {
	if r.person() == nil {
		return nil
	}
	for _, name := range r.domains() {
		s := &step{id: DomainPrefix + name, limit: domainLimit, run: func(ctx context.Context, r *run) Check { return checkDomain(ctx, r, name) }}
		if name == r.primary() {
			s.needs = []string{Gateway}
		}
		steps = append(steps, s)
	}
	return steps
}

// checkDomain asks the gateway of a domain for the person's shares, with the fresh token
// and once (interface section 4.2).
func checkDomain(ctx context.Context, r *run, name string) Check {
	address, err := r.person().GatewayURL(name)
	if err != nil {
		return failed("", err)
	}
	c := readShares(ctx, r.person(), name, hostOf(address))
	if c.State != OK {
		c = r.withoutCredentials(ctx, c, address)
	}
	c.found.AskedFor = "the shares of " + r.Email + " in " + name
	return c
}

// readShares counts the shares of the user of a service.
func readShares(ctx context.Context, service *session.Service, name, host string) Check {
	body, _, err := service.Glance(ctx, name)
	refused, isRefused := errors.AsType[*api.StatusError](err)
	if isRefused && refused.Status == http.StatusUnauthorized { // a refusal of a fresh token counts when it is repeated
		body, _, err = service.Glance(ctx, name)
		refused, isRefused = errors.AsType[*api.StatusError](err)
	}
	switch {
	case as[*session.NotReachedError](err) != nil, as[*session.UnknownDomainError](err) != nil:
		return Check{State: Skipped, Summary: "not one of their domains", found: &finding{}}
	case isRefused && (refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden):
		return Check{
			State: Fail, Code: NoAccess, Host: host, Status: refused.Status,
			Summary: fmt.Sprintf("no access (%d)", refused.Status),
			found:   &finding{Message: refused.Message, LeftOut: refused.Omitted},
		}
	case err != nil:
		return failed(host, err)
	}
	defer body.Close()
	counted, err := CountShares(body, MostCounted)
	if err != nil {
		return failed(host, body.Unreadable(err))
	}
	f := &finding{Shares: new(counted.Shares), Bytes: json.Number(counted.Size)}
	c := Check{State: OK, Host: host, Status: http.StatusOK, Summary: counted.InWords(), found: f}
	switch {
	case counted.More && body.Received() >= MostCounted:
		f.Counted = "the first " + human.Bytes(MostCounted) + ": there are more"
	case counted.More:
		c.State, c.Summary = Unknown, "the list ended early after "+human.Count(counted.Shares, "share", "shares")
		f.Bytes, f.Failure = "", failureAnswer
		if ctx.Err() != nil {
			f.Failure = api.CauseTimeout.String()
		}
	}
	return c
}

// InWords is a count for people: "12 shares, 1.1 TB".
func (c ShareCount) InWords() string {
	text := c.String() + " shares"
	if c.Shares == 1 && !c.More {
		text = "1 share"
	}
	if c.Size != "" && c.Shares > 0 {
		text += ", " + c.SizeText()
	}
	return text
}

// withoutCredentials adds to a refusal or a failure what the same gateway answers without
// a token: whether it is this person or everybody.
func (r *run) withoutCredentials(ctx context.Context, c Check, address string) Check {
	probe := r.host(ctx, Gateway, address, nil)
	if c.State == Unknown && probe.State == Fail && probe.Code != Clock {
		host := *probe.finding() // others have it too
		host.Message, host.RetryAfter = c.found.Message, max(c.found.RetryAfter, host.RetryAfter)
		probe.found = &host
		c = probe
	}
	c.found.StatusWithoutToken = probe.Status
	return c
}
