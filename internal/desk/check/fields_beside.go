package check

import (
	"net/http"
	"slices"

	"gatehouse/internal/text/hostname"
)

// minorNames lists the other domains whose checks match.
func (s *scene) minorNames(matches func(Check) bool) phrase {
	var names []string
	for _, c := range s.minors(matches) {
		names = append(names, nameOf(c.ID))
	}
	return listed(namedAll(names))
}

// minorTroubles lists the other domains that came out in a state and says why: "pier.example: the
// connection was refused". If the reasons differ, each follows its domain.
func (s *scene) minorTroubles(state State) phrase {
	var each []phrase
	var reasons []string
	for _, c := range s.minors(func(c Check) bool { return c.State == state }) {
		reason := minorReason(c)
		each = append(each, joined(named(nameOf(c.ID)), plain(" ("+reason+")")))
		reasons = append(reasons, reason)
	}
	haveOneReason := len(slices.Compact(slices.Clone(reasons))) == 1
	if haveOneReason {
		names := s.minorNames(func(c Check) bool { return c.State == state })
		return joined(names, plain(": "+reasons[0]))
	}
	return listed(each)
}

// minorReason says why another domain came out as it did.
func minorReason(c Check) string {
	o := c.seen()
	if o.outcome != outcomeRefused {
		return reasonOf(c)
	}
	reason := "no access, " + answerOf(c)
	if code := bareCode(o); code != "" {
		reason += ": " + code
	}
	if said := quotedWords(o.sentence()); said != "" {
		reason += ", with the words " + said
	}
	return reason
}

// minorWords quotes the words of the other domains that came out in a state, if all say the same.
func (s *scene) minorWords(state State) string {
	var words []string
	for _, c := range s.minors(func(c Check) bool { return c.State == state }) {
		words = append(words, quotedWords(c.seen().sentence()))
	}
	if words = slices.Compact(words); len(words) != 1 {
		return ""
	}
	return words[0]
}

// refusesThePerson reports whether a gateway answered and keeps this person out. A 401 does not
// count: a gateway that does not accept a new token keeps out others as well.
func refusesThePerson(c Check) bool {
	return c.State == Fail && c.seen().outcome == outcomeRefused && c.Status != http.StatusUnauthorized
}

// failsOtherwise reports whether a check fails, but not because of [refusesThePerson].
func failsOtherwise(c Check) bool { return c.State == Fail && !refusesThePerson(c) }

// whatWorks lists what was seen to work before the link that breaks: "The look-up and the sign-in
// work".
func (s *scene) whatWorks(shows Check) phrase {
	var list []phrase
	if s.lookedUp() != "" && s.lookedUp() == s.primary() && shows.ID != Lookup {
		list = append(list, plain("the look-up"))
	}
	if s.signsIn() && shows.ID != SignIn {
		list = append(list, plain("the sign-in"))
	}
	if domains := s.domainsRead(shows); len(domains) > 0 {
		list = append(list, joined(plain("reading the shares in "), domains))
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return joined(list[0].upperFirst(), plain(" works"))
	}
	return joined(listed(list).upperFirst(), plain(" work"))
}

// domainsRead lists the domains whose shares were read, except the one of the cause: the wanted or
// the primary one, or all others if neither of these was read.
func (s *scene) domainsRead(shows Check) phrase {
	var names []string
	for _, c := range s.checks {
		name, isDomain := DomainOf(c.ID)
		counts := s.working() == "" || name == s.working()
		if isDomain && c.ID != shows.ID && s.reads(name) && counts {
			names = append(names, hostname.Readable(name))
		}
	}
	return listed(namedAll(names))
}
