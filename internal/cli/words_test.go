package cli

import (
	"testing"

	"gatehouse/api"
	"gatehouse/internal/text/problem"
	"gatehouse/ui"
)

func TestEveryFaceHasWordsForWhatHelps(t *testing.T) {
	for name, face := range map[string]problem.Face{"command line": commandLine, "screen": ui.Face, "visitors": visitors} {
		for _, help := range problem.Helps() {
			if words := face.Words[help]; words == "" || problem.Sentence(words) != words {
				t.Errorf("%s: of help %d it says %q", name, help, words)
			}
		}
	}
}

func TestALookupHasWordsForEachCause(t *testing.T) {
	for _, cause := range api.Causes() {
		if lookupFailures[failureOf(cause)] == "" {
			t.Errorf("lookupFailures has no words for the cause %q", cause)
		}
	}
}
