package testkit

import "testing"

func TestOneBlank(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " ": " ", "a b": "a b", "  a   b  c ": " a b c ", "\n  \n   ": "\n \n ", "    ": " ",
	} {
		if got := OneBlank(text); got != want {
			t.Errorf("OneBlank(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCheckFrame(t *testing.T) {
	for _, frame := range []string{
		"", "plain\nlines", "\x1b[1;31mred\x1b[0m\x1b[m", "\x1b[38;2;1;2;3mx\x1b[48;5;12my", "\x1b]8;;https://x/?a=b\alink\x1b]8;;\a",
		"日本 👩🏽‍❤️‍💋‍👨🏿 می\u200cخواهم 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	} {
		if err := CheckFrame(frame); err != nil {
			t.Errorf("%q: %v", frame, err)
		}
	}
	for _, frame := range []string{
		"\x00", "\a", "\r", "\t", "\x7f", "\x9b31m", "\u009b31m", "\u0085", "\x1b", "\x1b[", "\x1bc", "\x1b[6n", "\x1b[H", "\x1b[?1047h", "\x1b]0;owned\a", "\x1b]2;x\a", "\x1b]52;c;eA==\a",
		"\x1b]8;;file:///etc\a", "\x1b]8;;javascript:x\a", "\x1b]8;;https://x y\a", "\x1b]8;;https://\u202e\a", "\x1bP+q544e\x1b\\",
		"\u202e", "\u2066", "\u2028", "\u200b", "\ufeff", "\u00ad", "\u3164", "\ufdd0", "\xff", "a\U000e0067",
	} {
		if CheckFrame(frame) == nil {
			t.Errorf("%q is let through", frame)
		}
	}
}
