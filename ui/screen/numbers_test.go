package screen_test

import (
	"testing"
	"time"

	"gatehouse/ui/screen"
)

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 100000: "100,000", 1234567: "1,234,567", -100: "-100", -1000: "-1,000"} {
		if got := screen.Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 39_200_000: "39.2 MB", 999_949: "999.9 kB", 999_950: "1.0 MB", 5e15: "5.0 PB", 1<<63 - 1: "9.2 EB"} {
		if got := screen.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 12 * time.Second: "12s", 250 * time.Second: "4m 10s",
		24*time.Hour - time.Minute: "23h 59m", 73 * time.Hour: "3d 1h", 24 * time.Hour: "24h 0m",
	} {
		if got := screen.Span(d); got != want {
			t.Errorf("Span(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 shares", 1: "1 share", 2: "2 shares", 1200: "1,200 shares"} {
		if got := screen.Count(n, "share", "shares"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}
