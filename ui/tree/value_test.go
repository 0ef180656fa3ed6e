package tree

import (
	"strings"
	"testing"

	"gatehouse/internal/text/secret"
)

func TestValueOfTheNodeUnderTheCursor(t *testing.T) {
	doc := ` {"Data": [ {"display name":"a\u00e9\tb", "ø":1e400, "x\"y":null} ,2], "k":{"": [true]}} `
	tests := []struct {
		keys            []string
		path, raw, text string
	}{
		{nil, "", strings.TrimSpace(doc), strings.TrimSpace(doc)},
		{[]string{"j"}, "Data", `[ {"display name":"a\u00e9\tb", "ø":1e400, "x\"y":null} ,2]`, `[ {"display name":"a\u00e9\tb", "ø":1e400, "x\"y":null} ,2]`},
		{[]string{"j", "j", "j"}, `Data[0]["display name"]`, `"a\u00e9\tb"`, "aé\tb"},
		{[]string{"j", "j", "j", "j"}, "Data[0].ø", "1e400", "1e400"},
		{[]string{"j", "j", "j", "j", "j"}, `Data[0]["x\"y"]`, "null", "null"},
		{[]string{"G", "h", "h"}, "k", `{"": [true]}`, `{"": [true]}`},
		{[]string{"G"}, `k[""][0]`, "true", "true"},
	}
	for _, tt := range tests {
		m := open(t, doc)
		if tt.path == "k" {
			press(t, m, "-", "G")
		} else {
			press(t, m, tt.keys...)
		}
		path, text := here(m), m.value(m.at())
		if path != tt.path || text != tt.text {
			t.Errorf("%v: %q, %q; want %q, %q", tt.keys, path, text, tt.path, tt.text)
		}
	}
}

const login = `{"Token":"t0p","Key":null,"Users":[{"Token":"s3cret","Id":7},{"Token":{"in":"s1de"}}],"Id":1}`

func maskTokens(m *Model) *Model {
	m.Masked = func(_, key, _ string) bool { return key == "Token" || key == "Key" }
	return m
}

func TestMaskedValuesAreNotShownUnlessRevealed(t *testing.T) {
	m := maskTokens(open(t, login))
	press(t, m, "+")
	frame := draw(m, 80, 30)
	for _, hidden := range []string{"t0p", "s3cret", "s1de"} {
		if strings.Contains(frame, hidden) {
			t.Errorf("%q is on the screen", hidden)
		}
	}
	if got := strings.Count(frame, secret.Mask); got != 3 {
		t.Errorf("%d masks, want 3", got)
	}
	if !strings.Contains(frame, "null") {
		t.Error("a null is masked")
	}

	m.Reveal(true)
	frame = draw(m, 80, 30)
	for _, shown := range []string{"t0p", "s3cret", "s1de"} {
		if !strings.Contains(frame, shown) {
			t.Errorf("%q is not on the screen", shown)
		}
	}

	press(t, m, "G", "k", "k") // inside the second user's token
	if here(m) != "Users[1].Token" && here(m) != "Users[1].Token.in" {
		t.Fatalf("the cursor is at %q", here(m))
	}
	m.Reveal(false)
	if strings.Contains(draw(m, 80, 30), "s1de") {
		t.Error("a value inside a masked one is on the screen")
	}
	if here(m) != "Users[1].Token" {
		t.Errorf("the cursor is at %q", here(m))
	}
	press(t, m, "enter", "right", "+")
	if strings.Contains(draw(m, 80, 30), "s1de") {
		t.Error("a masked value can be unfolded")
	}
}

func TestMaskedValuesAreNotCopiedUnlessRevealed(t *testing.T) {
	m := maskTokens(open(t, login))
	users := `[{"Token":"•••","Id":7},{"Token":"•••"}]`
	masked := `{"Token":"•••","Key":null,"Users":` + users + `,"Id":1}`
	want := func(path, text string) {
		t.Helper()
		if gotPath, gotText := here(m), m.value(m.at()); gotPath != path || gotText != text {
			t.Errorf("%q, %q; want %q, %q", gotPath, gotText, path, text)
		}
	}
	want("", masked)
	press(t, m, "j")
	want("Token", "•••")
	press(t, m, "j")
	want("Key", "null")
	press(t, m, "j")
	want("Users", users)
	m.Reveal(true)
	press(t, m, "k", "k")
	want("Token", "t0p")
	press(t, m, "k")
	want("", login)
}
