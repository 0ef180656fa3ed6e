package config

import (
	"strings"
	"testing"
)

func TestANameOfAProfileIsAFileNameEverywhere(t *testing.T) {
	for name, fits := range map[string]bool{
		"main": true, "a.b": true, "-x": true, "console": true, "com": true, "com10": true, "x.con": true,
		"CON": false, "con.x": false, "Nul": false, "LPT1": false, "com9.test": false,
		"": false, ".": false, "..": false, ".x": false, "a..b": false, "a/b": false, `a\b`: false, "C:x": false, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "a\x00": false, "a ": false, "a／b": false,
	} {
		if _, err := CheckProfileName(name); (err == nil) != fits {
			t.Errorf("%q: %v", name, err)
		}
	}
}
