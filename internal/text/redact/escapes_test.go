package redact

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf16"
)

// Each escape and encoding is undone by itself, in a text that nothing else gives away.
func TestEachEscapeAndEncodingIsUndone(t *testing.T) {
	const signs = "sub>>>ject???end"
	inBase64 := base64.StdEncoding.EncodeToString([]byte("ada:" + signs))
	if !strings.Contains(inBase64, "+") || !strings.Contains(inBase64, "/") {
		t.Fatalf("%s has not all digits", inBase64)
	}
	for _, tt := range []struct{ secret, text string }{
		{"päss", "p=C3=\n=A4ss"},
		{"päss", "p=C3=\r\n=A4ss"},
		{"päss", `p\xc3\xa4ss`},
		{"päss", `p\xe4ss`},
		{"päss", `p\303\244ss`},
		{"päss", `p\c3\a4ss`},
		{"päss", `p%u00E4ss`},
		{"päss", `p\u{e4}ss`},
		{"päss", `p\x{000e4}ss`},
		{"päss", "p\u00c3\u00a4ss"},
		{"käse7", `k\U000000e4se7`},
		{"Šano", "%8Aano"},
		{"Šano", "\u00c5\u00a0ano"},
		{"日本", "æ—¥æœ¬"}, // of Windows 1252, with signs that Latin 1 does not have
		{"🔑", `\ud83d\udd11`},
		{"🔑", `\\ud83d\\udd11`},
		{"🔑", "PdgR3Q=="}, // UTF-16 of the smaller byte first
		{"🔑", "2D3dEQ=="},
		{"🔑", "ADzYPd0R"},
		{"demo", `line\ndemo`},
		{"demo", `line\rdemo`},
		{"demo", `line\tdemo`},
		{"demo", `line\vdemo`},
		{"demo", "d%2525252565mo"},
		{"demo7", "64:65:6d:6f:37"},
		{"demo7", "64 65 6D 6F 37"},
		{"demo7", "0x64, 0x65, 0x6d, 0x6f, 0x37"},
		{"demo7", "f64656d6f37"},
		{"demo7", "[100, 101, 109, 111, 55]"},
		{"pässe", "[112, -61, -92, 115, 115, 101]"},
		{"demo", "[100 101 109 111] is not known"},
		{"demo", "after 1 2 3 tries [100 101 109 111]"},
		{"demo", "0100 0101 0109 0111"},
		{"made", "[109 97 100 101]"},
		{"😀", "[-16, -97, -104, -128]"},
		{"ÿxy", "[255 120 121]"},
		{"ÿxy", `\377xy`},
		{"11emo7", `\311emo7`}, // of LDAP; in C it is É
		{"demo7", `x\n\144emo7`},
		{"demo7", `x\n\64emo7`},
		{"demo7", `demo7 \U12`},
		{"demo7", `de\u{9}mo7`},
		{"!?!?", `\!\?\!\?`},
		{"!?!?", `\x{21}?!?`},
		{"€€", "%80%80"},
		{"日ü9", "日%FC9"},
		{"가", "\u00ea\u00b0\u0080"}, // of Latin 1
		{"가", "ê°€"},                // of Windows 1252
		{"🔑", "ðŸ”‘"},
		{"STRAẞE", utf16Hex("xSTRAẞEx")},
		{"az09AZ", hex.EncodeToString([]byte("xa{z`/0:9@A[Zx"))},
		{signs, inBase64},
		{signs, inBase64[:9] + "\r\n" + inBase64[9:]},
		{signs, strings.ReplaceAll(inBase64, "+", " ")},
		{signs, strings.NewReplacer("+", "-", "/", "_").Replace(inBase64)},
		{signs, "/x" + inBase64},
		{signs, "/xy" + inBase64},
		{signs, "/xyz" + inBase64},
		{signs, base64.StdEncoding.EncodeToString([]byte(inBase64))},
		{signs, strings.ReplaceAll(inBase64, "/", "%2F")},
	} {
		var s Secrets
		s.Add(tt.secret)
		if !s.In(tt.text) {
			t.Errorf("%s is not found in %s", tt.secret, tt.text)
		}
	}
	for _, tt := range []struct{ secret, text string }{
		{"ÿxy", `\777xy`}, {"demo", `QUAY\ademo`}, {"demo", "d%6mo"}, {"demo", `d\u{}emo`},
		{"demo", "[356, 101, 109, 111]"}, {"demo", "[100 101 x 109 111]"},
		{"demo", "=="}, {"demo", `\`}, {"demo", `d\`},
		{"demo", "[100 101 1x 109 111]"},
		{"demo", "[-156 -155 -147 -145]"},
		{"demo", "[100 101 -129 109 111]"},
		{"demo", "[100 101 256 109 111]"},
		{"demo", "00100 00101 00109 00111"},
		{"demo7", "6465.6d6f37"},
		{"femo7", "6656d6f37"},  // its first digits are an f, those from the second on are emo7
		{"vemo7", "6656d6f37"},  // its first digits are fV
		{"demo7", "x64=65mo7"},  // no equals sign, no digits
		{"demo7", `\n{64}emo7`}, // a line break is no character in braces
		{"demo7", `\(x64}emo7`},
		{"demo7", `de\400mo7`},
		{"hemo7", `\148emo7`},
		{"demo7", `\u0064xx0065mo7`},
		{"aïb9", "a\uFFFDb9 %FC"},
		{"demo7", "deĀmo7"},
		{"käse", base64.StdEncoding.EncodeToString([]byte("xkasex"))},
	} {
		var s Secrets
		s.Add(tt.secret)
		if s.In(tt.text) {
			t.Errorf("%s is found in %s", tt.secret, tt.text)
		}
	}
}

// utf16Hex is a text in UTF-16, in hexadecimal.
func utf16Hex(text string) string {
	var units []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		units = binary.LittleEndian.AppendUint16(units, unit)
	}
	return hex.EncodeToString(units)
}
