package records

import (
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"
)

func FuzzTime(f *testing.F) {
	for _, text := range []string{
		"2017-10-03T12:57:14.295242Z", "2020-02-29", "2019-02-29", "1900-02-29", "2000-02-29 23:59", "2020-13-01", "2020-00-01", "2020-01-00",
		"2020-04-31", "0000-01-01", "9999-12-31T23:59:59.9999999999+14:00", "2020-01-01T00:00:00,5-0330", "2020-01-01T24:00", "2020-01-01T00:60", "2020-01-01T00:00:60Z", "2020-01-01T00:00+24:00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseTime([]byte(text))
		want, _, wantOK := plainSpan(text, time.Time{})
		wantOK = wantOK && len(text) >= len("2020-01-01")
		if ok != wantOK || !got.Equal(want) && ok {
			t.Fatalf("%q is %v, %t; want %v, %t", text, got, ok, want, wantOK)
		}
		span, ok := parseSpan([]byte(text))
		first, end, wantOK := plainSpan(text, time.Time{})
		if ok != wantOK || ok && (!span.first.Equal(first) || !span.last.Equal(end.Add(-1))) {
			t.Fatalf("%q is from %v to %v, %t; want from %v to before %v, %t", text, span.first, span.last, ok, first, end, wantOK)
		}
	})
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
