package redact

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// counted is a body that knows how much of it was read, and whether it was closed.
type counted struct {
	io.Reader
	read   int
	closed bool
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += n
	return n, err
}

func (c *counted) Close() error {
	c.closed = true
	return nil
}

// posted is a form that is sent, with a body that can be read a second time if again can.
func posted(t *testing.T, again func() (io.ReadCloser, error)) *http.Request {
	t.Helper()
	r := requestOf(t, "https://a.example/connect/token")
	r.Method, r.Body, r.GetBody = http.MethodPost, io.NopCloser(strings.NewReader("")), again
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

func TestOfAFormNoMoreIsReadThanIsShown(t *testing.T) {
	form := &counted{Reader: strings.NewReader("scope=openid&" + strings.Repeat("x", 2*maxForm))}
	x := NewExchange(posted(t, func() (io.ReadCloser, error) { return form, nil }))
	if len(x.Form) == 0 || x.Form[0] != (Pair{Name: "scope", Value: "openid"}) {
		t.Errorf("shown are %v", x.Form)
	}
	if form.read != maxForm || !form.closed {
		t.Errorf("%d bytes were read, closed is %v", form.read, form.closed)
	}
	query := "https://a.example/?" + strings.Repeat("&", maxForm-len("domain=a")) + "domain=ab"
	if pairs := NewExchange(requestOf(t, query)).Query; shown(pairs) != "domain=a false" {
		t.Errorf("of a long query there is %s", shown(pairs))
	}
}

// An answer may repeat what was sent, and nobody knows what that is.
func TestAFormThatCannotBeReadHidesTheAnswer(t *testing.T) {
	for name, again := range map[string]func() (io.ReadCloser, error){
		"never":  nil,
		"it was": func() (io.ReadCloser, error) { return nil, errors.New("it was read") },
	} {
		x := NewExchange(posted(t, again))
		_, said := x.Answer(nil, []byte("three small words"), Whole)
		if len(x.Form) > 0 || said.Text != "" || said.Omitted != omittedText {
			t.Errorf("%s: the form is %v, the answer %+v", name, x.Form, said)
		}
	}
	r := requestOf(t, "https://a.example/")
	r.Body = http.NoBody
	if _, said := NewExchange(r).Answer(nil, []byte("three small words"), Whole); said.Text != "three small words" {
		t.Errorf("where nothing was sent the answer is %+v", said)
	}
}

func TestOfJSONFourKibibytesAreShown(t *testing.T) {
	of := func(size int) string {
		const wipe, end = `"Wipe":false,`, `":false}`
		text := "{" + strings.Repeat(wipe, 300) + `"`
		return text + strings.Repeat("x", size-len(text)-len(end)) + end
	}
	for size, want := range map[int]string{maxExcerpt: "", maxExcerpt + 1: omittedLong} {
		text := of(size)
		_, said := NewExchange(requestOf(t, "https://a.example/")).Answer(nil, []byte(text), Whole)
		if said.Omitted != want || want == "" && said.Text != text {
			t.Errorf("of %d bytes %d are shown: %s", len(text), len(said.Text), said.Omitted)
		}
	}
}
