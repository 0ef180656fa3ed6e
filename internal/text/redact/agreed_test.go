package redact

import "testing"

// The other tests take these values as they are. A larger one lets more through, or costs more time
// than a service may take of this program.
func TestTheLimitsAreTheAgreedOnes(t *testing.T) {
	for name, tt := range map[string]struct{ got, want int }{
		"bytes of a body":               {MaxHead, 16_384},
		"bytes of a form":               {maxForm, 65_536},
		"pairs":                         {maxPairs, 64},
		"characters of a name":          {maxHeaderName, 100},
		"characters of a text":          {maxText, 300},
		"characters of a path":          {maxPath, 1000},
		"bytes of an excerpt":           {maxExcerpt, 4096},
		"names in JSON":                 {maxKnownNames, 1000},
		"bytes of a name in JSON":       {maxNameBytes, 1000},
		"characters of an address":      {maxAddress, 500},
		"rounds of unescaping":          {maxRounds, 5},
		"characters that are encoded":   {minEncoded, 3},
		"bytes found inside a word":     {minLong, 8},
		"bytes of an end of a secret":   {pieceLength, 16},
		"bytes that are compared":       {maxPiece, 64},
		"pieces that begin alike":       {maxAlike, 8},
		"bytes of a named secret":       {minNamed, 4},
		"bytes of a cut secret":         {minCut, 4},
		"cuts":                          {maxCuts, 16},
		"secrets without letters":       {maxSigns, 100},
		"layers of encodings":           {maxLayers, 2},
		"bytes of the ends of a secret": {maxSentEnd, 16_384},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %d, agreed are %d", name, tt.got, tt.want)
		}
	}
}
