package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNoShapeOfASecretIsSkipped compares with the patterns alone, on texts made of parts of
// them.
func TestNoShapeOfASecretIsSkipped(t *testing.T) {
	parts := []string{
		"a", "B", "ba", "Be", "ap", " ", "\t", "\f", ".", "..", "=", ":", "(", ")", "<", "/", "//", "@", "'", `"`, `\"`, "&", ";", "-",
		"eyJ", "eyA", "ewo", "ew0K", "hbGciOiJI", "bearer", "Basic", "ba\u017fic", "APIKEY", "api\u212aey", "abcdefgh01234567",
		"password", "Token", "session_id", "sig", "code", "sid", "key", "https://", "user:pw@host", "/(S(abcdef))/", "/(", "(S(", "))/",
	}
	found := 0
	for range 300_000 {
		var b strings.Builder
		for range 1 + rand.N(6) {
			b.WriteString(parts[rand.N(len(parts))])
		}
		text := b.String()
		if !secretShape.MatchString(text) {
			continue
		}
		found++
		if !looksSecret(text) {
			t.Fatalf("%q has the shape of a secret and is not hidden", text)
		}
	}
	if found < 1000 {
		t.Errorf("only %d texts had the shape of a secret", found)
	}
}

func BenchmarkLooksSecret(b *testing.B) {
	texts := []string{"2026-03-02T11:20:45.123Z", "Quarterly report of the harbour authority", "ada@harbor.example", "drydock.example", "0b8d2c61-5d4f-4a65-8f4e-aa4a3c0d35b1"}
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			if looksSecret(text) {
				b.Fatal(text)
			}
		}
	}
}

// TestJoinedNamesAreSecretAsThePatternHasIt holds the words against the pattern that is used
// on text.
func TestJoinedNamesAreSecretAsThePatternHasIt(t *testing.T) {
	for _, word := range joinedWords {
		if !secretWord.MatchString(word) {
			t.Errorf("%q is not in the pattern", word)
		}
		if !IsSecretName("X-" + word + "2") {
			t.Errorf("%q is not secret", word)
		}
	}
	if want := strings.Count(secretWords, "|") + 1; len(joinedWords) != want {
		t.Errorf("there are %d words, want %d", len(joinedWords), want)
	}
}
