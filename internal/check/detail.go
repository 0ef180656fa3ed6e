package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"
)

// Detail is what a check has found, in the order in which people read it. In JSON it is an
// object.
type Detail []Fact

// Fact is one value of a [Detail]: a string, bool, int64, float64, [json.Number],
// [time.Time] or []string. Its name is that of JSON, such as "certificate_ends".
type Fact struct {
	Name  string
	Value any
}

// MarshalJSON implements [json.Marshaler].
func (d Detail) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, fact := range d {
		if i > 0 {
			text = append(text, ',')
		}
		name, err := json.Marshal(fact.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(fact.Value)
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, name...), ':'), value...)
	}
	return append(text, '}'), nil
}

var errNoDetail = errors.New("a detail is not an object")

// UnmarshalJSON implements [json.Unmarshaler]. It keeps the order, and every value so that it
// is written again as it was.
func (d *Detail) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return errNoDetail
	}
	facts := Detail{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		facts = append(facts, Fact{name.(string), factValue(value)})
	}
	*d = facts
	return nil
}

// factValue is a value as it was before it became JSON.
func factValue(text json.RawMessage) any {
	var list []string
	var yes bool
	var n json.Number
	var word string
	switch {
	case text[0] == '[' && json.Unmarshal(text, &list) == nil:
		return list
	case json.Unmarshal(text, &yes) == nil && text[0] != 'n':
		return yes
	case text[0] != '"' && json.Unmarshal(text, &n) == nil && n != "":
		return numberValue(n)
	case text[0] == '"' && json.Unmarshal(text, &word) == nil:
		if at, err := time.Parse(time.RFC3339Nano, word); err == nil && at.Format(time.RFC3339Nano) == word {
			return at
		}
		return word
	}
	return text
}

func numberValue(n json.Number) any {
	if whole, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return whole
	}
	if broken, err := n.Float64(); err == nil {
		if again, _ := json.Marshal(broken); string(again) == n.String() {
			return broken
		}
	}
	return n
}

// Get is the value of a fact, nil if there is none of this name.
func (d Detail) Get(name string) any {
	for _, fact := range d {
		if fact.Name == name {
			return fact.Value
		}
	}
	return nil
}

// without is the detail without the facts of a name.
func (d Detail) without(name string) Detail {
	return slices.DeleteFunc(slices.Clone(d), func(f Fact) bool { return f.Name == name })
}

// Text is a fact that is a string, "" if there is none.
func (d Detail) Text(name string) string {
	text, _ := d.Get(name).(string)
	return text
}

// time is a fact that is a time, zero if there is none.
func (d Detail) time(name string) time.Time {
	at, _ := d.Get(name).(time.Time)
	return at
}

// seconds is a fact that is a number of seconds; ok is false if there is none.
func (d Detail) seconds(name string) (seconds float64, ok bool) {
	switch value := d.Get(name).(type) {
	case float64:
		return value, true
	case int64:
		return float64(value), true
	}
	return 0, false
}

// list is a fact that is a list, nil if there is none.
func (d Detail) list(name string) []string {
	list, _ := d.Get(name).([]string)
	return list
}

// number is the digits of a number as a value of a fact.
func number(digits string) any {
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return n
	}
	return json.Number(digits)
}

// Names of facts that the verdict reads. Every other fact is for people alone.
const (
	// FactFailure says why a host did not do what it should, one of the words below.
	FactFailure = "failure"
	// FactReason says that in words, as the end of a sentence.
	FactReason = "reason"
	// FactCertificateEnds is the end of the host's certificate, a time.
	FactCertificateEnds = "certificate_ends"
	// FactClockSkew is by how many seconds the host's clock is ahead of this one, a float64.
	FactClockSkew = "clock_skew_seconds"

	// FactPrimaryDomain is what look-up or claims name: a host name.
	FactPrimaryDomain = "primary_domain"
	// FactDomains are the other domains of the claims.
	FactDomains = "other_domains"
	// FactErrorCode is the ErrorCode of a device login, or the error of the token endpoint.
	FactErrorCode = "error_code"
	// FactNoSecret says that the profile has no client secret, and that the client was refused.
	FactNoSecret = "no_client_secret"
	// FactMeaning is what the documentation says of it.
	FactMeaning = "meaning"
	// FactKnownBy is how the outcome of a check is known.
	FactKnownBy = "known_by"
	// FactRetryAfter is how many seconds the service asks to wait, an int64.
	FactRetryAfter = "retry_after_seconds"
	// FactComplete says that a device login with an undocumented code got all that it is for.
	FactComplete = "complete"
	// FactWithout is the status that the gateway answers without a token, an int64.
	FactWithout = "status_without_token"
	// FactDiffersAt is the id of the first check that came out otherwise for whoever is
	// signed in.
	FactDiffersAt = "differs_at"
)

// The words of [FactFailure].
const (
	FailureName        = "name"        // there is no host with this name
	FailureResolution  = "resolution"  // names cannot be resolved
	FailureNetwork     = "network"     // there is no way to the host
	FailureRefused     = "refused"     // nothing listens there
	FailureTimeout     = "timeout"     // no answer in time
	FailureProxy       = "proxy"       // the proxy of this machine
	FailureTLS         = "tls"         // the handshake failed otherwise than over the certificate
	FailureCertificate = "certificate" // not valid: ended, of another host, of an unknown authority
	FailureStatus      = "status"      // an answer of 429 or from 500 on
	FailureAnswer      = "answer"      // an answer that is not what the interface promises
	FailureAddress     = "address"     // the e-mail address is none
	FailureOther       = "other"
)
