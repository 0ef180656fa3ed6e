package config

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the known word that was probably meant, or "" if none is similar enough.
// Hyphens, underscores and case do not count.
func Nearest(word string, known []string) string {
	const (
		maxLength         = 64 // in bytes; comparing takes the square of the length
		lettersPerMistake = 3  // two letters that are swapped are two mistakes
	)
	if len(word) > maxLength {
		return ""
	}
	word = withoutJoints(word)
	maxDistance := max(1, len(word)/lettersPerMistake)
	nearest, minDistance := "", maxDistance+1
	for _, candidate := range known {
		distance := levenshtein.ComputeDistance(word, withoutJoints(candidate))
		if distance < minDistance {
			nearest, minDistance = candidate, distance
		}
	}
	return nearest
}

// withoutJoints returns a word in lower case without hyphens and underscores.
func withoutJoints(word string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(word))
}
