package lists

import (
	"errors"
	"io"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/jsonscan"
)

// In its short form this test has documents that have nearly all of their records already.
func TestThereAreBoundsToWhatIsRemembered(t *testing.T) {
	room := 100
	if testkit.Long() {
		room = MaxRecords
	}
	const many = "more than 8,000,000 records"
	half := strings.Repeat("1,", room/2) + "1"
	for name, test := range map[string]struct {
		body string
		kept int
	}{
		"records": {"[" + strings.Repeat("1,", room) + "1]", room},
		"objects": {"[" + strings.Repeat("{},", room) + "{}]", room},
		"lines":   {strings.Repeat("1 ", room+1), room},
		"lists":   {`{"a":[` + half + `],"b":[` + half + `]}`, room/2 + 1},
	} {
		for way, in := range map[string]bodyReader{
			"as a whole": {body: []byte(test.body), expected: int64(len(test.body)), err: io.EOF},
			"in pieces":  {reader: strings.NewReader(test.body), expected: -1},
		} {
			d := newDocument(in)
			d.kept = MaxRecords - room
			err := d.scan()
			if wrong, ok := errors.AsType[*jsonscan.SyntaxError](err); !ok || wrong.Reason != many {
				t.Errorf("%s, %s: the error is %v", name, way, err)
			}
			if got := d.table().Len(); got != test.kept {
				t.Errorf("%s, %s: %d records are kept, want %d", name, way, got, test.kept)
			}
		}
	}
}
