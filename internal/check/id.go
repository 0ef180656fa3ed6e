package check

import "crypto/rand"

// crockford are the 32 signs of Crockford's base32: no I, L, O and U, which are taken for
// others when an id is read aloud.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// newID makes an id that both sides can quote: "K7QD-M2XA".
func newID() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // cannot fail
	id := make([]byte, 0, len(random)+1)
	for i, b := range random {
		if i == len(random)/2 {
			id = append(id, '-')
		}
		id = append(id, crockford[b%32])
	}
	return string(id)
}
