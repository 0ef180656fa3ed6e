package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ServerSettings reads the settings of a server that come from the table [serve] of the profile
// file or from variables such as GATEHOUSE_SERVE_LISTEN, which override the table. A key is the
// name of a flag with underscores for hyphens; no other key is accepted. The error is an
// [*Error].
func (s Sources) ServerSettings(keys []string) (map[string]Value, error) {
	f, err := s.readFile()
	if err != nil {
		return nil, err
	}
	values := make(map[string]Value)
	for _, key := range slices.Sorted(maps.Keys(f.Serve)) {
		if !slices.Contains(keys, key) {
			return nil, f.unknownInServe(key, keys)
		}
		text, err := f.setting(key, f.Serve[key])
		if err != nil {
			return nil, err
		}
		values[key] = Value{key, text, f.origin}
	}
	for _, key := range keys {
		variable := variablePrefix + "SERVE_" + strings.ToUpper(key)
		if text, _ := s.LookupEnv(variable); text != "" {
			values[key] = Value{key, text, Origin{Variable: variable}}
		}
	}
	return values, nil
}

// unknownInServe returns the error for a key of [serve] that is none of those known.
func (f *file) unknownInServe(key string, known []string) error {
	want := "known are " + strings.Join(known, ", ")
	if meant := Nearest(key, known); meant != "" {
		want = fmt.Sprintf("did you mean %q?", meant)
	}
	return f.invalid(key, fmt.Sprintf("unknown key %q in serve", cut(key)), want)
}

// setting returns a value of [serve] as the flag of that key takes it.
func (f *file) setting(key string, written any) (string, error) {
	switch written.(type) {
	case bool, int64, float64:
		return fmt.Sprint(written), nil
	}
	list := stringList(written)
	if list == nil || written == "" {
		return "", f.invalid(key,
			cut(key)+" is not a setting of a server",
			`use lines such as listen = ":2222" below [serve]`)
	}
	return strings.Join(list, ","), nil
}

// Accepts says which values a flag accepts, by the name of its type in pflag.
func Accepts(kind string) string {
	switch kind {
	case "duration":
		return "a time such as 30s, 15m or 2h"
	case "bool":
		return "true or false"
	case "float64":
		return "a number such as 2 or 0.5"
	default:
		return "a whole number"
	}
}

// Refuse returns the [*Error] for a value that is not accepted. want says what would be.
func (v Value) Refuse(want string) error {
	return &Error{Origin: v.Origin, Key: v.Key, Value: shown(v.Text), Want: want}
}
