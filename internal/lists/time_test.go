package lists

import (
	"slices"
	"testing"
	"time"
)

func TestATimeIsReadInTheFormsThatServicesSend(t *testing.T) {
	for text, want := range map[string]string{ // "" is no time
		"2017-10-03T12:57:14.295242Z":          "2017-10-03T12:57:14.295242Z",
		"2020-02-29":                           "2020-02-29T00:00:00Z",
		"2000-02-29 23:59":                     "2000-02-29T23:59:00Z",
		"0000-01-01":                           "0000-01-01T00:00:00Z",
		"9999-12-31T23:59:59.9999999999+14:00": "9999-12-31T09:59:59.999999999Z",
		"2020-01-01T00:00:00,5-0330":           "2020-01-01T03:30:00.5Z",
		"2020-01-01t00:00z":                    "2020-01-01T00:00:00Z",
		"2017-10-03T12:57:14.1234567":          "2017-10-03T12:57:14.1234567Z",
		"2017-10-03t00:30-0330":                "2017-10-03T04:00:00Z",
		"0001-01-01T00:00:00Z":                 "0001-01-01T00:00:00Z",
		"2017-10-03T12:57:14Z ":                "",
		"2019-02-29":                           "",
		"1900-02-29":                           "",
		"2020-13-01":                           "",
		"2020-00-01":                           "",
		"2020-01-00":                           "",
		"2020-04-31":                           "",
		"2020-01-01T24:00":                     "",
		"2020-01-01T00:60":                     "",
		"2020-01-01T00:00:60Z":                 "",
		"2020-01-01T00:00:00.Z":                "",
		"2020-01-01T00:00:00Zz":                "",
		"2020-01":                              "",
		"2020":                                 "",
		"":                                     "",
	} {
		at, ok := parseTime([]byte(text))
		if got := at.Format(time.RFC3339Nano); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %s, %t; want %q", text, got, ok, want)
		}
	}
	for text, want := range map[string]string{
		"2020":       "2020-01-01T00:00:00Z 2020-12-31T23:59:59.999999999Z",
		"2020-02":    "2020-02-01T00:00:00Z 2020-02-29T23:59:59.999999999Z",
		"2020-02-29": "2020-02-29T00:00:00Z 2020-02-29T23:59:59.999999999Z",
	} {
		span, ok := parseSpan([]byte(text))
		if got := span.first.Format(time.RFC3339Nano) + " " + span.last.Format(time.RFC3339Nano); !ok || got != want {
			t.Errorf("%q is %s, %t; want %s", text, got, ok, want)
		}
	}
}

func TestANameIsPartedIntoItsWords(t *testing.T) {
	for name, want := range map[string][]string{
		"CreateTime": {"create", "time"}, "HTTPServer.last_seenAt": {"http", "server", "last", "seen", "at"},
		"usage_in_bytes": {"usage", "in", "bytes"}, "disk usage": {"disk", "usage"}, "ID": {"id"}, "": nil, "...": nil, "size2": {"size"},
	} {
		if got := Words(name); !slices.Equal(got, want) {
			t.Errorf("%q has the words %q, want %q", name, got, want)
		}
	}
}
