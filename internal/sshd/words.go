package sshd

import (
	"errors"
	"strings"
)

var errUnclosed = errors.New("a quotation is not closed")

// splitWords splits a command line into words as a POSIX shell does, without
// anything else that a shell does.
func splitWords(line string) ([]string, error) {
	var (
		words  []string
		word   strings.Builder
		inWord bool
		quote  byte
	)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == '\'' && c != '\'':
			word.WriteByte(c)
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && (quote == 0 || escapable(line, i+1)):
			if i++; i == len(line) {
				return nil, errUnclosed
			}
			inWord = true
			if line[i] != '\n' {
				word.WriteByte(line[i])
			}
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case strings.IndexByte(" \t\r\n", c) >= 0:
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errUnclosed
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// escapable reports whether a backslash before this byte means something between
// double quotes.
func escapable(line string, i int) bool {
	return i < len(line) && strings.IndexByte("\"\\$`\n", line[i]) >= 0
}
