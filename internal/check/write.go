package check

import (
	"cmp"
	"fmt"
	"math"
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
	v := Verdict{State: c.state, Code: c.code, Scope: scope, Sentence: fill(e.what), Known: fill(e.known), User: fill(e.user), Next: []Step{}}
	for _, s := range e.next {
		domain := values[strings.Trim(s.Domain, "{}")+"-name"]
		if s.Domain != "" && domain == "" { // nobody has named it
			continue
		}
		v.Next = append(v.Next, Step{Text: fill(s.Text), Kind: s.Kind, Domain: domain})
	}
	return v
}

// Complete fills in what JSON does not have: how the verdict of a report that was read is
// known, and what to tell the person. asked is what was to be checked. It does so only where
// the sentence is one that this program writes of these checks.
func (r *Report) Complete(asked Request) {
	asked.Email = r.Email
	j := judgement{subject{Request: asked.trimmed(), At: r.At}, r.Checks}
	for _, e := range entries {
		if e.code != r.Verdict.Code {
			continue
		}
		for _, shown := range append([]Check{{State: OK}}, r.Checks...) {
			c := cause{code: e.code, state: r.Verdict.State, check: shown, variant: e.variant}
			if !c.isPossible() {
				continue
			}
			if v := write(c, r.Verdict.Scope, j.values(c)); v.Sentence == r.Verdict.Sentence {
				r.Verdict.Known, r.Verdict.User = v.Known+j.control(c), v.User
				return
			}
		}
	}
}

// isPossible reports whether a verdict can come from the check, as it says in its state; none is
// behind one that all is fine.
func (c cause) isPossible() bool {
	if (c.check.ID == "") != (c.code == LooksFine) {
		return false
	}
	return c.check.State == c.state || c.check.State == Fail && (c.variant == "minor" || c.code == Undecided)
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
	lookup, _ := find(j.checks, Lookup)
	claims, _ := find(j.checks, Claims)
	detail := c.check.Detail
	v := map[string]string{
		"email":       cmp.Or(redact.OneLine(j.Email, maxShown), `""`),
		"client":      cmp.Or(j.Client, "without an id"),
		"host":        hostName(c.check),
		"hosts":       j.hosts(),
		"check":       nameOf(c.check.ID),
		"reason":      strings.TrimSuffix(cmp.Or(detail.Text(FactReason), c.check.Summary, "no reason is known"), "."),
		"status":      strconv.Itoa(c.check.Status),
		"code":        cmp.Or(detail.Text(FactErrorCode), "no code"),
		"device":      cmp.Or(detail.Text("device_id"), "of this login"),
		"meaning":     meaning(detail),
		"date":        date(detail.time(FactCertificateEnds)),
		"days":        days(detail.time(FactCertificateEnds).Sub(j.At)),
		"skew":        skewText(detail),
		"wait":        wait(detail),
		"without":     without(detail),
		"beside":      j.beside(c),
		"description": description(detail),
	}
	v["minors"], v["minor"] = j.minors()
	domain := j.wanted()
	if name, ok := strings.CutPrefix(c.check.ID, DomainPrefix); ok && c.variant != "minor" {
		domain = name
	}
	if c.check.ID == Gateway {
		domain = primaryDomain(j.checks)
	}
	primary := cmp.Or(detail.Text(FactPrimaryDomain), claims.Detail.Text(FactPrimaryDomain), lookup.Detail.Text(FactPrimaryDomain))
	if c.check.ID == Claims && c.code == OtherPrimaryDomain {
		primary = lookup.Detail.Text(FactPrimaryDomain)
	}
	for name, value := range map[string]string{
		"domain": domain, "primary": primary, "asked": redact.OneLine(j.Domain, maxShown), "claimed": j.claimed(),
	} {
		v[name], v[name+"-name"] = "the domain", value
		if value != "" {
			v[name] = hostname.Readable(value)
		}
	}
	v["place"] = place(c.check, v["domain"])
	return v
}

// minors are the domains that fail beside the one asked for, and that they do, in words.
func (j judgement) minors() (names, sentence string) {
	var list []string
	for _, c := range j.checks {
		if c.State == Fail && j.isMinor(c) {
			list = append(list, nameOf(c.ID))
		}
	}
	names = listed(list)
	if len(list) > 1 {
		return names, names + " do not"
	}
	return names, names + " does not"
}

// hosts are those that were asked, in words: "global, authority and gateway".
func (j judgement) hosts() string {
	var names []string
	for _, id := range []string{Global, Authority, Gateway} {
		if c, ok := find(j.checks, id); ok && c.State != Skipped {
			names = append(names, "the "+map[string]string{Global: "global service", Authority: "authority", Gateway: "gateway"}[id])
		}
	}
	text := listed(names)
	if text == "" {
		return "All hosts"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// beside says what the control found at the same place, and which other hosts do answer.
func (j judgement) beside(c cause) string {
	var answering []string
	for _, id := range []string{Global, Authority, Gateway} {
		if host, ok := find(j.checks, id); ok && id != c.check.ID && works(host.State) {
			answering = append(answering, id)
		}
	}
	if len(answering) == 0 {
		return ""
	}
	verb := " answers as it should."
	if len(answering) > 1 {
		verb = " answer as they should."
	}
	text := listed(answering) + verb
	return " " + strings.ToUpper(text[:1]) + text[1:]
}

// listed are names in a sentence: "a, b and c".
func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func without(d Detail) string {
	status, ok := d.seconds(FactWithout)
	if !ok {
		return ""
	}
	return fmt.Sprintf(" Asked without a token, the gateway answers with %d.", int(status))
}

func description(d Detail) string {
	if text := d.Text("error_description"); text != "" {
		return " The authority adds: " + text + "."
	}
	return ""
}

func meaning(d Detail) string {
	if text := d.Text(FactMeaning); text != "" {
		return text + " "
	}
	return ""
}

func date(t time.Time) string {
	if t.IsZero() {
		return "an unknown day"
	}
	return t.UTC().Format("2 Jan 2006")
}

func days(d time.Duration) string {
	return human.Count(max(int(d/(24*time.Hour)), 0), "day", "days")
}

// skewText says how a clock stands to another one: "10m 0s behind".
func skewText(d Detail) string {
	seconds, _ := d.seconds(FactClockSkew)
	text := human.Span(time.Duration(math.Abs(seconds) * float64(time.Second)).Round(time.Second))
	if seconds < 0 {
		return text + " behind"
	}
	return text + " ahead of"
}

func wait(d Detail) string {
	if seconds, ok := d.seconds(FactRetryAfter); ok {
		return "Wait " + human.Span(time.Duration(seconds*float64(time.Second))) + ", then"
	}
	return "In a minute,"
}
