package config

import (
	"fmt"
	"slices"
	"strings"
)

// ServerSettings reads the values of a server that are not flags, by key: those of the table
// [serve] of the profile file, and of the variables for these keys, such as GATEHOUSE_SERVE_LISTEN,
// which override it. A key is the name of a flag, with underscores. The error is an [*Error].
func (s Sources) ServerSettings(keys []string) (map[string]Value, error) {
	f, err := s.readFile()
	if err != nil {
		return nil, err
	}
	values := make(map[string]Value)
	for _, line := range f.server {
		if !slices.Contains(keys, line.Key) {
			want, _ := suggestion(line.Key, keys)
			return nil, &Error{Origin: line.Origin, Key: line.Key, Problem: fmt.Sprintf("unknown key %q in serve", cut(line.Key)), Want: want}
		}
		values[line.Key] = line
	}
	for _, key := range keys {
		variable := "GATEHOUSE_SERVE_" + strings.ToUpper(key)
		if text, _ := s.LookupEnv(variable); text != "" {
			values[key] = Value{key, text, Origin{Variable: variable}}
		}
	}
	return values, nil
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
		return f.wrong(st, "this is not a setting of a server", `use lines such as listen = ":2222" below [serve]`)
	}
	f.server = append(f.server, Value{st.path[1], text, f.at(st)})
	return nil
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

// Refuse is the error for a value that is not accepted.
func (v Value) Refuse(want string) error {
	return &Error{Origin: v.Origin, Key: v.Key, Value: shown(v.Text), Want: want}
}
