package check

import (
	"cmp"
	"slices"
)

// unreachable are the checks of hosts, and their codes.
var unreachable = map[string]Code{
	Global: GlobalUnreachable, Authority: AuthorityUnreachable, Gateway: GatewayUnreachable,
}

// rejudge judges the hosts again after all requests: a host that failed its probe and answered
// another request is not known to be broken, and a wrong clock is only a warning if the sign-in
// and the shares worked.
func rejudge(checks []Check) (changed []Check) {
	shares := DomainPrefix + primaryDomain(checks)
	others := map[string][]string{Global: {Lookup, Device}, Authority: {SignIn}, Gateway: {shares}} // which ask the same host
	answered := func(id string) bool {
		status := find(checks, id).Status
		return status > 0 && !isTrouble(status)
	}
	getsIn := works(find(checks, SignIn).State) && works(find(checks, shares).State)
	for i := range checks {
		c := &checks[i]
		code, isHost := unreachable[c.ID]
		switch {
		case !isHost || c.State != Fail:
			continue
		case c.Code == Clock && getsIn:
			c.State = Warn
		case c.Code == code && slices.ContainsFunc(others[c.ID], answered):
			c.State, c.Code = Unknown, ""
			c.Summary += "; it answered another request"
		default:
			continue
		}
		changed = append(changed, *c)
	}
	return changed
}

// find is the check with an id, the zero one if it was not made.
func find(checks []Check, id string) Check {
	if i := slices.IndexFunc(checks, func(c Check) bool { return c.ID == id }); i >= 0 {
		return checks[i]
	}
	return Check{}
}

// works reports whether a check was made and came out well.
func works(s State) bool { return s == OK || s == Info || s == Warn }

func isServerError(c Check) bool { return c.Status >= 500 }

// primaryDomain is the one of the look-up, or else of the claims; "" if neither is known.
func primaryDomain(checks []Check) string {
	return cmp.Or(find(checks, Lookup).finding().PrimaryDomain, find(checks, Claims).finding().PrimaryDomain)
}
