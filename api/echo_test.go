package api

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"gatehouse/internal/secret"
)

func TestAListHasItsCredentialNowhere(t *testing.T) {
	const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl"
	stars := strings.Repeat("*", len(token))
	far := strings.Repeat("x", echoBuffer-len(token)/2)
	for name, list := range map[string]string{
		"not at all":             `[{"Name":"eyJhbGciOiJSUzI1NiJ9"}]`,
		"as a value":             `[{"Name":"TOKEN","Id":1.0}]`,
		"twice, side by side":    `["TOKENTOKEN"]`,
		"behind its beginning":   `["eyJhbGciOiJTOKEN"]`,
		"where two reads meet":   `["` + far + `TOKEN"]`,
		"at the end, cut off":    `["TOKEN`,
		"cut off in its middle":  `["eyJhbGciOiJSUzI1NiJ9.eyJ`,
		"behind another listing": `[{"Bearer":"Bearer TOKEN"},{}]`,
	} {
		t.Run(name, func(t *testing.T) {
			sent := []byte(strings.ReplaceAll(list, "TOKEN", token))
			want := strings.ReplaceAll(list, "TOKEN", stars)
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(sent) })
			body, err := newGateway(t, server.URL).Shares(t.Context(), Bearer(secret.New(token)), "ann")
			if err != nil {
				t.Fatal(err)
			}
			got, err := body.ReadAll()
			if err != nil || string(got) != want {
				t.Errorf("read %q, %v, want %q", got, err, want)
			}
			r, _ := http.NewRequest(http.MethodGet, server.URL, nil)
			r.Header.Set("Authorization", "Bearer "+token)
			slow, err := io.ReadAll(withoutEcho(iotest.OneByteReader(bytes.NewReader(sent)), r))
			if err != nil || string(slow) != want {
				t.Errorf("read %q byte by byte, %v, want %q", slow, err, want)
			}
		})
	}
}

func TestAShortKeyMayStandInAList(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `[{"Name":"harbor"}]`) })
	body, err := newGateway(t, server.URL).Companies(t.Context(), APIKey(secret.New("harbor")), "r")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := body.ReadAll(); err != nil || string(got) != `[{"Name":"harbor"}]` {
		t.Errorf("read %q, %v", got, err)
	}
}

func BenchmarkEcho(b *testing.B) {
	record := []byte(`{"Id":"287278d0-9148-4595-8270-15840653bf9a","CompanyId":4112,"Name":"Contracts (signed)","ShareDefault":{"Owner":"ada@harbor.example","ShareCategory":1},"ShareTick":638335656985837470},`)
	list := bytes.Repeat(record, 1<<16)
	r, _ := http.NewRequest(http.MethodGet, "http://localhost", nil)
	r.Header.Set("Authorization", "Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl"+strings.Repeat("aQ9x", 100))
	b.SetBytes(int64(len(list)))
	into := make([]byte, 256<<10)
	for b.Loop() {
		if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, withoutEcho(bytes.NewReader(list), r), into); err != nil {
			b.Fatal(err)
		}
	}
}
