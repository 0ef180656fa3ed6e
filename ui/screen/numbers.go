package screen

import (
	"time"

	"gatehouse/internal/human"
)

// Number is [human.Number].
func Number(n int) string { return human.Number(n) }

// Count is [human.Count].
func Count(n int, one, many string) string { return human.Count(n, one, many) }

// Bytes is [human.Bytes].
func Bytes(n int64) string { return human.Bytes(n) }

// Span is [human.Span].
func Span(d time.Duration) string { return human.Span(d) }
