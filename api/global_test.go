package api

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLookupAnswersAreReadAsTheyCome(t *testing.T) {
	const found = "harbor.example"
	for _, tt := range []struct {
		name, body string
		want       string
		detail     string // of a BodyError
		noDomain   bool
	}{
		{name: "plain", body: "ann@harbor.example,harbor.example", want: found},
		{name: "with a byte order mark", body: "\uFEFFann@harbor.example,harbor.example", want: found},
		{name: "with the end of a line", body: "\r\nann@harbor.example,harbor.example\r\n", want: found},
		{name: "with blanks", body: " ann@harbor.example , harbor.example ", want: found},
		{name: "in capitals", body: "ANN@Harbor.Example,Harbor.Example", want: "Harbor.Example"},
		{name: "with commas at the end", body: "ann@harbor.example,harbor.example,, ", want: found},
		{name: "an unknown user", body: "ann@harbor.example,", noDomain: true},
		{name: "an unknown user, with blanks", body: "\uFEFFann@harbor.example, \r\n", noDomain: true},
		{name: "an unknown user, with commas", body: "ann@harbor.example,,", noDomain: true},
		{name: "nobody", body: ",", detail: "something other than an e-mail address and a domain"},
		{name: "nothing", body: " \r\n", detail: emptyAnswer},
		{name: "a page", body: "<!DOCTYPE html><p>Sign in", detail: "an HTML page instead of an e-mail address and a domain"},
		{name: "one value", body: "harbor.example", detail: "something other than an e-mail address and a domain"},
		{name: "three values", body: "ann@harbor.example,harbor.example,pier.example", detail: "something other than an e-mail address and a domain"},
		{name: "JSON", body: `{"email":"ann@harbor.example","primaryDomain":"harbor.example"}`, detail: "something other than an e-mail address and a domain"},
		{name: "in UTF-16", body: "\xff\xfea\x00n\x00n\x00@\x00h\x00a\x00r\x00b\x00o\x00r\x00.\x00e\x00x\x00a\x00m\x00p\x00l\x00e\x00,\x00d\x00", want: "d"},
		{name: "the same domain twice", body: "ann@harbor.example,harbor.example\nANN@harbor.example,Harbor.example.", want: found},
		{name: "an empty line of theirs before the domain", body: "ann@harbor.example,\nann@harbor.example,harbor.example", want: found},
		{name: "two lines", body: "bob@harbor.example,pier.example\nann@harbor.example,harbor.example", want: found},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := serve(t, answer(200, "text/html", tt.body))
			got, err := newGlobal(t, server.URL).UserDomain(t.Context(), "ann@harbor.example")
			if got != tt.want {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			unknown, isUnknown := errors.AsType[*NoDomainError](err)
			if isUnknown != tt.noDomain || isUnknown && (unknown.Email != "ann@harbor.example" || unknown.Host != host(server)) {
				t.Fatalf("got %v, want a NoDomainError: %v", err, tt.noDomain)
			}
			wrong, isWrong := errors.AsType[*BodyError](err)
			if isWrong != (tt.detail != "") || isWrong && wrong.Detail != tt.detail {
				t.Fatalf("got %v, want a BodyError with %q", err, tt.detail)
			}
		})
	}
}

func TestALookupOfSeveralDomainsNamesThemAll(t *testing.T) {
	server := serve(t, answer(200, "text/html", "ann@harbor.example,harbor.example\r\nann@harbor.example,old.example"))
	_, err := newGlobal(t, server.URL).UserDomain(t.Context(), "ann@harbor.example")
	several, ok := errors.AsType[*SeveralDomainsError](err)
	if !ok || !slices.Equal(several.Domains, []string{"harbor.example", "old.example"}) {
		t.Fatalf("got %v", err)
	}
}

func TestALookupShowsWhatIsNoPair(t *testing.T) {
	const body = `{"email":"ann@harbor.example","primaryDomain":"harbor.example"}`
	_, err := newGlobal(t, serve(t, answer(200, "application/json", body)).URL).UserDomain(t.Context(), "ann@harbor.example")
	if wrong, ok := errors.AsType[*BodyError](err); !ok || wrong.Words != body {
		t.Fatalf("got %v", err)
	}
}

func TestALookupThatFailsHasATypedError(t *testing.T) {
	if _, err := newGlobal(t, serve(t, status(404)).URL).UserDomain(t.Context(), "ann@harbor.example"); statusOf(err) != 404 {
		t.Errorf("got %v", err)
	}
	long := answer(200, "text/html", strings.Repeat("x", userDomainLimit+1))
	_, err := newGlobal(t, serve(t, long).URL).UserDomain(t.Context(), "ann@harbor.example")
	if _, ok := errors.AsType[*LimitError](err); !ok {
		t.Errorf("got %v", err)
	}
}

func FuzzUserDomain(f *testing.F) {
	for _, seed := range []string{"a@b.c,d.example", "\uFEFFa@b.c,d\r\n", "A@B.C,", ",,", "<html>", "a@b.c,d,e", "", "a@b.c,\x00"} {
		f.Add([]byte(seed))
	}
	c := newCall(lookupOp("a@b.c"), nil, &url.URL{Host: "global.example"})
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := c.userDomain(&http.Response{StatusCode: 200}, body, "a@b.c")
		if err != nil {
			if got != "" {
				t.Fatalf("%q beside %v", got, err)
			}
			return
		}
		if got == "" || utf8.Valid(body) && strings.ContainsAny(got, ",\r\n") {
			t.Fatalf("got %q", got)
		}
	})
}

func TestALookupThatReadsAPlusAsABlankIsNamed(t *testing.T) {
	const asked = "ann+files+x@harbor.example"
	for body, want := range map[string]string{
		"ann files x@harbor.example,":               "ann files x@harbor.example",
		"Ann Files X@harbor.example,harbor.example": "Ann Files X@harbor.example",
		"bob files x@harbor.example,":               "", // another text
		"ann files+x@harbor.example,":               "",
		"ann files x@harbor.example":                "", // no pair
	} {
		_, err := newGlobal(t, serve(t, answer(200, "text/html", body)).URL).UserDomain(t.Context(), asked)
		misread, ok := errors.AsType[*BlankForPlusError](err)
		if err == nil || ok != (want != "") || ok && misread.Answered != want {
			t.Errorf("%q: got %v", body, err)
		}
	}
}
