package redact

import "testing"

func TestPhrasesAreFoundAnywhere(t *testing.T) {
	var p phrases
	if p.in("") || p.in("a b") {
		t.Error("none is found")
	}
	list := []string{"a b", "..", "- 12 -", "a b"}
	for _, text := range list {
		p.add(text)
	}
	for _, text := range list {
		for _, around := range []string{text, "x" + text, text + "x", "xx" + text + "xx"} {
			if !p.in(around) {
				t.Errorf("%q is not found in %q", text, around)
			}
		}
	}
	for _, text := range []string{"", "a", "a  b", "- 12", ".x.", "12 -"} {
		if p.in(text) {
			t.Errorf("one is found in %q", text)
		}
	}
}
