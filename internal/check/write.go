package check

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/redact"
)

// write fills in the sentences of the cause.
func (d diagnosis) write() Verdict {
	e := d.entry()
	domains := d.domains()
	var pairs []string
	for name, value := range d.values(domains) {
		pairs = append(pairs, "{"+name+"}", value)
	}
	fill := strings.NewReplacer(pairs...).Replace
	v := Verdict{
		State: d.state, Code: d.code, Scope: d.scope(), Sentence: fill(e.what), Next: []Step{},
		Title: cmp.Or(e.title, d.code.Title()), Check: d.check.ID, Known: fill(e.known), User: fill(e.user),
	}
	for _, s := range e.next {
		domain := domains[strings.Trim(s.Domain, "{}")]
		if s.Domain != "" && domain == "" { // nobody has named it
			continue
		}
		step := Step{Text: fill(s.Text), Kind: s.Kind, Domain: domain}
		if s.Kind == StepSignIn && d.Program != "" {
			step.Command = d.Program + " check " + d.Shell.Join(d.Email) + " --sign-in"
			if domain != "" {
				step.Command += " --domain " + d.Shell.Join(domain)
			}
		}
		if !d.isPointless(step) {
			v.Next = append(v.Next, step)
		}
	}
	if _, state := controlOutcome(d.checks, d.of(Control).Detail.Text(factDiffers)); state == Fail {
		v.Next = append(v.Next, Step{Text: "refresh your own sign-in", Kind: StepSignInAgain})
	}
	if login := d.of(Device).finding(); login.DeviceName != "" && login.DeviceID != "" {
		v.Next = append(v.Next, do("The device login returned device "+login.DeviceID+". If the person does not use it, ask an administrator of the service to remove it; it may have existed before this check."))
	}
	return v
}

// entry returns the sentences for the cause.
func (d diagnosis) entry() entry {
	return entries[slices.IndexFunc(entries, func(e entry) bool { return e.code == d.code && (e.when == nil || e.when(d)) })]
}

// isPointless reports whether this check already took a step, or knows that it fails.
func (d diagnosis) isPointless(s Step) bool {
	switch s.Kind {
	case StepSignIn:
		return d.asked(SignIn) || d.LocalAuthority && primaryDomain(d.checks) == "" // which nobody can ask then
	case StepOpenDomain:
		return d.Program != "" // commands open nothing
	case StepOtherDomain:
		return strings.EqualFold(s.Domain, cmp.Or(d.Domain, primaryDomain(d.checks))) || d.of(DomainPrefix+s.Domain).State == Fail
	}
	return false
}

// maxShown is how many characters of what a person typed are repeated in a sentence.
const maxShown = 100

// values are what the braces of the sentences stand for.
func (d diagnosis) values(domains map[string]string) map[string]string {
	f, said := d.check.finding(), d.of(SignIn).finding().Description
	v := map[string]string{
		"email":       redact.OneLine(d.Email, maxShown),
		"client":      cmp.Or(d.Client, "without an id"),
		"host":        cmp.Or(hostname.Readable(d.check.Host), nameOf(d.check.ID)),
		"step":        checkName(d.check.ID),
		"reason":      strings.TrimSuffix(cmp.Or(f.Reason, d.check.Summary, "no reason is known"), "."),
		"status":      strconv.Itoa(d.check.Status),
		"code":        cmp.Or(f.code(), "no code"),
		"device":      cmp.Or(f.DeviceIDSent, f.DeviceID),
		"date":        human.Date(f.certificateEnds()),
		"skew":        human.InWords(f.probe.Skew.Abs().Round(time.Second)) + " behind",
		"took":        human.Took(d.check.waited),
		"again":       "Check again in a minute",
		"named":       cmp.Or(hostname.Readable(d.of(Device).finding().PrimaryDomain), "not known"),
		"known":       cmp.Or(hostname.Readable(primaryDomain(d.checks)), "not known"),
		"slow":        sometimes(d.check.waited > 0, ", but part of the service is slow at the moment"),
		"unset":       sometimes(f.NoClientSecret, ": no client secret is set"),
		"rejected":    sometimes(d.of(SignIn).Code == WrongPassword, " The authority rejected the sign-in as well."),
		"works":       sometimes(d.works(SignIn) && d.working() != "", " The sign-in and the shares work all the same."),
		"usually":     sometimes(said == "", " Usually the e-mail address or the password is wrong."),
		"listed":      sometimes(len(d.claims().OtherDomains) > 0, " Gatehouse asked each domain in the token for the person's shares."),
		"unsent":      sometimes(d.Domain != "", " The name "+domains["asked"]+" was not sent."),
		"without":     sometimes(0 < f.StatusWithoutToken && f.StatusWithoutToken < 500, fmt.Sprintf(" The gateway itself is up: it answers %d to requests without a token.", f.StatusWithoutToken)),
		"rejection":   cmp.Or(sometimes(said != "", "The service says: "+strings.TrimRight(said, ". ")+"."), "Please type your e-mail address and password again."),
		"description": d.added(),
	}
	if hostname.EmailObjection(d.Email) != "" { // no address, but any words
		v["email"] = strconv.Quote(v["email"])
	}
	for name, domain := range domains {
		v[name] = cmp.Or(hostname.Readable(domain), "the domain")
	}
	v["minors"], v["minor"] = d.minors(d.check.State)
	v["place"], v["key"], v["operator"] = d.subject(v["host"], v["domain"])
	v["slowly"] = sometimes(d.check.waited > 0, " One answer was slow: "+v["place"]+" took "+v["took"]+".")
	if f.probe.Skew > 0 {
		v["skew"] = strings.Replace(v["skew"], "behind", "ahead of", 1)
	}
	if verb, _, _ := strings.Cut(v["reason"], " "); slices.Contains([]string{"answered", "sent", "redirects"}, verb) {
		v["reason"] = "the host " + v["reason"]
	}
	if strings.HasPrefix(d.check.ID, DomainPrefix) {
		v["step"] = "the check of " + v["step"]
	}
	if after := f.retryAfter(); after > 0 {
		v["again"] = "Wait " + human.InWords(after) + ", then check again"
	} else if (f.foreign || d.check.Status == http.StatusNotFound) && v["key"] != "" {
		v["again"] = "Check " + v["key"] + " in the profile, and whether a proxy or a sign-in page of this network answers instead"
	}
	return v
}

// added is what the authority says about the sign-in beside its code, or why that is left out.
func (d diagnosis) added() string {
	f := d.of(SignIn).finding()
	switch {
	case f.Description != "":
		return " The authority adds: " + strings.TrimRight(f.Description, ". ") + "."
	case f.LeftOut != "":
		return " What the authority adds is " + f.LeftOut.String() + "."
	}
	return ""
}

// sometimes is a text that does not always hold.
func sometimes(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}

// domains are the domains that sentences can name; "" means that no answer named one.
func (d diagnosis) domains() map[string]string {
	domain, primary := d.wanted(), primaryDomain(d.checks)
	switch name, ofDomain := strings.CutPrefix(d.check.ID, DomainPrefix); {
	case ofDomain && d.code != OtherDomains:
		domain = name
	case d.check.ID == Gateway:
		domain = primary
	case d.check.ID == Device:
		primary = d.namedDomain()
	}
	return map[string]string{
		"domain": domain, "primary": primary, "asked": redact.OneLine(d.Domain, maxShown), "claimed": d.claims().PrimaryDomain,
		"working": d.working(),
	}
}

// minors are the domains beside the one asked for that came out in a state, and what is to be
// said of them: "a and b do not", "whether a does".
func (d diagnosis) minors(state State) (names, clause string) {
	var list []string
	for _, c := range d.checks {
		if c.State == state && (d.isMinor(c) || c.ID == d.check.ID) {
			list = append(list, checkName(c.ID))
		}
	}
	names = human.List(list)
	if len(list) > 1 {
		return names, names + " do"
	}
	return names, names + " does"
}

// subject is how sentences speak of the host of the cause: what it is, the key of the profile for its
// URL, and who runs it, as "the operator of" begins it. People know domains, not the addresses of
// their gateways.
func (d diagnosis) subject(host, domain string) (place, key, operator string) {
	switch id := d.check.ID; {
	case id == Global:
		return "the global service " + host, "global_url", "the service"
	case id == Lookup, id == Device:
		return checkName(id), "global_url", "the service"
	case id == Authority:
		return "the authority " + host, d.AuthorityKey, "the authority"
	case id == SignIn:
		return checkName(id), d.AuthorityKey, "the authority"
	case id == Gateway:
		return "the gateway of " + domain + ", " + host + ",", "base_url", domain
	case strings.HasPrefix(id, DomainPrefix):
		return "the list of shares in " + domain, "base_url", domain
	}
	return checkName(d.check.ID), "", "the service"
}

// checkNames are what the checks are called in the middle of a sentence.
var checkNames = map[string]string{
	Profile: "the check of the profile", Lookup: "the look-up", Global: "the check of the global service", Authority: "the check of the authority",
	Gateway: "the check of the gateway", SignIn: "the sign-in", Claims: "the check of the claims", Device: "the device login",
}

func checkName(id string) string { return cmp.Or(checkNames[id], nameOf(id)) }

// nameOf is a check as people call it.
func nameOf(id string) string {
	if name, ok := strings.CutPrefix(id, DomainPrefix); ok {
		return hostname.Readable(name)
	}
	return id
}
