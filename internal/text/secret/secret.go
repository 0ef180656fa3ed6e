// Package secret holds values that must never be printed by accident:
// passwords, tokens, client secrets and API keys.
package secret

import (
	"fmt"
	"io"
	"log/slog"
	"unique"
)

// Mask is what every way of printing a [Text] shows instead of its value.
const Mask = "•••"

// QuotedMask is [Mask] as a JSON string.
const QuotedMask = `"` + Mask + `"`

// Text is a secret string. All verbs of fmt, encoding/json, encoding/xml, text/template
// and log/slog print [Mask], also inside a larger value; encoding/gob refuses it; only
// [Text.Reveal] returns the value. The zero value is the empty secret. Values can be
// compared with ==, which compares handles, so its time does not depend on how much two
// secrets have in common.
//
// It protects against accidental printing, not against access to the memory of the
// program: a core dump contains the value, and so does every string that [Text.Reveal]
// returned.
type Text struct {
	// A handle, because fmt prints unexported fields of other structs without calling
	// their methods: it then prints an address instead of the value.
	value unique.Handle[string]
}

// New wraps a secret value.
func New(value string) Text {
	if value == "" {
		return Text{}
	}
	return Text{unique.Make(value)}
}

// Reveal returns the value itself, for the one place that sends or stores it.
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

// UnmarshalText implements [encoding.TextUnmarshaler]: it takes the value itself, not a mask.
func (t *Text) UnmarshalText(value []byte) error {
	*t = New(string(value))
	return nil
}

// LogValue implements [slog.LogValuer] with the mask.
func (t Text) LogValue() slog.Value { return slog.StringValue(t.String()) }
