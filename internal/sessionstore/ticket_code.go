package sessionstore

import (
	"crypto/rand"
	"strings"
)

// codeSigns are Crockford's 32 digits: no I, L, O and U, which are taken for others when a
// code is read aloud or typed from paper.
const codeSigns = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const (
	codeLength = 12 // signs of five bits: 60, which nobody guesses
	codeGroup  = 4
	// maxCodeText is how much of what somebody types is looked at.
	maxCodeText = 64
)

// meantSigns are signs that people write for others.
var meantSigns = strings.NewReplacer("-", "", " ", "", "I", "1", "L", "1", "O", "0")

// newCode makes the code of a ticket: "K7QD-M2XA-9FHT".
func newCode() string {
	var random [codeLength]byte
	_, _ = rand.Read(random[:]) // never fails
	for i, b := range random {
		random[i] = codeSigns[b%byte(len(codeSigns))] // 32 divides 256: all are as likely
	}
	return grouped(string(random[:]))
}

func grouped(signs string) string {
	var groups []string
	for at := 0; at < len(signs); at += codeGroup {
		groups = append(groups, signs[at:at+codeGroup])
	}
	return strings.Join(groups, "-")
}

// ParseCode is the code that somebody means who types it in small letters, with or without
// hyphens and blanks, or with an O for a 0; ok is false for what is none.
func ParseCode(typed string) (code string, ok bool) {
	if len(typed) > maxCodeText {
		return "", false
	}
	signs := meantSigns.Replace(strings.ToUpper(typed))
	if len(signs) != codeLength || strings.Trim(signs, codeSigns) != "" {
		return "", false
	}
	return grouped(signs), true
}
