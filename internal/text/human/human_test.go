package human_test

import (
	"testing"
	"time"

	"gatehouse/internal/text/human"
)

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 39_200_000: "39.2 MB", 999_949: "999.9 kB", 999_950: "1.0 MB", 5e15: "5.0 PB", 1<<63 - 1: "9.2 EB"} {
		if got := human.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 12 * time.Second: "12s", 250 * time.Second: "4m 10s",
		24*time.Hour - time.Minute: "23h 59m", 73 * time.Hour: "3d 1h", 24 * time.Hour: "24h 0m",
	} {
		if got := human.Span(d); got != want {
			t.Errorf("Span(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 shares", 1: "1 share", 2: "2 shares", 1200: "1,200 shares"} {
		if got := human.Count(n, "share", "shares"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestGrouped(t *testing.T) {
	for digits, want := range map[string]string{
		"142838469126874026": "142,838,469,126,874,026", "-1000": "-1,000", "": "", "-": "-", "1e9": "1e9", "1234.5": "1234.5", "007": "007", "0007": "0,007",
		"0": "0", "999": "999", "1000": "1,000", "100000": "100,000", "1234567": "1,234,567", "-100": "-100",
	} {
		if got := human.Grouped(digits); got != want {
			t.Errorf("Grouped(%q) = %q, want %q", digits, got, want)
		}
	}
}

func TestSizesOfAnyLength(t *testing.T) {
	for digits, want := range map[string]string{
		"0": "0 B", "1500": "1.5 kB", "9223372036854775808": "9.2 EB", "12345678901234567890123": "12,345.7 EB", "12345678901234567": "12.3 PB", "292392550999868570123": "292.4 EB", "1234567890123456789012345": "1,234,567.9 EB", "-5": "none", "1.5": "none", "": "none",
	} {
		size, ok := human.SizeOf(digits)
		got := size.String()
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("SizeOf(%q) = %q, want %q", digits, got, want)
		}
	}
}

func TestTimesAndTheirAges(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	east := time.FixedZone("", 2*60*60)
	for _, test := range []struct {
		at        time.Time
		text, age string
	}{
		{time.Time{}, "never", ""},
		{now, "2026-11-22 14:00", "now"},
		{now.Add(-59 * time.Second), "2026-11-22 13:59", "now"},
		{now.Add(-5 * time.Minute), "2026-11-22 13:55", "5 min ago"},
		{now.Add(3 * time.Hour), "2026-11-22 17:00", "in 3 h"},
		{now.AddDate(0, 0, -7), "2026-11-15 14:00", "7 d ago"},
		{now.AddDate(0, -3, 0), "2026-08-22 14:00", "3 mo ago"},
		{now.AddDate(-7, 0, 0), "2019-11-22 14:00", "7 y ago"},
		{now.AddDate(1973, 0, 0), "3999-11-22 14:00", "in 1,973 y"},
	} {
		if text, age := human.Time(test.at, east), human.Age(test.at, now); text != test.text || age != test.age {
			t.Errorf("%v is %q, %q; want %q, %q", test.at, text, age, test.text, test.age)
		}
	}
	if got := human.AgeInWords(now.AddDate(-1, -1, 0), now); got != "1 year ago" {
		t.Errorf("the age in words is %q", got)
	}
}

func TestTook(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "<1 ms", time.Millisecond: "1 ms", 38 * time.Millisecond: "38 ms", 999 * time.Millisecond: "999 ms",
		time.Second: "1.0 s", 2340 * time.Millisecond: "2.3 s", 250 * time.Second: "4m 10s",
	} {
		if got := human.Took(d); got != want {
			t.Errorf("Took(%s) = %q, want %q", d, got, want)
		}
	}
}

func TestInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:                      "0 seconds",
		0:                                 "0 seconds",
		time.Millisecond:                  "less than a second",
		time.Second:                       "1 second",
		59*time.Second + 999e6:            "59 seconds",
		time.Minute:                       "1 minute",
		4*time.Minute + 10*time.Second:    "4 minutes and 10 seconds",
		time.Hour + time.Second:           "1 hour",
		25*time.Hour + 30*time.Minute:     "1 day and 1 hour",
		30 * 24 * time.Hour:               "30 days",
		2*time.Hour + 59*time.Minute + 59: "2 hours and 59 minutes",
	} {
		if got := human.InWords(d); got != want {
			t.Errorf("InWords(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestADayAMomentAndATimeOfTheDay(t *testing.T) {
	noon := time.Date(2026, 11, 24, 12, 0, 1, 0, time.UTC)
	east := time.FixedZone("", 60*60)
	for got, want := range map[string]string{
		human.Date(noon): "2026-11-24", human.Moment(noon): "2026-11-24 12:00:01 UTC", human.Moment(noon.In(east)): "2026-11-24 13:00:01 +01:00",
		human.Clock(noon, noon.In(east)): "13:00:01", human.Clock(noon.AddDate(0, 0, -1), noon): "2026-11-23 12:00",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
