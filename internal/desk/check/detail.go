package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"gatehouse/api"
	"gatehouse/internal/text/human"
)

// Detail is what a check found, in the order in which people read it. In JSON it is an object.
type Detail []Fact

// Fact is one value of a [Detail].
type Fact struct {
	Name  string          // as in JSON: "certificate_ends"
	Value json.RawMessage // not decoded, so that a report that was read is written again as it was
}

// NewFact makes a fact of a value that JSON can hold.
func NewFact(name string, value any) Fact {
	text, err := json.Marshal(value)
	if err != nil { // a time after the year 9999, of a certificate
		text, _ = json.Marshal(err.Error())
	}
	return Fact{name, text}
}

// MarshalJSON implements [json.Marshaler].
func (d Detail) MarshalJSON() ([]byte, error) {
	var members [][]byte
	for _, fact := range d {
		name, _ := json.Marshal(fact.Name) // every text can be written
		members = append(members, slices.Concat(name, []byte(":"), fact.Value))
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}")), nil
}

// UnmarshalJSON implements [json.Unmarshaler]. It keeps the order.
func (d *Detail) UnmarshalJSON(text []byte) error {
	object := gjson.ParseBytes(text)
	if !object.IsObject() {
		return errors.New("a detail is not an object")
	}
	*d = Detail{}
	object.ForEach(func(name, value gjson.Result) bool {
		*d = append(*d, Fact{name.Str, json.RawMessage(value.Raw)})
		return true
	})
	return nil
}

// Text returns the text of the fact with a name, see [Fact.Text], or "" if there is none.
func (d Detail) Text(name string) string {
	for _, fact := range d {
		if fact.Name == name {
			return fact.Text()
		}
	}
	return ""
}

// Label returns the name of a fact as people read it: "clock skew". The unit is in the text.
func (f Fact) Label() string {
	if kind := factKinds[f.Name]; kind.label != "" {
		return kind.label
	}
	return strings.ReplaceAll(f.Name, "_", " ")
}

// Text returns the value of a fact as people read it: times in UTC, durations with their unit,
// booleans as yes or no.
func (f Fact) Text() string {
	value := gjson.ParseBytes(f.Value)
	switch value.Type {
	case gjson.String:
		if at, ok := f.Time(); ok {
			return human.Moment(at.UTC())
		}
		if factKinds[f.Name].unit == unitOmission {
			return api.Omission(value.Str).Reason()
		}
		return value.Str
	case gjson.True:
		return "yes"
	case gjson.False:
		return "no"
	case gjson.Number:
		amount, _ := f.Amount()
		return amount.String()
	}
	if value.IsArray() {
		var words []string
		for _, word := range value.Array() {
			words = append(words, word.String())
		}
		return strings.Join(words, ", ")
	}
	return string(f.Value)
}

// Time returns the value of a fact that is a time. ok is false if it is not.
func (f Fact) Time() (at time.Time, ok bool) {
	err := json.Unmarshal(f.Value, &at)
	return at, err == nil && len(f.Value) > len("null")
}

// Amount returns the value of a fact that is a number, with its unit. ok is false if it is not.
func (f Fact) Amount() (amount human.Amount, ok bool) {
	value := gjson.ParseBytes(f.Value)
	if value.Type != gjson.Number {
		return human.Amount{}, false
	}
	switch factKinds[f.Name].unit {
	case unitUndocumented:
		return human.Amount{Number: value.Raw, Unit: "(meaning undocumented)"}, true
	case unitMilliseconds:
		return human.Duration(time.Duration(value.Int()) * time.Millisecond), true
	case unitSeconds:
		return human.Amount{Number: value.Raw, Unit: "s"}, true
	}
	return human.Amount{Number: value.Raw}, true
}

// Names of facts that are read outside this package.
const (
	FactPrimaryDomain = "primary_domain"     // of look-up, claims or device login: a host name
	FactErrorCode     = "error_code"         // of a device login, or the error of the token endpoint
	FactClockSkew     = "clock_skew_seconds" // by how much the host's clock is ahead of this one
)

// list returns the texts in the fact with a name, or nil if there is none.
func (d Detail) list(name string) (texts []string) {
	for _, fact := range d {
		if fact.Name == name {
			for _, text := range gjson.ParseBytes(fact.Value).Array() {
				texts = append(texts, text.String())
			}
		}
	}
	return texts
}

// unit is how the value of a fact is to be read.
type unit uint8

// The units.
const (
	unitNone unit = iota
	unitMilliseconds
	unitSeconds
	unitOmission     // an [api.Omission]: why a text of the service is left out
	unitUndocumented // a number whose meaning is not documented
)

// factKind says how to show the facts of a name.
type factKind struct {
	label string // if empty, the name with blanks for underscores
	unit  unit
	// differs is set for what differs between any two checks: times, and what belongs to a person.
	differs bool
}

// factKinds has the facts that are more than a text with their own name as label.
var factKinds = map[string]factKind{
	"resolve_ms":          {label: "resolve", unit: unitMilliseconds, differs: true},
	"connect_ms":          {label: "connect", unit: unitMilliseconds, differs: true},
	"tls_ms":              {label: "TLS handshake", unit: unitMilliseconds, differs: true},
	"first_byte_ms":       {label: "first byte", unit: unitMilliseconds, differs: true},
	"retry_after_seconds": {label: "retry after", unit: unitSeconds, differs: true},
	"life_seconds":        {label: "life", unit: unitSeconds, differs: true},
	FactClockSkew:         {label: "clock skew", unit: unitSeconds, differs: true},
	"tls":                 {label: "TLS version"},
	"authority_url":       {label: "authority URL"},
	"base_url":            {label: "base URL"},
	"global_url":          {label: "global URL"},
	"ca_file":             {label: "CA file"},
	"expires_at":          {differs: true},
	"address":             {differs: true},
	"asked_for":           {differs: true},
	"request":             {differs: true},
	"client_id":           {differs: true},
	"device_name":         {differs: true},
	"device_id":           {differs: true},
	"device_id_sent":      {differs: true},
	"domain_id":           {differs: true},
	"domain_id_sent":      {differs: true},
	"left_out":            {unit: unitOmission},
	"validated":           {unit: unitUndocumented},
}

// FactDiffers reports whether the fact with a name differs between any two checks, so that it says
// nothing in a comparison of reports.
func FactDiffers(name string) bool { return factKinds[name].differs }

// The facts of the control that decide what [Report.Reach] says.
const (
	factUser     = "signed_in_as"
	factDiffers  = "differs_at" // the id of the first step at which the user and the person differ
	factFailsToo = "fails_too"  // the ids of steps that fail for both
)

// factResponseCode is the response code of the service in the answer of a gateway.
const factResponseCode = "response_code"
