package redact

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

func TestALongAnswerFullOfSecretsIsMaskedInLinearTime(t *testing.T) {
	size, limit := testkit.LongAnswer(t)
	list := func(item func(i int) string) string { return "[" + testkit.Items(size, item) + "]" }
	texts := map[string]string{
		"short secrets of two words": list(func(i int) string { return fmt.Sprintf(`{"pin":"a %x"}`, i%(1<<20)) }),
		"short secrets":              list(func(i int) string { return fmt.Sprintf(`{"pin":"a%x"}`, i) }),
		"short secrets beyond ASCII": list(func(i int) string { return fmt.Sprintf(`{"pin":"ä%x","a":"b %d"}`, i, i) }),
		"secrets that begin alike":   list(func(i int) string { return fmt.Sprintf(`{"pin":"abcdefgh%x"}`, i) }),
		"secrets that end alike":     list(func(i int) string { return fmt.Sprintf(`{"pin":"%08xabcdefgh"}`, i) }),
		"names":                      "{" + testkit.Items(size, func(i int) string { return fmt.Sprintf(`"k%d":1`, i) }) + "}",
		"a long name":                `{"` + testkit.Fill(size, "aB") + `":1}`,
		"a long secret":              `[{"pin":"` + testkit.Fill(size/2, "a") + `"},"` + testkit.Fill(size/2, "a") + `"]`,
		"one long text":              `["` + testkit.Fill(size, "x") + `"]`,
		"signs":                      `["` + testkit.Fill(size, `\\`) + `"]`,
		"escapes":                    `["` + testkit.Fill(size, "&amp;") + `"]`,
		"texts that hold JSON":       list(func(int) string { return `"[1]"` }),
		"deep lists":                 `{"pin":` + strings.Repeat("[", 9000) + testkit.Items(size, func(int) string { return `"abcdefgh"` }) + strings.Repeat("]", 9000) + "}",
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			testkit.RequireCPU(t, limit, "masking a result", func() {
				if Result([]byte(text)) == nil {
					t.Error("it is not JSON")
				}
			})
			sent := &Secrets{}
			sent.Add("hunter22x", "a b 9")
			testkit.RequireCPU(t, limit, "masking what was sent", func() { sent.Repeated([]byte(text)) })
			testkit.RequireCPU(t, limit, "looking for a secret", func() { sent.Hide(text) })
		})
	}
}

// Whatever a service sends, it is masked in a time that goes with its length: deep
// answers, those with as many secrets as they have room for, and those whose secrets
// all begin alike or are nearly repeated everywhere.
func TestALongAnswerOfAnyShapeIsMaskedInLinearTime(t *testing.T) {
	size, limit := testkit.LongAnswer(t)
	for name, text := range longAnswers(size) {
		testkit.RequireCPU(t, limit, name, func() {
			var sent Secrets
			sent.Add("canary-password", "demo", strings.Repeat("A", 1000)+"B")
			masked := Result(sent.Repeated([]byte(text)))
			if masked == nil || strings.Contains(string(masked), "canary") {
				t.Errorf("%s: it is not masked", name)
			}
		})
	}
}

// longAnswers are answers of about a size in bytes.
func longAnswers(size int) map[string]string {
	const levels = 9000 // the reader of JSON allows 10,000
	inside := `"canary-password",` + testkit.Fill(size, `"x\u0020",`) + `1`
	secrets := func(value string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, `{"Name":"x","Key":"`+value+`"},`, i)
		}
		return `[` + b.String() + `1]`
	}
	return map[string]string{
		"deep":                    `{"a":` + strings.Repeat(`{"a":[`, levels/2) + inside + strings.Repeat(`]}`, levels/2) + `}`,
		"many secrets":            secrets("canary%07d"),
		"many that begin alike":   secrets("eyJhbGciOiJ-canary-%07d"),
		"many short ones":         secrets("%05d"),
		"nearly repeated":         `{"Token":"` + strings.Repeat("A", size) + `B","x":"` + strings.Repeat("A", size) + `"}`,
		"one word of many":        `{"Pin":"4711","x":"` + strings.Repeat("4710 ", size/5) + `"}`,
		"ordinary":                `[` + strings.Repeat(`{"Id":"287278d0-9148-4595-8270-15840653bf9a","Name":"Contracts (signed)","Size":123456,"Token":"canary-token"},`, size/110) + `1]`,
		"Base64 in every way":     `{"x":"` + strings.Repeat("VVVV", size/4) + `"}`, // the same from each digit on
		"escaped again and again": `{"x":"` + strings.Repeat("%2525252525252525", size/17) + `"}`,
		"nearly quoted":           `{"x":"` + strings.Repeat(`'cana`, size/5) + `"}`,
		"octal, or LDAP":          `{"x":"` + strings.Repeat(`\\303\\244`, size/12) + `"}`,
		"taken for Latin 1":       `{"x":"` + strings.Repeat(`Ãƒ`, size/4) + `"}`,
		"with nothing but escape": `["` + strings.Repeat(`\u00e9`, size/6) + `"]`,
	}
}
