package signin

import (
	"strings"

	"gatehouse/internal/safetext"
	"gatehouse/ui/form"
)

// Key is what a kept session is bound to: the key that the connection was opened with, or
// the certificate.
type Key struct {
	Fingerprint string // SHA256:...
	// KeyID and Authority, the fingerprint of the authority's key, are those of a
	// certificate. They come from outside.
	KeyID, Authority string
}

// maxKeyID is how many cells of a certificate's key id people see.
const maxKeyID = 60

// Kind is "key" or "certificate".
func (k Key) Kind() string {
	if k.KeyID != "" {
		return "certificate"
	}
	return "key"
}

// Names are the key as people know it, the longest text first: whole, and shortened until
// it fits anywhere. They are safe for a terminal.
func (k Key) Names() []string {
	fingerprint := safetext.Clip(k.Fingerprint, maxKeyID)
	if k.KeyID == "" {
		return []string{fingerprint, shortened(fingerprint)}
	}
	id, authority := safetext.Clip(k.KeyID, maxKeyID), safetext.Clip(k.Authority, maxKeyID)
	return []string{id + ", certified by " + authority, id + ", certified by " + shortened(authority), id + " by " + shortened(authority), id}
}

// Name is the longest of the names that fits into so many cells, else the shortest.
func (k Key) Name(width int) string {
	names := k.Names()
	for _, name := range names {
		if safetext.Width(name) <= width {
			return name
		}
	}
	return names[len(names)-1]
}

// shortFingerprint is how many characters of a fingerprint tell it apart from the others
// that a person has.
const shortFingerprint = len("SHA256:") + 12

// shortened is the beginning of a fingerprint.
func shortened(fingerprint string) string {
	return safetext.Truncate(fingerprint, shortFingerprint+1)
}

// StoreTitle is where a session is kept, in words.
func StoreTitle(store string) string {
	switch store {
	case "directory":
		return "a directory of this server"
	case "postgres":
		return "the database of this server"
	}
	return store
}

// keepField is the choice to have the session kept.
func keepField(kept bool) form.Field {
	field := form.Field{Key: "keep", Label: "Keep me signed in", Toggle: true}
	if kept {
		field.Value = form.On
	}
	return field
}

// layOutChoice says for which key the session can be kept, as far as there is room.
func (m *Model) layOutChoice(width int) {
	key := m.options.Key
	if key == nil {
		return
	}
	const box = len("[ ] ")
	room := width - box
	if width >= minWidth {
		room = min(width, cardWidth) - 2 - 2*cardPadding - box
	}
	label, name := "Keep me signed in with this "+key.Kind(), key.Name(room)
	if safetext.Width(label) > room {
		label = "Keep me signed in"
	}
	m.form.SetLabel("keep", label, strings.TrimSpace(name))
}

// keeps reports whether the session is to be kept.
func (m *Model) keeps() bool { return m.options.Key != nil && m.form.Value("keep") == form.On }
