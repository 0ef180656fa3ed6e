package redact

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

func TestAnAnswerFullOfSecretsIsMaskedInLinearTime(t *testing.T) {
	size, limit := testkit.LongAnswer()
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
