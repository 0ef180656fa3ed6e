package domains

import (
	"bytes"
	"encoding/json"
	"io"

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

// countRecords reads a body up to a limit and throws it away. What a deadline
// cuts off is a lower bound as well; the error is that of a body that is no list.
func countRecords(body io.Reader, limit int64) (count, error) {
	raw, err := io.ReadAll(io.LimitReader(body, limit+1))
	if err != nil || int64(len(raw)) > limit {
		return count{begun(raw), true}, nil
	}
	table, err := records.Parse(raw)
	if err != nil {
		return count{}, err
	}
	return count{records: table.Len()}, nil
}

// begun counts the whole records at the beginning of a body that was cut off:
// those of an array, or of the first array in an object.
func begun(raw []byte) int {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if !enterArray(decoder) {
		return 0
	}
	records := 0
	for decoder.More() {
		var record json.RawMessage
		if decoder.Decode(&record) != nil {
			break
		}
		records++
	}
	return records
}

// enterArray reads up to the first element of the array that has the records.
func enterArray(decoder *json.Decoder) bool {
	for depth := 0; ; {
		token, err := decoder.Token()
		switch {
		case err != nil:
			return false
		case token == json.Delim('[') && depth <= 1:
			return true
		case token == json.Delim('{'), token == json.Delim('['):
			depth++
		case token == json.Delim('}'), token == json.Delim(']'):
			depth--
		}
	}
}
