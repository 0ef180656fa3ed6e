package hostile

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestASecretIsFoundOnAScreen(t *testing.T) {
	Run(t, func(t *testing.T, w *World) {
		for name, text := range map[string]string{
			"as it is":                "said " + Password + ".",
			"in Base64":               base64.StdEncoding.EncodeToString([]byte(Password)),
			"over two lines of a box": "│ " + Password[:9] + " │\n│ " + Password[9:] + " │",
			"one of the demo's own":   "the key demo-reseller-key",
		} {
			if w.Leaked(text) == "" {
				t.Errorf("%s, it is not found in %q", name, text)
			}
		}
		if secret := w.Leaked(strings.Repeat("k4narie word, a secret of another ", 10)); secret != "" {
			t.Errorf("%q is found where it is not", secret)
		}
	})
}
