package testkit

import "testing"

func TestWhatTheProgramSendsIsKnown(t *testing.T) {
	for _, stream := range []string{
		"", "plain\r\n", "\x1b[H\x1b[2J\x1b[1;31mred\x1b[0m\x1b[m", "\x1b[38;2;1;2;3mx\x1b[48;5;12my", "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1002;1006h\x1b[?2026$p",
		"\x1b]8;;https://x/?a=b\alink\x1b]8;;\a", "\x1b]2;gatehouse · ann\a", "\x1b]52;c;aGVsbG8=\x1b\\", "\x1b]11;?\a", "\x1b[>4;2m\x1b[>1u\x1b[<u", "\x1b[22;2t\x1b[3;10r\x1b[2S\x1b[12X",
		"日本 👩🏽‍❤️‍💋‍👨🏿 می\u200cخواهم 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	} {
		if err := CheckStream(stream); err != nil {
			t.Errorf("%q: %v", stream, err)
		}
	}
}

func TestWhatTheProgramNeverSendsIsFound(t *testing.T) {
	for _, stream := range []string{
		"\x00", "\a", "\v", "\x7f", "\x9b31m", "\u009b31m", "\u0085", "\x1b", "\x1b[", "\x1bc", "\x1b[6n", "\x1b[c", "\x1b[21t", "\x1b[5m", "\x1b[8m", "\x1b[?1047h", "\x1b[?3h",
		"\x1b]0;owned\a", "\x1b]2;a\u202eb\a", "\x1b]2;a\x1b[31m\a", "\x1b]2;open", "\x1b]8;;file:///etc\a", "\x1b]8;;javascript:x\a", "\x1b]8;;https://x y\a", "\x1b]8;;https://\u202e\a", "\x1b]8;id=1;https://x\a", "\x1b]52;c;?\a", "\x1b]52;p;eA==\a", "\x1b]52;c;!\a", "\x1b]50;x\a",
		"\x1bP+q544e\x1b\\", "\x1b_x\x1b\\", "\x1b^x\x1b\\", "\x1bXx\x1b\\", "\u202e", "\u2066", "\u2028", "\u200b", "\ufeff", "\u00ad", "\u3164", "\ufdd0", "\xff", "a\U000e0067", "\x1b]11;red\a",
	} {
		if CheckStream(stream) == nil {
			t.Errorf("%q is let through", stream)
		}
	}
	for _, frame := range []string{"\r", "\t", "\x1b[H", "\x1b]2;x\a"} {
		if CheckFrame(frame) == nil {
			t.Errorf("%q in a frame is let through", frame)
		}
	}
	for _, text := range []string{"\n", "\x1b[m"} {
		if CheckText(text) == nil {
			t.Errorf("%q in a text is let through", text)
		}
	}
}
