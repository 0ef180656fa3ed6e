package files

import (
	"testing"
	"time"
)

// The other tests take these values as they are.
func TestTheLimitsAreTheAgreedOnes(t *testing.T) {
	for name, tt := range map[string]struct{ got, want int }{
		"bytes of a value":             {maxStateValue, 65_536},
		"bytes of a state":             {maxStateFile, 1_048_576},
		"bytes of a newer state":       {maxNewerState, 16_777_216},
		"bytes of a spool in memory":   {spooledInMemory, 4_194_304},
		"bytes of a name":              {maxName, 100},
		"names of a folder":            {maxCompleted, 10_000},
		"the version of a state":       {stateVersion, 1},
		"the mode of a private file":   {int(private), 0o600},
		"the mode that takes no right": {int(asItIs), 0o777},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %d, agreed are %d", name, tt.got, tt.want)
		}
	}
	if stateLockTimeout != 5*time.Second || lockPoll != 50*time.Millisecond {
		t.Errorf("a lock is waited for for %v, and looked at after %v", stateLockTimeout, lockPoll)
	}
}
