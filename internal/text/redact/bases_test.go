package redact

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"gatehouse/internal/testkit"
)

// A text may spell the letters of a secret in one of several ways, and all have its base letters.
func TestEveryRuneHasTheBaseLettersOfItsLetters(t *testing.T) {
	const last = 0x2ffff // beyond it, each character is spelled in one way
	for c := range testkit.Runes(t, 0, last) {
		if !utf8.ValidRune(c) {
			continue
		}
		text := string(c)
		want := basesOf(lettersOf(text).text)
		for _, spelled := range []string{
			text, norm.NFC.String(text), norm.NFD.String(text), string(unicode.ToUpper(c)),
			string(unicode.ToTitle(c)),
		} {
			if got := basesOf(spelled); lettersOf(spelled).text == lettersOf(text).text && got != want {
				t.Errorf("%q (%U), spelled %q: %q, want %q", text, c, spelled, got, want)
			}
		}
	}
}

// Also where it is encoded twice over, each way of spelling a secret beyond ASCII is found.
func TestASecretBeyondASCIIIsFoundInUTF16HoweverItIsSpelled(t *testing.T) {
	for _, secret := range []string{
		"Grün-Bücher-77", "käse", "Straße 9 b", "Straß", "tür“9”", "ключ-от-дома", "κλειδί ΜΟΥ",
		"비밀번호 7", "パスワード", "密码", "pa😀ss", "Ångström K", "ſecret-ßß",
	} {
		var s Secrets
		s.Add(secret)
		for _, spelled := range []string{
			secret, norm.NFD.String(secret), strings.ToUpper(secret),
			norm.NFD.String(strings.ToUpper(secret)),
		} {
			for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
				var sent []byte
				for _, unit := range utf16.Encode([]rune("x" + spelled + "x")) {
					sent = order.AppendUint16(sent, unit)
				}
				for _, text := range []string{
					base64.StdEncoding.EncodeToString(sent), hex.EncodeToString(sent),
				} {
					if !s.In("trace " + text + ", try again") {
						t.Errorf("%q, spelled %q in UTF-16, %v: not found in %q", secret, spelled, order, text)
					}
				}
			}
		}
	}
}
