package config

import (
	"strings"
	"testing"
)

func TestSecretsWithWhatNobodySeesAreRefusedByName(t *testing.T) {
	for value, want := range map[string]string{
		"\ufeffcanary":  "byte-order mark",
		"can\u200bary":  "zero-width space",
		"canary\u00a0":  "no-break space",
		"canary\n":      "line end",
		"canary\r":      "carriage return",
		"can\u2060ary":  "U+2060",
		" canary":       "blank",
		`"canary"`:      "quotation marks",
		"'canary'":      "quotation marks",
		"can ary+/%=\"": "",
		"カナリア":          "",
	} {
		_, err := checkIssuedSecret(value)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", value, err, want)
		}
	}
	if _, err := checkSecret(`"a phrase"`); err != nil {
		t.Errorf("a passphrase in quotation marks: %v", err)
	}
}
