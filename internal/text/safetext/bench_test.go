package safetext

import (
	"strings"
	"testing"
)

func BenchmarkLine(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"clean/ASCII", "Quarterly report (final version).pdf"},
		{"clean/Danish", "Søren Ærøskøbings kvartalsrapport.pdf"},
		{"clean/Japanese", "日本語の四半期契約書（最終版）.pdf"},
		{"clean/Emoji", "🎉 " + family + " " + scotland + " ❤️"},
		{"dirty/Escape", "\x1b[31mQuarterly\x1b[0m report\u202efdp.exe"},
		{"dirty/Zalgo", strings.Repeat("h"+strings.Repeat("\u0335", 40), 10)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				Line(bb.text)
			}
		})
	}
}

func BenchmarkMegabyte(b *testing.B) {
	text := strings.Repeat("日本 x", 1<<20/8)
	b.Run("Truncate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Truncate(text, 20)
		}
	})
	b.Run("Clip", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Clip(text, 20)
		}
	})
}

func BenchmarkFit(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Fit("Quarterly report (final version).pdf", 20)
	}
}
