package safetext

import "testing"

// The other tests take these values as they are.
func TestTheLimitsAreTheAgreedOnes(t *testing.T) {
	if maxClusterRunes != 12 || maxCellBytes != 52 || maxBasic != 0xffff {
		t.Errorf("a cluster has %d runes in %d bytes, the basic plane ends at %#x",
			maxClusterRunes, maxCellBytes, maxBasic)
	}
}
