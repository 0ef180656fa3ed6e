package redact

import (
	"strings"
	"testing"
)

// BenchmarkMasking masks two megabytes of a device login's answer.
func BenchmarkMasking(b *testing.B) {
	for name, text := range longAnswers(2 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var sent Secrets
				sent.Add("canary-password", "demo", strings.Repeat("A", 1000)+"B")
				Result(sent.Repeated([]byte(text)))
			}
		})
	}
}

// BenchmarkDescription looks for a password in the description of a refusal.
func BenchmarkDescription(b *testing.B) {
	var sent Secrets
	sent.Add("O'Brien1", "client-secret")
	for b.Loop() {
		sent.Hide("User account is locked. Try again in 15 minutes, or ask an administrator of harbor.example (trace 0b6f7a3e-22bb-4c1d-9d0e-7f2f3a4b5c77).")
	}
}
