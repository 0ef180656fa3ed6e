package domains

import (
	"errors"
	"io"

	"gatehouse/internal/jsonscan"
	"gatehouse/internal/records"
)

// mostRead is how many bytes of the shares are read to count them: a list of
// domains must not load all that the account has.
const mostRead = 8 << 20

// count is how many records a body has. It is a lower bound where more is set.
type count struct {
	records int
	more    bool
}

// countRecords reads a body up to a limit and throws it away. What a limit or a
// deadline cuts off is a lower bound; the error is that of a body that is no list.
func countRecords(body io.Reader, limit int64) (count, error) {
	stream := records.NewStream(-1)
	_, err := stream.ReadFrom(io.LimitReader(body, limit))
	found := count{records: stream.Table().Len()}
	if cut, ok := errors.AsType[*records.CutError](err); ok && (cut.Bytes == limit || !endless(cut)) {
		return count{found.records, true}, nil
	}
	return found, err
}

// endless reports whether the body came to its end without the end of the JSON.
func endless(cut *records.CutError) bool {
	_, syntax := errors.AsType[*jsonscan.SyntaxError](cut)
	return syntax
}
