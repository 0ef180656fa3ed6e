package check

import "cmp"

// others are the checks that ask the same host for something else.
func others(checks []Check, host string, primary string) []Check {
	ids := map[string][]string{
		Global:    {Lookup, Device},
		Authority: {SignIn},
		Gateway:   {DomainPrefix + primary},
	}[host]
	var found []Check
	for _, id := range ids {
		if c, ok := find(checks, id); ok {
			found = append(found, c)
		}
	}
	return found
}

// settle judges the hosts again when everything that was asked of them is known: one that
// failed here and answered another request is not known to be broken, and a wrong clock is a
// warning where the sign-in and the shares worked in spite of it.
func settle(checks []Check) (changed []Check) {
	primary := primaryDomain(checks)
	in, _ := find(checks, SignIn)
	shares, _ := find(checks, DomainPrefix+primary)
	getsIn := works(in.State) && works(shares.State)
	for i := range checks {
		c := &checks[i]
		code, isHost := unreachable[c.ID]
		switch {
		case !isHost || c.State != Fail:
			continue
		case c.Code == Clock && getsIn:
			c.State = Warn
		case c.Code == code && anyAnswered(others(checks, c.ID, primary)):
			c.State, c.Code = Unknown, ""
			c.Summary += "; it answered another request"
		default:
			continue
		}
		changed = append(changed, *c)
	}
	return changed
}

// unreachable are the checks of hosts, and their codes.
var unreachable = map[string]Code{
	Global: GlobalUnreachable, Authority: AuthorityUnreachable, Gateway: GatewayUnreachable,
}

func anyAnswered(checks []Check) bool {
	for _, c := range checks {
		if c.Status > 0 && !isTrouble(c.Status) {
			return true
		}
	}
	return false
}

func isServerError(c Check) bool { return c.Status >= 500 }

// primaryDomain is the one of the look-up, or else of the claims; "" if neither is known.
func primaryDomain(checks []Check) string {
	return cmp.Or(findingOf[foundLookup](checks, Lookup).primary, findingOf[foundClaims](checks, Claims).primary)
}
