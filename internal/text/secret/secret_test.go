package secret_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"strings"
	"testing"
	"text/template"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

const canary = "canary-7f3a"

// holder has a secret in all the places where fmt and others look for one.
type holder struct {
	Public  string
	Hidden  secret.Text
	Pointer *secret.Text
	Any     any
	List    []secret.Text
	Map     map[string]secret.Text
	hidden  secret.Text
	inner   struct{ list [2]secret.Text }
}

func newHolder() holder {
	value := secret.New(canary)
	h := holder{"p", value, &value, value, []secret.Text{value}, map[string]secret.Text{"k": value}, value, struct{ list [2]secret.Text }{}}
	h.inner.list[0] = value
	return h
}

// Each returns what it makes of a value.
var printers = map[string]func(t *testing.T, value any) string{
	"fmt": func(_ *testing.T, value any) (text string) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%+q", "%#q", "%x", "% x", "%X", "%d", "%c", "%U", "%t", "%e", "%p", "%T", "%5.3s"} {
			text += fmt.Sprintf(verb, value)
		}
		return text + fmt.Sprint(value, value) + fmt.Sprintln(value)
	},
	"an error": func(_ *testing.T, value any) string {
		inner := fmt.Errorf("inner %v", value)
		return errors.Join(fmt.Errorf("failed with %w and %v", inner, value), inner).Error()
	},
	"a panic": func(_ *testing.T, value any) (text string) {
		defer func() { text = fmt.Sprint(recover()) }()
		panic(value)
	},
	"JSON": func(t *testing.T, value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			t.Error(err)
		}
		return string(text)
	},
	"slog": func(_ *testing.T, value any) string {
		var log bytes.Buffer
		for _, handler := range []slog.Handler{slog.NewJSONHandler(&log, nil), slog.NewTextHandler(&log, nil)} {
			slog.New(handler).With("with", value).Info("x", "value", value, slog.Group("group", "value", value))
		}
		return log.String()
	},
	"log": func(_ *testing.T, value any) string {
		var text bytes.Buffer
		log.New(&text, "", 0).Print(value)
		return text.String()
	},
	"a template": func(t *testing.T, value any) string {
		var text bytes.Buffer
		if err := template.Must(template.New("").Parse("{{.}} {{printf \"%s %q\" . .}}")).Execute(&text, value); err != nil {
			t.Error(err)
		}
		return text.String()
	},
}

func TestNoWayOfPrintingShowsTheValue(t *testing.T) {
	var search testkit.SecretSearcher
	search.Add("secret", canary)
	value, h := secret.New(canary), newHolder()
	for name, print := range printers {
		for _, v := range []any{value, &value, []secret.Text{value}, map[string]secret.Text{"k": value}, map[secret.Text]int{value: 1}, h, &h} {
			text := print(t, v)
			if hits := search.Find(text); len(hits) > 0 {
				t.Errorf("%s of %T shows it: %v in\n%s", name, v, hits, text)
			}
			if _, isMap := v.(map[secret.Text]int); !isMap && !strings.Contains(text, secret.Mask) {
				t.Errorf("%s of %T has no mask: %s", name, v, text)
			}
		}
	}
}

func TestEncodersThatAskForTheFieldsGetNone(t *testing.T) {
	var search testkit.SecretSearcher
	search.Add("secret", canary)
	record := struct{ Hidden secret.Text }{secret.New(canary)}
	inXML, err := xml.Marshal(record.Hidden)
	if hits := search.Find(string(inXML)); len(hits) > 0 || err != nil {
		t.Errorf("XML: %s, %v", inXML, err)
	}
	var inGob bytes.Buffer
	if err := gob.NewEncoder(&inGob).Encode(record); err == nil || len(search.Find(inGob.String()+err.Error())) > 0 {
		t.Errorf("gob: %v, %q", err, inGob.String())
	}
}

func TestSecretsCompareByValue(t *testing.T) {
	if secret.New(canary) != secret.New(strings.Clone(canary)) || secret.New(canary) == secret.New(canary+"x") || secret.New("") != (secret.Text{}) {
		t.Error("they do not")
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
