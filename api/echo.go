package api

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

const (
	// leastEchoed is how many bytes of a credential are looked for: a record may have
	// a shorter one by chance, and is kept as it came.
	leastEchoed = 16
	// echoBuffer is how much of a list is looked at in one go.
	echoBuffer = 64 << 10
	// rareInJSON are characters of credentials that few records have, so that they
	// are quick to look for.
	rareInJSON = "QZXJ_~KWY"
)

// echoReader puts asterisks in the place of a credential that a careless service
// repeats in a list, for a list is shown, copied and exported. It is the only change
// that is made to records, and leaves the length. What the service spells in
// another way is not found: each would have to be looked for in all of the list.
type echoReader struct {
	source io.Reader
	secret []byte
	rare   int // place in the secret of what is looked for

	buf []byte
	// given and ready bound what was looked at and is still to be read; the rest of
	// the buffer may be the beginning of the secret.
	given, ready int
	err          error
}

// withoutEcho reads a list that came for a request, without its credential.
func withoutEcho(source io.Reader, r *http.Request) io.Reader {
	if r == nil {
		return source
	}
	_, credential, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if len(credential) < leastEchoed {
		return source
	}
	return &echoReader{
		source: source, secret: []byte(credential), rare: max(0, strings.IndexAny(credential, rareInJSON)),
		buf: make([]byte, 0, max(echoBuffer, 2*len(credential))),
	}
}

// Read implements [io.Reader].
func (r *echoReader) Read(p []byte) (int, error) {
	for r.given == r.ready {
		if r.err != nil {
			return 0, r.err
		}
		if n := r.fill(); n == 0 && r.err == nil {
			return 0, nil
		}
	}
	n := copy(p, r.buf[r.given:r.ready])
	r.given += n
	return n, nil
}

// fill reads on, when all that was ready has been given.
func (r *echoReader) fill() int {
	kept := copy(r.buf[:cap(r.buf)], r.buf[r.ready:])
	n, err := r.source.Read(r.buf[kept:cap(r.buf)])
	r.buf, r.err = r.buf[:kept+n], err
	r.hide()
	r.given, r.ready = 0, len(r.buf)
	if err == nil {
		r.ready -= r.begun()
	}
	return n
}

// hide overwrites the secret wherever all of it stands.
func (r *echoReader) hide() {
	for at := r.rare; at < len(r.buf); at++ {
		next := bytes.IndexByte(r.buf[at:], r.secret[r.rare])
		if next < 0 {
			return
		}
		at += next
		if here := r.buf[at-r.rare:]; bytes.HasPrefix(here, r.secret) {
			copy(here, bytes.Repeat([]byte("*"), len(r.secret)))
		}
	}
}

// begun is how many bytes at the end of the buffer may be the beginning of the
// secret.
func (r *echoReader) begun() int {
	for n := min(len(r.secret)-1, len(r.buf)); n > 0; n-- {
		if bytes.HasPrefix(r.secret, r.buf[len(r.buf)-n:]) {
			return n
		}
	}
	return 0
}
