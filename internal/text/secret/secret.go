// Package secret holds values that must never be printed by accident: passwords, tokens, client
// secrets and API keys.
package secret

import (
	"fmt"
	"io"
	"log/slog"
	"unique"
)

// Mask is printed instead of the value of a [Text].
const Mask = "•••"

// QuotedMask is [Mask] as a JSON string.
const QuotedMask = `"` + Mask + `"`

// Text is a secret string. Only [Text.Reveal] returns its value. All verbs of fmt, encoding/json,
// encoding/xml, text/template and log/slog print [Mask] instead, also inside a larger value, and
// encoding/gob refuses to encode it. The zero Text is the empty secret. Texts can be compared with
// ==, which takes the same time however much two secrets have in common.
//
// A Text protects against printing by accident. It does not protect against access to the memory of
// the program: a core dump contains the value.
type Text struct {
	// A handle, as fmt prints unexported fields of other structs without calling their methods. Of
	// a handle it prints an address.
	value unique.Handle[string]
}

// New wraps a secret value.
func New(value string) Text {
	if value == "" {
		return Text{}
	}
	return Text{unique.Make(value)}
}

// Reveal returns the value, for the place that sends or stores it.
func (t Text) Reveal() string {
	if t.IsEmpty() {
		return ""
	}
	return t.value.Value()
}

// IsEmpty reports whether the secret is empty.
func (t Text) IsEmpty() bool { return t == Text{} }

// String implements [fmt.Stringer] with the mask; an empty secret prints as nothing.
func (t Text) String() string {
	if t.IsEmpty() {
		return ""
	}
	return Mask
}

// Format implements [fmt.Formatter], so that no verb reaches the value.
func (t Text) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, t.String()) }

// MarshalText implements [encoding.TextMarshaler] with the mask.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It takes the value, not the mask.
func (t *Text) UnmarshalText(value []byte) error {
	*t = New(string(value))
	return nil
}

// LogValue implements [slog.LogValuer] with the mask.
func (t Text) LogValue() slog.Value { return slog.StringValue(t.String()) }
