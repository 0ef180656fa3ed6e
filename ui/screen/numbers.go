package screen

import (
	"fmt"
	"strconv"
	"time"
)

// Number writes a number with thousands separators: 100,000.
func Number(n int) string {
	digits := strconv.Itoa(n)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(digits) - 3; i > first; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Count says how many there are: "1 share", "1,200 shares".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// Bytes writes a size in powers of 1,000: 39.2 MB. The largest unit is the exabyte.
func Bytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	const rounded = 999.95 // is written 1000.0
	size, unit := float64(n)/1000, 0
	for size >= rounded && unit < len(units)-1 {
		size /= 1000
		unit++
	}
	return fmt.Sprintf("%.1f %cB", size, units[unit])
}

const units = "kMGTPE"

// Span writes a duration in its two largest units: 3d 1h, 24h 0m, 4m 10s, 12s. A negative
// duration is "0s".
func Span(d time.Duration) string {
	switch d = max(d, 0); {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%dd %dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh %dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm %ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}
