package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// Detail is what a check found, in the order in which people read it. In JSON it is an object.
type Detail []Fact

// Fact is one value of a [Detail]. Its name is that of JSON, such as "certificate_ends"; its
// value is JSON, so that a report that was read is written again as it was.
type Fact struct {
	Name  string
	Value json.RawMessage
}

// NewFact makes a fact of a value that JSON can hold.
func NewFact(name string, value any) Fact {
	text, err := json.Marshal(value)
	if err != nil { // a time after the year 9999, of a certificate
		text, _ = json.Marshal(err.Error())
	}
	return Fact{name, text}
}

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
		text = append(append(append(text, name...), ':'), fact.Value...)
	}
	return append(text, '}'), nil
}

var errNoDetail = errors.New("a detail is not an object")

// UnmarshalJSON implements [json.Unmarshaler]. It keeps the order.
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
		fact := Fact{Name: name.(string)}
		if err := decoder.Decode(&fact.Value); err != nil {
			return err
		}
		facts = append(facts, fact)
	}
	*d = facts
	return nil
}

// Text is the fact of a name as people read it, "" if there is none.
func (d Detail) Text(name string) string {
	for _, fact := range d {
		if fact.Name == name {
			return fact.Text()
		}
	}
	return ""
}

// Label is the name of a fact as people read it: "certificate ends". The unit is in the text.
func (f Fact) Label() string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(f.Name, "_ms"), "_seconds"), "_", " ")
}

// Text is the value of a fact as people read it: times in UTC, durations with their unit, truth
// as yes or no.
func (f Fact) Text() string {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(f.Value))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return string(f.Value)
	}
	switch value := value.(type) {
	case string:
		if at, ok := f.Time(); ok {
			return human.Moment(at.UTC())
		}
		return value
	case bool:
		if value {
			return "yes"
		}
		return "no"
	case json.Number:
		if ms, err := value.Int64(); err == nil && strings.HasSuffix(f.Name, "_ms") {
			if ms == 0 {
				return "<1 ms"
			}
			return human.Took(time.Duration(ms) * time.Millisecond)
		}
		if strings.HasSuffix(f.Name, "_seconds") {
			return value.String() + " s"
		}
	case []any:
		var words []string
		for _, word := range value {
			if text, ok := word.(string); ok {
				words = append(words, text)
			}
		}
		return strings.Join(words, ", ")
	}
	return string(f.Value)
}

// Time is the value of a fact that is a time; ok is false for another one.
func (f Fact) Time() (at time.Time, ok bool) {
	err := json.Unmarshal(f.Value, &at)
	return at, err == nil && len(f.Value) > len("null")
}

// IsNumber reports whether the value of a fact is a number.
func (f Fact) IsNumber() bool {
	return len(f.Value) > 0 && strings.IndexByte("-0123456789", f.Value[0]) >= 0
}

// Names of facts that are read outside this package.
const (
	FactPrimaryDomain = "primary_domain" // of look-up, claims or device login: a host name
	FactErrorCode     = "error_code"     // of a device login, or the error of the token endpoint
	FactRetryAfter    = "retry_after_seconds"
	FactClockSkew     = "clock_skew_seconds" // by how much the host's clock is ahead of this one
)
