package check

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

// settle judges the hosts anew when everything that was asked of them is known: one that
// failed here and answered another request is not known to be broken.
func settle(checks []Check) (changed []Check) {
	primary := primaryDomain(checks)
	for i := range checks {
		c := &checks[i]
		code, isHost := unreachable[c.ID]
		if !isHost {
			continue
		}
		if c.State != Fail || c.Code != code || !anyAnswered(others(checks, c.ID, primary)) {
			continue
		}
		c.State, c.Code = Unknown, ""
		c.Summary += "; it answered another request"
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
	for _, id := range []string{Lookup, Claims} {
		if c, ok := find(checks, id); ok {
			if name := c.Detail.Text(FactPrimaryDomain); name != "" {
				return name
			}
		}
	}
	return ""
}
