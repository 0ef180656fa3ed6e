package files

import (
	"fmt"
	"testing"
)

func TestWhatIsNewerIsNamedWithWhatIsRead(t *testing.T) {
	for _, test := range []struct {
		version, newest int
		want            string
	}{
		{0, 1, ""}, // says none
		{1, 1, ""},
		{1, 2, ""},
		{2, 1, "a newer gatehouse wrote it: it has version 2 of its format, and this one reads version 1"},
	} {
		err := CheckVersion(test.version, test.newest)
		if got := fmt.Sprint(err); err == nil && test.want != "" || err != nil && got != test.want {
			t.Errorf("version %d, while %d is the newest: %v, want %q", test.version, test.newest, err, test.want)
		}
		if IsNewer(fmt.Errorf("read it: %w", err)) != (test.want != "") {
			t.Errorf("version %d: it is not told from other errors", test.version)
		}
	}
}
