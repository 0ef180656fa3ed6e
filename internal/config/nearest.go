package config

import "strings"

// Nearest gives the known word that was probably meant, or "".
func Nearest(word string, known []string) string {
	if len(word) > 64 {
		return ""
	}
	word = strings.ReplaceAll(strings.ToLower(word), "-", "_")
	best, closest := "", 1+max(1, len(word)/4)
	for _, k := range known {
		if d := distance(word, k); d < closest {
			best, closest = k, d
		}
	}
	return best
}

// distance counts the letters to insert, delete or replace (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
