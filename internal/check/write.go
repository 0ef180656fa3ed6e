package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/redact"
)

// write fills in the sentences of a cause.
func write(c cause, scope Scope, values map[string]string) Verdict {
	e := entryOf(c.code, c.variant)
	fill := filler(values)
	v := Verdict{
		State: c.state, Code: c.code, Scope: scope, Sentence: fill(e.what), Next: []Step{},
		Title: cmp.Or(e.title, c.code.Title()), Check: c.check.ID, Known: fill(e.known), User: fill(e.user),
	}
	for _, s := range e.next {
		domain := values[strings.Trim(s.Domain, "{}")+"-name"]
		if s.Domain != "" && domain == "" { // nobody has named it
			continue
		}
		v.Next = append(v.Next, Step{Text: fill(s.Text), Kind: s.Kind, Domain: domain})
	}
	return v
}

// entryOf is the entry of a variant, or of the code where it has none of its own.
func entryOf(code Code, variant string) entry {
	for _, name := range []string{variant, ""} {
		if i := slices.IndexFunc(entries, func(e entry) bool { return e.code == code && e.variant == name }); i >= 0 {
			return entries[i]
		}
	}
	return entry{}
}

func filler(values map[string]string) func(string) string {
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace
}

// maxShown is how many characters of what a person typed are repeated in a sentence.
const maxShown = 100

// values are what the braces of the sentences stand for. Those of domains have a second one
// with "-name", as a host name.
func (j judgement) values(c cause) map[string]string {
	t, host, device, in := c.check.trouble(), c.check.host(), j.device(), findingOf[foundSignIn](j.checks, SignIn)
	v := map[string]string{
		"email":       cmp.Or(redact.OneLine(j.Email, maxShown), `""`),
		"client":      cmp.Or(j.Client, "without an id"),
		"host":        hostName(c.check),
		"hosts":       j.hosts(),
		"check":       j.checkName(c.check.ID),
		"reason":      strings.TrimSuffix(cmp.Or(t.reason, c.check.Summary, "no reason is known"), "."),
		"status":      strconv.Itoa(c.check.Status),
		"code":        cmp.Or(t.code, device.meaning.Code, "no code"),
		"device":      cmp.Or(device.deviceID(), "of this login"),
		"meaning":     sentence(device.meaning.Meaning),
		"date":        date(host.certificateEnds()),
		"days":        human.Count(max(int(host.certificateEnds().Sub(j.At)/(24*time.Hour)), 0), "day", "days"),
		"skew":        skewText(host.probe.Skew),
		"took":        human.Took(c.check.waited),
		"wait":        wait(t.retryAfter),
		"without":     without(c.check),
		"beside":      j.beside(c),
		"said":        cmp.Or(strings.TrimRight(in.description, ". "), "nothing more"),
		"description": description(t),
	}
	v["minors"], v["minor"] = j.minors(c.check.State)
	v["unsure"] = ""
	if names, _ := j.minors(Unknown); names != "" {
		v["unsure"] = " Whether " + names + " can be reached is not known."
	}
	domain := j.wanted()
	if name, ok := strings.CutPrefix(c.check.ID, DomainPrefix); ok && c.code != OtherDomains {
		domain = name
	}
	if c.check.ID == Gateway {
		domain = primaryDomain(j.checks)
	}
	primary := primaryDomain(j.checks)
	if c.check.ID == Device {
		primary = cmp.Or(device.primary(), primary)
	}
	for name, value := range map[string]string{
		"domain": domain, "primary": primary, "asked": redact.OneLine(j.Domain, maxShown), "claimed": j.claims().primary,
		"known": primaryDomain(j.checks), "working": j.working(),
	} {
		v[name], v[name+"-name"] = "the domain", value
		if value != "" {
			v[name] = hostname.Readable(value)
		}
	}
	v["place"] = j.place(c.check, v["domain"])
	return v
}

// minors are the domains beside the one asked for that came out in a state, and what is to be
// said of them: "a and b do not", "whether a does".
func (j judgement) minors(state State) (names, clause string) {
	var list []string
	for _, c := range j.checks {
		if c.State == state && j.isMinor(c) {
			list = append(list, j.checkName(c.ID))
		}
	}
	names = human.List(list)
	if len(list) > 1 {
		return names, names + " do"
	}
	return names, names + " does"
}

// hosts are those that were asked, in words: "global, authority and gateway".
func (j judgement) hosts() string {
	var names []string
	for _, id := range []string{Global, Authority, Gateway} {
		if c, ok := find(j.checks, id); ok && c.State != Skipped {
			names = append(names, "the "+hostKinds[id])
		}
	}
	return cmp.Or(capital(human.List(names)), "All hosts")
}

// beside says which other hosts answer.
func (j judgement) beside(c cause) string {
	var answering []string
	for _, id := range []string{Global, Authority, Gateway} {
		if host, ok := find(j.checks, id); ok && id != c.check.ID && works(host.State) {
			answering = append(answering, "the "+hostKinds[id])
		}
	}
	if len(answering) == 0 {
		return ""
	}
	verb := " answers."
	if len(answering) > 1 {
		verb = " answer."
	}
	return " " + capital(human.List(answering)) + verb
}

// hostKinds are what the hosts are called in a sentence.
var hostKinds = map[string]string{Global: "global service", Authority: "authority", Gateway: "gateway"}

func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func without(c Check) string {
	if f, ok := c.finding.(foundDomain); ok && f.without > 0 {
		return fmt.Sprintf(" Asked without a token, the gateway answers with %d.", f.without)
	}
	return ""
}

// description is what the authority said of an error, as a sentence.
func description(t trouble) string {
	if t.description == "" {
		return ""
	}
	return " The authority adds: " + strings.TrimRight(t.description, ". ") + "."
}

// sentence is a text with a space behind it.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return text + " "
}

func date(t time.Time) string {
	if t.IsZero() {
		return "an unknown day"
	}
	return t.UTC().Format("2 Jan 2006")
}

// skewText says how a clock stands to another one: "10m 0s behind".
func skewText(skew time.Duration) string {
	text := human.Span(skew.Abs().Round(time.Second))
	if skew < 0 {
		return text + " behind"
	}
	return text + " ahead of"
}

func wait(after time.Duration) string {
	if after > 0 {
		return "Wait " + human.Span(after) + ", then"
	}
	return "In a minute,"
}
