package check

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/redact"
)

// fields returns the words that templates may use, for the check that shows the cause. A word is
// empty if it is unknown or does not apply; a part of a template in brackets is then left out. The
// map has every word for every check, as a test compares it with the words in the templates.
func (s *scene) fields(shows Check) map[string]phrase {
	values := s.namedFields(shows)
	for name, text := range s.plainFields(shows) {
		values[name] = plain(text)
	}
	return values
}

// namedFields returns the words that name hosts, domains and people.
func (s *scene) namedFields(shows Check) map[string]phrase {
	o := shows.seen()
	return map[string]phrase{
		"email":        namedPerson(s.emailText()),
		"asked":        named(hostname.Readable(redact.OneLine(s.Domain, maxShown))),
		"several":      listed(namedAll(o.Several)),
		"claims":       listed(namedAll(s.claims().Claims)),
		"answered":     named(o.Answered),
		"answered-for": named(o.AnsweredFor),

		// The host of the cause.
		"host":       named(cmp.Or(hostname.Readable(shows.Host), nameOf(shows.ID))),
		"place":      s.place(shows),
		"Place":      s.place(shows).upperFirst(),
		"operator":   s.operator(shows),
		"only-ipv6":  onlyIPv6(o, shows.Host),
		"Proxy-name": proxyName(o).upperFirst(),

		// Domains.
		"domain":          named(s.domainText(shows)),
		"primary":         named(hostname.Readable(s.primary())),
		"looked-up":       named(hostname.Readable(s.lookedUp())),
		"claimed":         named(hostname.Readable(s.claims().PrimaryDomain)),
		"working":         named(hostname.Readable(s.working())),
		"named":           named(hostname.Readable(s.seen(Device).PrimaryDomain)),
		"minors":          s.minorNames(func(c Check) bool { return c.State == shows.State }),
		"refusing":        s.minorNames(refusesThePerson),
		"failing":         s.minorNames(failsOtherwise),
		"elsewhere":       s.minorNames(hasShares),
		"troubles":        s.minorTroubles(shows.State),
		"domains-read":    s.domainsRead(shows),
		"reading":         s.readingText(),
		"works":           s.whatWorks(shows),
		"gateway-says":    s.gatewaySays(),
		"gateway-answers": s.wantedGatewayText(),
		"contradicted":    s.contradictedText(),

		// The certificate that was refused.
		"certificate-names": listed(namedAll(shownFault(o).Names)),
	}
}

// plainFields returns all other words.
func (s *scene) plainFields(shows Check) map[string]string {
	o := shows.seen()
	return map[string]string{
		"client": cmp.Or(s.client, "without an id"),
		"scopes": s.scopes,
		"key":    s.key(shows),

		// How the host of the cause answered.
		"address":       addressOf(o, shows.Host),
		"silent-ipv6":   strings.Join(o.silentIPv6(), ", "),
		"silent-ipv4":   strings.Join(o.silentAddresses(false), ", "),
		"private":       privateAddress(o),
		"proxy":         proxyOf(o),
		"proxy-reply":   proxyReply(o),
		"proxy-kind":    proxyKind(o),
		"proxy-fault":   proxyFault(o),
		"reason":        reasonOf(shows),
		"status":        statusOf(shows),
		"code":          o.code(),
		"answer":        answerOf(shows),
		"said":          quotedWords(o.sentence()),
		"page-title":    onlyIf(o.page, quotedWords(o.sentence())),
		"told":          onlyIf(!o.page, quotedWords(o.words())),
		"bare-code":     bareCode(o),
		"broken-off":    brokenOff(o),
		"patience":      patienceOf(o),
		"said-time":     onlyIf(hasDigit(o.sentence()), quotedWords(o.sentence())),
		"wait":          waitOf(o),
		"client-hint":   api.ClientHint(o.ambiguous),
		"silence":       human.InWords(max(o.waited, time.Second).Round(time.Second)),
		"took":          human.Took(o.waited),
		"resolve":       human.Took(o.probe.Resolve),
		"without-token": without(o),
		"same-status":   s.sameStatus(shows),
		"minors-say":    s.minorWords(shows.State),

		// The token.
		"unread-claim":   s.unreadText(),
		"unread-domains": strings.Join(s.claims().NotDomains, ", "),
		"missing":        strings.Join(s.claims().scopesMissing(), ", "),
		"subject":        s.claims().Subject,
		"valid-in":       s.earlyText(),
		"valid-from":     momentText(s.claims().begins),
		"ended-at":       s.endedText(),
		"life":           lifeText(s.seen(SignIn)),
		"life-said":      s.seen(SignIn).LifeSaid,
		"unknown-life":   wheneverText(s.seen(SignIn)),
		"token-type":     o.TokenType,

		// Domains as steps take them, not as people read them.
		"exact-asked":   s.Domain,
		"exact-primary": s.primary(),
		"exact-claimed": s.claims().PrimaryDomain,

		// The device login.
		"device":          cmp.Or(o.DeviceIDSent, o.DeviceID),
		"returned-device": o.DeviceID,
		"foreign-device":  foreignDevice(o),
		"no-code":         noCodeText(o),

		// The check itself.
		"lacks":     strings.Join(o.lacks, " and no "),
		"unproven":  s.unprovenText(),
		"unchecked": s.unchecked(),
		"slow":      s.slowText(),

		// Certificates and clocks.
		"certificate-ends":   dateText(o.certificateEnds()),
		"skew":               skewText(o.probe.Skew),
		"clocks-agree":       s.clocksAgreeText(shows),
		"own-clock":          s.ownClockText(shows),
		"certificate-time":   dateText(refusedCertificate(o).At),
		"certificate-signer": shownFault(o).Signer,
		"of-certificate":     shownFault(o).Of,
		"certificate-detail": shownFault(o).Detail,
	}
}

// refusedCertificate is why a certificate was refused; its zero value if none was.
func refusedCertificate(o *observation) api.CertificateFault {
	if o.way.Certificate == nil {
		return api.CertificateFault{}
	}
	return *o.way.Certificate
}

// shownFault is [refusedCertificate] as far as the reader may learn what the certificate says: it
// may belong to another host.
func shownFault(o *observation) api.CertificateFault {
	if o.discreet {
		return api.CertificateFault{}
	}
	return refusedCertificate(o)
}

// isOutOfTime reports whether a certificate was refused because of the time.
func isOutOfTime(o *observation) bool {
	kind := refusedCertificate(o).Kind
	return kind == api.FaultExpired || kind == api.FaultNotYetValid
}

// clocksAgreeText says that the clock of this machine is not why a certificate is out of time.
func (s *scene) clocksAgreeText(shows Check) string {
	isRight := isOutOfTime(shows.seen()) && s.ownClockIsRight(shows)
	return onlyIf(isRight, "The clock of this machine agrees with that of another host")
}

// ownClockText names the clock of this machine if that may be why a certificate is out of time.
func (s *scene) ownClockText(shows Check) string {
	isDoubtful := isOutOfTime(shows.seen()) && !s.ownClockIsRight(shows)
	return onlyIf(isDoubtful, "the clock of this machine")
}

// emailText is the address as people see it, in quotes if it is not an address.
func (s *scene) emailText() string {
	text := redact.OneLine(s.Email, maxShown)
	if hostname.EmailObjection(s.Email) != "" {
		return strconv.Quote(text)
	}
	return text
}

// place is how sentences call the host of the cause in their middle. People know domains rather than
// the hosts of gateways, which therefore stand between commas.
func (s *scene) place(shows Check) phrase {
	place := s.placeName(shows)
	if KindOf(shows.ID).asks == GatewayPart {
		return joined(place, plain(","))
	}
	return place
}

// placeName is a place at the end of a clause.
func (s *scene) placeName(shows Check) phrase {
	host := named(hostname.Readable(shows.Host)).or(plain("its host"))
	switch KindOf(shows.ID).asks {
	case GlobalPart:
		return joined(plain("the global service "), host)
	case AuthorityPart:
		return joined(plain("the authority "), host)
	case GatewayPart:
		return joined(plain("the gateway of "), named(s.domainText(shows)), plain(", "), host)
	}
	return host
}

// operator names who runs the host of the cause, to follow "the operator of".
func (s *scene) operator(shows Check) phrase {
	switch s.hostScope(shows) {
	case ScopeAuthority:
		return plain("the authority")
	case ScopeDomain:
		return named(s.domainText(shows))
	}
	return plain("the service")
}

// key is the key of the profile that has the URL of the host.
func (s *scene) key(shows Check) string {
	switch KindOf(shows.ID).asks {
	case GlobalPart:
		return "global_url"
	case AuthorityPart:
		return s.authorityKey
	}
	return "base_url"
}

// domainText is the domain that a cause is about.
func (s *scene) domainText(shows Check) string {
	domain := s.wanted()
	if of := KindOf(shows.ID).domain; of != nil {
		domain = of(s, shows.ID)
	}
	return cmp.Or(hostname.Readable(domain), "the domain")
}

// brokenOff is how much came of a list that ended early.
func brokenOff(o *observation) string {
	if o.Shares == nil {
		return ""
	}
	return o.Reason
}

// patienceOf is how long the rest of an answer was waited for, "" if it ended by itself.
func patienceOf(o *observation) string {
	if o.outcome != outcomeSilent {
		return ""
	}
	return human.InWords(max(o.waited, time.Second).Round(time.Second))
}

// onlyIf is a text under a condition.
func onlyIf(holds bool, text string) string {
	if !holds {
		return ""
	}
	return text
}

// reasonOf is why a request had no answer, as the end of a sentence.
func reasonOf(shows Check) string {
	o := shows.seen()
	return cmp.Or(o.Reason, shows.Summary.String(), "no reason is known")
}

// statusOf is the status of an answer.
func statusOf(shows Check) string {
	if shows.Status == 0 {
		return ""
	}
	return strconv.Itoa(shows.Status)
}

// answerOf is what came back: a code, or a status with its name.
func answerOf(shows Check) string { return answerInShort(shows.Status, shows.seen()) }

// refusedInBody is what came back if the status is 200 and the body refuses.
const refusedInBody = "an error in the body of an answer with 200"

// refusedInEmptyList is what came back if only the words beside an empty list refuse.
const refusedInEmptyList = "an empty list in an answer with 200"

// statusInWords returns a status with its name, without parentheses: "404 not found".
func statusInWords(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + strings.ToLower(http.StatusText(status)))
}

// bareCode returns what a service says if that is a code, which means nothing to most people.
func bareCode(o *observation) string {
	if words := o.words(); api.IsBareCode(words) {
		return withoutStop(words)
	}
	return ""
}

// quotedWords are the words of a service in quotation marks, "" for none.
func quotedWords(words string) string {
	if words == "" {
		return ""
	}
	return quoted(withoutStop(words))
}

// withoutStop are the words of a service without a full stop at their end, as a part of a sentence.
func withoutStop(words string) string {
	words = strings.TrimRight(words, " ")
	if strings.HasSuffix(words, "..") { // they go on
		return words
	}
	return strings.TrimSuffix(words, ".")
}

// waitOf is how long a host asked to be left alone.
func waitOf(o *observation) string {
	if o.RetryAfter == 0 {
		return ""
	}
	return human.InWords(o.retryAfter())
}

// without is what the gateway answers to a request without a token, unless that is a failure of the
// gateway.
func without(o *observation) string {
	if o.StatusWithoutToken == 0 || o.StatusWithoutToken >= 500 {
		return ""
	}
	return statusInWords(o.StatusWithoutToken)
}

// sameStatus is what the authority answers to a harmless request, if it answers the sign-in in the
// same way.
func (s *scene) sameStatus(shows Check) string {
	probe := s.of(Authority)
	isSame := probe.Status == shows.Status && shows.Status > 0
	if shows.ID != SignIn || !isSame {
		return ""
	}
	return statusInWords(probe.Status)
}

// contradictedText says who names a primary domain although the device login says that there is none.
func (s *scene) contradictedText() phrase {
	var list []phrase
	if domain := s.lookedUp(); domain != "" {
		list = append(list, joined(plain("the look-up names "), named(hostname.Readable(domain))))
	}
	if domain := s.claims().PrimaryDomain; domain != "" {
		list = append(list, joined(plain("the token names "), named(hostname.Readable(domain))))
	}
	return listed(list)
}

// foreignDevice is the id in the answer to a device login, if a different one was sent.
func foreignDevice(o *observation) string {
	if o.answersForOtherDevice() {
		return o.DeviceID
	}
	return ""
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func dateText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return human.Date(at.UTC())
}

// skewText says by how much a clock differs, to be followed by whose: "10 minutes behind", "2 minutes
// ahead of".
func skewText(ahead time.Duration) string {
	text := human.InWords(ahead.Abs().Round(time.Second))
	if ahead > 0 {
		return text + " ahead of"
	}
	return text + " behind"
}

// readingText continues "ann signs in" with where shares were read: " and reads shares at
// harbor.example".
func (s *scene) readingText() phrase {
	domain := named(hostname.Readable(s.working()))
	switch {
	case len(domain) == 0:
		return nil
	case s.noShares():
		return joined(plain(" at "), domain)
	}
	return joined(plain(" and reads shares at "), domain)
}

// unreadText says what a token names instead of a primary domain.
func (s *scene) unreadText() string {
	if values := s.claims().NotDomains; len(values) > 0 {
		return " that can be read: " + strings.Join(values, ", ")
	}
	return ""
}

// endedText is when the token expired, if it had expired on arrival.
func (s *scene) endedText() string {
	if !s.claims().ended {
		return ""
	}
	return momentText(s.claims().ExpiresAt)
}

// earlyText is how long after its arrival the token becomes valid.
func (s *scene) earlyText() string {
	if early := s.claims().early; early > 0 {
		return human.InWords(early.Round(time.Second))
	}
	return ""
}

// gatewaySays quotes the gateway of the wanted domain if it refused the token with words.
func (s *scene) gatewaySays() phrase {
	c := s.of(DomainPrefix + s.wanted())
	words := quotedWords(c.seen().sentence())
	if c.seen().outcome != outcomeRefused || words == "" {
		return nil
	}
	return joined(named(hostname.Readable(c.Host)), plain(" says: "+words))
}

// momentText is a time to the second, "" for none.
func momentText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return human.Moment(at.UTC())
}

// unprovenText is set if no sign-in has shown that the address is right.
func (s *scene) unprovenText() string {
	if s.signsIn() {
		return ""
	}
	return "the address"
}

// wantedGatewayText says that the gateway of the domain that the person asks for answers, if it was
// asked without a token.
func (s *scene) wantedGatewayText() phrase {
	c := s.of(DomainPrefix + s.Domain)
	if !s.asksOtherDomain() || s.signsIn() || !works(c.State) {
		return nil
	}
	return joined(plain("The gateway of "), named(nameOf(c.ID)), plain(" answers"))
}

// slowText lists what was slow and how long it took: "the look-up took 2.0 s".
func (s *scene) slowText() string {
	const maxNamed = 5
	var list []string
	for _, c := range s.checks {
		if c.ID != Control && c.State == Warn && c.seen().waited > Slow && len(list) < maxNamed {
			list = append(list, s.linkText(c)+" took "+human.Took(c.seen().waited))
		}
	}
	return human.List(list)
}

// linkText names a check as the thing that takes long.
func (s *scene) linkText(shows Check) string {
	if isHost(shows.ID) {
		return s.placeName(shows).String()
	}
	if _, isDomain := DomainOf(shows.ID); isDomain {
		return "reading the shares in " + nameOf(shows.ID)
	}
	return checkName(shows.ID)
}

// lifeText is how long the token of a sign-in lives.
func lifeText(o *observation) string {
	if o.LifeSeconds == nil || *o.LifeSeconds <= 0 {
		return ""
	}
	return human.InWords(time.Duration(*o.LifeSeconds) * time.Second)
}

// wheneverText replaces the life of a token if that is unknown.
func wheneverText(o *observation) string {
	if lifeText(o) != "" {
		return ""
	}
	return "when the token ends"
}

// noCodeText replaces the code of a device login that has none.
func noCodeText(o *observation) string {
	if o.code() != "" {
		return ""
	}
	return "without a code, which its documentation does not explain"
}

// hasDigit reports whether words may say a time.
func hasDigit(words string) bool { return strings.ContainsAny(words, "0123456789") }
