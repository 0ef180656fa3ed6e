package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"gatehouse/internal/secret"
)

const canary = "canary-7f3a"

func TestNoWayOfPrintingShowsTheValue(t *testing.T) {
	type holder struct {
		Public string
		Hidden secret.Text
		hidden secret.Text
	}
	value := secret.New(canary)
	h := holder{"p", value, value}

	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	logger.Info("x", "secret", value, "holder", h)
	asJSON, err := json.Marshal(map[string]any{"a": value, "b": h, "c": &value})
	if err != nil {
		t.Fatal(err)
	}
	printed := log.String() + string(asJSON)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T%v"} {
		printed += fmt.Sprintf(verb, value) + fmt.Sprintf(verb, h) + fmt.Sprintf(verb, &h) + fmt.Sprintf(verb, []secret.Text{value})
	}
	printed += fmt.Errorf("failed with %w and %v", fmt.Errorf("inner %v", value), h).Error()

	hex := fmt.Sprintf("%x", canary)
	for _, form := range []string{canary, hex, strings.ToUpper(hex)} {
		if strings.Contains(printed, form) {
			t.Fatalf("the value %q was printed in: %s", form, printed)
		}
	}
	if !strings.Contains(printed, secret.Mask) {
		t.Fatalf("the mask was not printed: %s", printed)
	}
}

func TestReveal(t *testing.T) {
	if got := secret.New(canary).Reveal(); got != canary {
		t.Fatalf("Reveal() = %q, want %q", got, canary)
	}
	if !secret.New("").IsEmpty() || secret.New("x").IsEmpty() {
		t.Fatal("IsEmpty is wrong")
	}
	if got := fmt.Sprint(secret.Text{}); got != "" {
		t.Fatalf("an empty secret prints %q, want nothing", got)
	}
}
