package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Proposal is the profile of an installation with the usual names of hosts (interface,
// introduction), below an address such as "example.com".
func Proposal(address string) map[string]string {
	return map[string]string{
		"auth_url":        "https://auth." + address,
		"domain_auth_url": "https://domainauth.{domain}",
		"auth_test_url":   "https://auth-test." + address,
		"base_url":        "https://clientgateway.{domain}",
		"global_url":      "https://global." + address,
	}
}

// CheckValue checks a value for a key of the profile file, and returns it as the profile will
// have it. The error says what would be accepted.
func CheckValue(key, text string) (string, error) {
	s := find(key)
	if s == nil || !s.inFile {
		return "", fmt.Errorf("no key of a profile is called %s", key)
	}
	return s.check(text)
}

// errByHand means that a profile file is written in a way that [Edit] cannot change.
var errByHand = errors.New("only an editor can change it in this file")

// Edit returns a profile file in which the table of the named profile has these values, by key.
// Lines that need not change stay as they are, with comments and blank lines between them. An
// empty document becomes a file with that profile as the default one. The error says why the
// file cannot be changed.
func Edit(document []byte, name string, values map[string]string) ([]byte, error) {
	values = maps.Clone(values)
	maps.DeleteFunc(values, func(_, value string) bool { return value == "" })
	f, err := parse("", document)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(document), "\n"), "\n")
	if len(document) == 0 {
		lines = []string{"default_profile = " + strconv.Quote(name)}
	}
	before := f.profiles[name]
	head := before["profile"].Origin.Line // of the table
	if before == nil {
		quoted := name
		if strings.Contains(name, ".") {
			quoted = strconv.Quote(name)
		}
		lines = append(lines, "", "[profiles."+quoted+"]")
		head = len(lines)
	}
	last, keys := head, map[int]string{} // by line
	for key, value := range before {
		last, keys[value.Origin.Line] = max(last, value.Origin.Line), key
	}
	var table []string // the lines below the head
	add := func(key string) {
		if values[key] != "" {
			table = append(table, key+" = "+strconv.Quote(values[key]))
		}
	}
	for i, line := range lines[head:last] {
		if key, isKey := keys[head+1+i]; isKey && values[key] != before[key].Text {
			add(key)
		} else {
			table = append(table, line)
		}
	}
	for _, key := range fileKeys() {
		if _, present := before[key]; !present {
			add(key)
		}
	}
	lines = slices.Replace(lines, head, last, table...)
	after := []byte(strings.Join(lines, "\n") + "\n")
	if _, now, err := FileProfile(after, name); err != nil || !maps.Equal(now, values) { // such as a value of several lines
		return nil, errByHand
	}
	return after, nil
}

// FileProfile reads one profile of a profile file without resolving it: its values by key. An
// empty name is the default profile's, or that of the only one; it is returned, and is empty
// if there is none.
func FileProfile(document []byte, name string) (chosen string, values map[string]string, err error) {
	f, err := parse("", document)
	if err != nil {
		return "", nil, err
	}
	if name == "" {
		name = f.defaultProfile().Text
	}
	values = map[string]string{}
	for key, value := range f.profiles[name] {
		if key != "profile" && value.Text != "" {
			values[key] = value.Text
		}
	}
	return name, values, nil
}
