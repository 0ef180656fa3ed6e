package records

import (
	"context"
	"io"
	"iter"
	"slices"
)

// Outline is what is known of a body that is not held.
type Outline struct {
	// First is a table of the first records, as many as tell the kinds of columns. It has the
	// columns of all.
	First  *Table
	places []location // of all records
}

// ReadOutline reads a body of a given length in bytes (-1 if unknown) to its end, and holds
// but a part of it. The errors are those of [CopyLines].
func ReadOutline(body io.Reader, expected int64) (*Outline, error) {
	var places, sample []location
	var text []byte
	p := newPasser(body, expected)
	p.take = func(record []byte, at int64) error {
		places = append(places, newLocation(int(at), int(at)+len(record)))
		if len(sample) < sampleRows && int(at)-places[0].start() <= sampleBytes {
			sample = append(sample, newLocation(len(text), len(text)+len(record)))
			text = append(text, record...)
		}
		return nil
	}
	if err := p.scanAll(); err != nil {
		return nil, err
	}
	first := p.scan.table()
	first.body, first.records = text, sample
	return &Outline{first, places}, nil
}

// WriteJSON writes all records of the body, which is read again, as [Table.WriteJSON] does.
func (o *Outline) WriteJSON(ctx context.Context, w io.Writer, body io.ReaderAt) error {
	return jsonArray.write(ctx, w, o.recordsIn(body), nil)
}

// WriteCSV writes all records of the body, which is read again, as [Table.WriteCSV] does
// with the columns of the view.
func (o *Outline) WriteCSV(ctx context.Context, w io.Writer, body io.ReaderAt, v View) error {
	return o.First.asCSV(v).write(ctx, w, o.recordsIn(body), nil)
}

// recordsIn yields all records in their order. Each is valid until the next.
func (o *Outline) recordsIn(body io.ReaderAt) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var text []byte
		for places := o.places; len(places) > 0; {
			start, n := places[0].start(), 1
			for n < len(places) && places[n].end()-start <= maxRead {
				n++
			}
			size := places[n-1].end() - start
			text = slices.Grow(text[:0], size)[:size]
			if read, err := body.ReadAt(text, int64(start)); read < size {
				yield(nil, err)
				return
			}
			for _, place := range places[:n] {
				if !yield(text[place.start()-start:place.end()-start], nil) {
					return
				}
			}
			places = places[n:]
		}
	}
}
