package records

import (
	"cmp"
	"runtime"
	"slices"
	"sync/atomic"
)

// usualPiece is how much of the body one goroutine scans at a time.
const usualPiece = 2 << 20

// ahead scans the body in pieces, on all processors, before it is known what
// stands there. Each piece begins at a guess: a brace behind a brace and a comma
// begins a record. From such a place to the next comma between two elements, a
// scan finds the same as one that comes from the start of the body, provided that
// this one arrives there at the beginning of an element. So [ahead.from] gives
// away only what begins exactly there, and a wrong guess costs time alone.
type ahead struct {
	body    []byte
	size    int // of a piece
	pieces  []piece
	next    int          // the first piece that may still be of use
	found   atomic.Int64 // records in all pieces
	most    int          // of them
	stopped atomic.Bool
	workers crew
}

type piece struct {
	start, end int           // of the guesses
	done       chan struct{} // closed when found is there
	found      stretch
}

// stretch is some elements of an array, from the start of one to the start of another.
type stretch struct {
	batch
	start, end int
}

// scanAhead starts to scan. The caller stops it.
func scanAhead(body []byte, size, most int) *ahead {
	a := &ahead{body: body, size: size, most: most}
	for start := size; start < len(body); start += size {
		end := min(start+size, len(body))
		a.pieces = append(a.pieces, piece{start: start, end: end, done: make(chan struct{})})
	}
	var taken atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(a.pieces)) {
		a.workers.Go(func() {
			var memory []place
			for i := int(taken.Add(1)) - 1; i < len(a.pieces); i = int(taken.Add(1)) - 1 {
				memory = a.scan(&a.pieces[i], memory)
			}
		})
	}
	return a
}

// stop ends the scan and waits for its goroutines.
func (a *ahead) stop() {
	a.stopped.Store(true)
	a.workers.Wait()
}

// from returns the elements that were found from this place on, nil if there are
// none. It has to be asked for rising places.
func (a *ahead) from(at int) *stretch {
	for ; a.next < len(a.pieces) && a.pieces[a.next].start <= at; a.next++ {
		p := &a.pieces[a.next]
		if at >= p.end {
			continue
		}
		<-p.done
		switch cmp.Compare(p.found.start, at) {
		case 0:
			a.next++
			return &p.found
		case 1:
			return nil
		}
	}
	return nil
}

// scan keeps the longest stretch of the piece, as most wrong guesses soon end
// at a bracket that closes an inner array. It works in the given memory and
// returns it, grown, for the next piece.
func (a *ahead) scan(p *piece, memory []place) []place {
	defer close(p.done)
	for at := p.start; at < p.end && !a.stopped.Load(); {
		guess := guessElement(a.body[:p.end], at)
		if guess == p.end {
			break
		}
		found := stretch{start: guess, end: guess, batch: batch{places: memory[:0]}}
		at = a.follow(&found, p.end)
		memory = found.places
		if len(found.places) > len(p.found.places) {
			p.found = found
			p.found.places = slices.Clone(found.places)
		}
	}
	if a.found.Add(int64(len(p.found.places))) > int64(a.most) {
		a.stopped.Store(true) // too many already, as the scan from the start will find
	}
	return memory
}

// guessElement returns the next place from at on where an element may begin, or the end of text.
func guessElement(text []byte, at int) int {
	for ; at < len(text); at++ {
		if text[at] != '}' {
			continue
		}
		comma := skipSpace(text, at+1)
		if comma == len(text) || text[comma] != ',' {
			continue
		}
		if brace := skipSpace(text, comma+1); brace < len(text) && text[brace] == '{' {
			return brace
		}
	}
	return len(text)
}

// follow scans elements until one begins at the limit or beyond, or something
// else comes. It returns where the scan ended. What does not end within one piece
// from the limit is left to the scan from the start of the body.
func (a *ahead) follow(found *stretch, limit int) int {
	s := scanner{
		body: a.body[:min(limit+a.size, len(a.body))],
		at:   found.start,
		open: []byte("]]"), // as deep as an array of records can be
	}
	for s.at < limit {
		start := s.at
		news, err := s.record()
		if err != nil {
			break
		}
		end := s.at
		if more, err := s.leave(1); err != nil || !more {
			break
		}
		s.space()
		found.add(start, end, news)
		found.end = s.at
	}
	return s.at
}
