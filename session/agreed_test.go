package session

import (
	"testing"
	"time"
)

// The other tests take these values as they are. Each is relied on from outside, or follows from
// what another program does, so a new one is a decision.
func TestTheLimitsAreTheAgreedOnes(t *testing.T) {
	for name, tt := range map[string]struct{ got, want time.Duration }{
		"to read the vault":               {vaultTimeout, 30 * time.Second},
		"for a request":                   {requestTimeout, 30 * time.Second},
		"to write tokens":                 {commitTimeout, 15 * time.Second},
		"for a lock":                      {lockTimeout, 45 * time.Second},
		"to erase":                        {eraseTimeout, 60 * time.Second},
		"to send a token with a lease":    {SendWithin, 75 * time.Second},
		"to end":                          {closeTimeout, 210 * time.Second},
		"to end a session in memory":      {closeTimeoutMemory, 5 * time.Second},
		"before it is saved again":        {savePause, 250 * time.Millisecond},
		"before a token is sent again":    {refusalPause, time.Second},
		"for the keyring":                 {keyringLimit, 3 * time.Second},
		"for a prompt":                    {promptLimit, time.Minute},
		"until the keyring is spoken of":  {waitingAfter, 2 * time.Second},
		"until a claim is spoken of":      {waitingNotice, 2 * time.Second},
		"that a token is new":             {newToken, 5 * time.Minute},
		"between two looks, at most":      {maxSleep, 30 * time.Second},
		"between two looks, at least":     {minSleep, time.Second},
		"of jitter":                       {maxJitter, time.Minute},
		"after the first failure":         {firstBackoff, 30 * time.Second},
		"after many failures":             {maxBackoff, 5 * time.Minute},
		"before a token expires":          {minMargin, 10 * time.Minute},
		"of a token that names no expiry": {assumedLife, 24 * time.Hour},
		"of any token":                    {maxLife, 87_600 * time.Hour},
		"of a refresh token":              {RefreshLife, 30 * 24 * time.Hour},
	} {
		if tt.got != tt.want {
			t.Errorf("the time %s is %v, agreed are %v", name, tt.got, tt.want)
		}
	}
	for name, tt := range map[string]struct{ got, want int }{
		"domains in a token":            {MaxDomains, 10_000},
		"events in a history":           {maxHistory, 50},
		"readings of a changed vault":   {outdatedTries, 3},
		"attempts to save":              {saveTries, 12},
		"the tenth of a life":           {marginPart, 10},
		"bytes of a vault file":         {maxRecord, 1_048_576},
		"bytes that sealing may add":    {sealRoom, 8192},
		"bytes for a mark":              {markRoom, 1024},
		"bytes of room for a successor": {minRoom, 16_384},
		"the version of a record":       {recordVersion, 1},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %d, agreed are %d", name, tt.got, tt.want)
		}
	}
}

// What one step waits for has to outlast what another one may take.
func TestTheLimitsFitEachOther(t *testing.T) {
	if lockTimeout <= requestTimeout {
		t.Error("who waits for a lock gives up before the request of its owner ends")
	}
	renewal := vaultTimeout + lockTimeout + vaultTimeout + requestTimeout + commitTimeout
	if closeTimeout < renewal {
		t.Error("quitting does not wait for a renewal")
	}
	if outlast := time.Duration(saveTries) * savePause; outlast > commitTimeout {
		t.Error("saving is not tried as often as it may be")
	}
}
