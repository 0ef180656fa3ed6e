package ui

import "testing"

func TestEachMessageHasAnEffectInEachPhase(t *testing.T) {
	for p := range phases {
		for k := range kinds {
			if effects[p][k] == unset {
				t.Errorf("the table lacks what a message of kind %d does in phase %d", k, p)
			}
		}
	}
}
