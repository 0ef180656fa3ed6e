package check

import (
	"net"
	"slices"
)

// The names of the facts that a card shows even without all details: for each check, how its host
// was reached, and for one that came out badly, what came back and what differs.
var (
	tellingOfWay = []string{"address", "proxy_host"}
	tellingOfEnd = []string{
		"addresses_without_answer", "proxy_status", "proxy_reply", "redirect_to",
		"certificate_fault", "certificate_subject", "certificate_issuer", "certificate_signer", "certificate_names", "certificate_of", "certificate_ends",
		"message", "error_description", FactErrorCode, factResponseCode, "left_out", "answered", "answered_for", "not_domains", "primary_domains",
		"device_id_sent", "device_id", "notification_url", "life_said", "subject", "signed_in_as", "differs_at", FactClockSkew,
	}
)

// Way returns the facts of how the host of a check was reached: its address, unless the host is named
// by it, or the proxy that was used.
func (c Check) Way() Detail {
	host := c.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	repeatsHost := func(f Fact) bool { return f.Text() == host }
	return slices.DeleteFunc(c.Detail.among(tellingOfWay), repeatsHost)
}

// End returns the facts of a check that came out badly, beside [Check.Way], which say what came back:
// the service's words, a certificate that was refused, the proxy's answer, ids that differ. A check
// that came out well has none.
func (c Check) End() Detail {
	if c.State != Warn && !c.State.Failed() {
		return nil
	}
	return c.Detail.among(tellingOfEnd)
}

// among returns the facts that have one of these names and are not empty.
func (d Detail) among(names []string) (list Detail) {
	for _, fact := range d {
		if slices.Contains(names, fact.Name) && fact.Text() != "" {
			list = append(list, fact)
		}
	}
	return list
}
