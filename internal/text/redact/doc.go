// Package redact decides what is shown of the traffic with the service. In requests, headers
// and answers it shows only values with listed names, and hides even these if they repeat a
// secret: one that was sent, or a value with a secret name in the answer.
//
// In a device login's result it shows everything except values with secret names and values
// that repeat them. Records that a person asked for never pass through here: they are the
// person's own. Hidden values are replaced by [secret.Mask].
//
// exchange.go has the requests and answers, and json.go the bodies of JSON. Both hide what
// names.go says by its name or its shape, and what secrets.go finds: there [Secrets] are added
// and looked for, by the letters of a text (letters.go, bases.go) once its escapes are undone
// (escapes.go) and what is encoded in it is decoded (encodings.go).
package redact

import "gatehouse/internal/text/secret"

// mask replaces a secret.
const mask = secret.Mask
