package api

import (
	"strings"
	"testing"
)

// What a page does not show is no line of it, and what follows is.
func TestTheLinesThatAPageShows(t *testing.T) {
	for body, want := range map[string]string{
		"one\n\n two \n":                                        "one|two",
		"<p>one</p><p>two</p>":                                  "one|two",
		"one<b>two</b>":                                         "onetwo",
		"one<br>two<br/>three":                                  "one|two|three",
		"a&amp;b":                                               "a&b",
		"<script>hidden</script>one":                            "one",
		"<title>hidden</title>one":                              "one",
		"<style>hidden</style>one":                              "one",
		"<noscript>hidden</noscript>one":                        "one",
		"<template>hidden<p>hidden</p></template>one":           "one",
		"<template><template>hid</template>den</template>1":     "1",
		"<template>hidden<b>hidden</b></p>hidden</template>one": "one",
		"</template>one":                                        "one",
		"</template></noscript><template>hidden</template>":     "",
		"<template>title<p>hidden</p></template>one":            "one",
		"one<script>hidden</script>two":                         "onetwo",
		"<template>hidden":                                      "",
		"one<!-- hidden -->two":                                 "one|two",
	} {
		if got := strings.Join(visibleLines([]byte(body)), "|"); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestAPairHasAnAddressAndAComma(t *testing.T) {
	for line, want := range map[string]pair{
		"ann@a.example,a.example":      {"ann@a.example", "a.example"},
		"ann@a.example,":               {"ann@a.example", ""},
		"ann@a.example, a.example,\t":  {"ann@a.example", "a.example"},
		"“ann@a.example”,'a.example'":  {"ann@a.example", "a.example"},
		"ann@a.example":                {},
		"ann,a.example":                {},
		"mail ann@a.example,a.example": {},
		"ann@a.example,a b":            {},
		"ann@a.example,a,b":            {},
	} {
		got, ok := parsePair(line)
		if got != want || ok != (want != pair{}) {
			t.Errorf("%q: %+v, %v", line, got, ok)
		}
	}
}
