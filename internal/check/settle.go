package check

import "strings"

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

// settle judges the hosts anew when everything that was asked of them is known. A host
// that failed one request and answered another one is not known to be broken; one that
// answered each with an error of its own is.
func settle(checks []Check) (changed []Check) {
	primary := primaryDomain(checks)
	for i := range checks {
		c := &checks[i]
		code, isHost := unreachable[c.ID]
		if !isHost {
			continue
		}
		beside := others(checks, c.ID, primary)
		switch {
		case c.State == Fail && c.Code == code && anyAnswered(beside):
			c.State, c.Code = Unknown, ""
			c.Summary = strings.TrimSuffix(c.Summary, ".") + "; it answered another request"
		case c.State == Unknown && isServerError(*c) && len(beside) > 0 && allServerErrors(beside):
			c.State, c.Code = Fail, code
			c.Summary += " to everything"
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

func allServerErrors(checks []Check) bool {
	asked := 0
	for _, c := range checks {
		if c.State == Skipped {
			continue
		}
		asked++
		if !isServerError(c) {
			return false
		}
	}
	return asked > 0
}

// primaryDomain is the one of the look-up, or else of the claims; "" if neither is known.
func primaryDomain(checks []Check) string {
	for _, id := range []string{Lookup, Claims} {
		if c, ok := find(checks, id); ok {
			if name := c.Detail.Text(FactPrimaryDomain); name != "" {
				return name
			}
		}
	}
	return ""
}
