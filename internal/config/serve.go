package config

import (
	"fmt"
	"strings"
)

// Setting is a value of a server that is not a flag: a line of [serve], or a variable.
type Setting struct {
	Key    string // the name of the flag, with underscores
	Text   string // as the flag takes it
	Origin Origin
}

// ServerSettings reads the table [serve] of the profile file, in order, and the variables for
// these keys, such as GATEHOUSE_SERVE_LISTEN, which override it. The error is an [*Error].
func (s Sources) ServerSettings(keys []string) ([]Setting, error) {
	f, err := s.readFile()
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, key := range keys {
		known[key] = true
	}
	for _, line := range f.server {
		if !known[line.Key] {
			return nil, line.unknown(keys)
		}
	}
	settings := f.server
	for _, key := range keys {
		variable := "GATEHOUSE_SERVE_" + strings.ToUpper(key)
		if text, _ := s.LookupEnv(variable); text != "" {
			settings = append(settings, Setting{key, text, Origin{Variable: variable}})
		}
	}
	return settings, nil
}

// addSetting adds a line of [serve].
func (f *file) addSetting(st statement) error {
	text := st.text
	if st.list != nil {
		text = strings.Join(st.list, ",")
	}
	switch {
	case len(st.path) == 1 && st.isTable():
		return nil
	case len(st.path) != 2 || st.text == "" && st.list == nil:
		return f.wrong(st, "this is not a setting of a server", `want lines such as listen = ":2222" below [serve]`)
	}
	f.server = append(f.server, Setting{st.path[1], text, f.at(st)})
	return nil
}

// unknown is the error for a line whose key is none of the known ones.
func (s Setting) unknown(known []string) error {
	want := "known are " + strings.Join(known, ", ")
	if similar := Nearest(s.Key, known); similar != "" {
		want = fmt.Sprintf("did you mean %q?", similar)
	}
	return &Error{Origin: s.Origin, Key: s.Key, Problem: fmt.Sprintf("unknown key %q in serve", cut(s.Key)), Want: want}
}

// Accepts says what a flag of a type of pflag takes.
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

// Refuse is the error for a value that the flag does not take.
func (s Setting) Refuse(want string) error {
	return &Error{Origin: s.Origin, Key: s.Key, Value: shown(s.Text), Want: want}
}
