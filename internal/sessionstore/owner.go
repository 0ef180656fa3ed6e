package sessionstore

// Owner is whom a row belongs to: who holds a key, or whom an authority certifies under a
// key id.
type Owner struct {
	Fingerprint string // of the public key, SHA256:...
	// KeyID and Authority, the fingerprint of the authority's key, are those of a
	// certificate: then the row is bound to these, as the key changes with each certificate.
	KeyID, Authority string
}
