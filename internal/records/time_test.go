package records

import (
	"regexp"
	"slices"
	"strconv"
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
		"2019-02-29":                           "",
		"1900-02-29":                           "",
		"2020-13-01":                           "",
		"2020-00-01":                           "",
		"2020-01-00":                           "",
		"2020-04-31":                           "",
		"2020-01-01T24:00":                     "",
		"2020-01-01T00:60":                     "",
		"2020-01-01T00:00:60Z":                 "",
		"2020-01-01T00:00+24:00":               "",
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

func FuzzTicks(f *testing.F) {
	for _, ticks := range []int64{0, 1, 635584236915068204, maxTicks, maxTicks + 1, minPlausibleTicks, maxPlausibleTicks} {
		f.Add(ticks)
	}
	f.Fuzz(func(t *testing.T, ticks int64) {
		got, ok := Cell{strconv.AppendInt(nil, ticks, 10)}.Time(TicksColumn)
		if ok != (0 <= ticks && ticks <= maxTicks) {
			t.Fatalf("%d: %v, %t", ticks, got, ok)
		}
		if !ok {
			return
		}
		year, month, day := got.Date()
		since := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() - yearOne
		inDay := got.Sub(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
		if since*ticksPerSecond+int64(inDay)/nanosPerTick != ticks {
			t.Fatalf("%d ticks are %v", ticks, got)
		}
		if isPlausible(ticks) != (year >= 1900 && year <= 2200) {
			t.Fatalf("%d ticks, %v: plausible %t", ticks, got, isPlausible(ticks))
		}
	})
}

var (
	guidPattern  = regexp.MustCompile(`^(?i)([0-9a-f]{32}|\{[0-9a-f]{32}\}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\})$`)
	emailPattern = regexp.MustCompile("^(?s)[^\x00-\x20\"(),:;<>@\\[\\\\\\]\x7f.]+(\\.[^\x00-\x20\"(),:;<>@\\[\\\\\\]\x7f.]+)*@([a-zA-Z0-9\\x{80}-\\x{10FFFF}-]+\\.)+[a-zA-Z\\x{80}-\\x{10FFFF}]{2,}$")
)

func FuzzKindOfText(f *testing.F) {
	for _, text := range []string{"01234567-89ab-cdef-0123-456789ABCDEF", "{0123456789abcdef0123456789abcdef}", "0123456789abcdef0123456789abcdeg", "ann.lee+1@harbor.example", "a@b.c", "@b.example", "a@-.ex", "ö@ä.éx"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := isGUID([]byte(text)), guidPattern.MatchString(text); got != want {
			t.Fatalf("%q is a GUID: %t, want %t", text, got, want)
		}
		if isEmail([]byte(text)) && !emailPattern.MatchString(text) {
			t.Fatalf("%q is taken for an e-mail address", text)
		}
	})
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
