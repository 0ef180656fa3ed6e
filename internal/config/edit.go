package config

import (
	"errors"
	"reflect"
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
	return find(key).check(text)
}

// errByHand means that a profile file is written in a way that [Edit] cannot change.
var errByHand = errors.New("only an editor can change it in this file")

// Edit returns a profile file in which the table of the named profile has these values, by key.
// Lines that need not change stay as they are, with comments and blank lines between them. An
// empty document becomes a file with that profile as the default one. The error says why the
// file cannot be changed.
func Edit(document []byte, name string, values map[string]string) ([]byte, error) {
	f, err := parse("", document)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(document), "\n"), "\n")
	if len(document) == 0 {
		f.Default = name
		lines = []string{"default_profile = " + strconv.Quote(name)}
	}
	head := "[profiles." + name + "]"
	if strings.Contains(name, ".") {
		head = "[profiles." + strconv.Quote(name) + "]"
	}
	begin := 1 + slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, head) })
	if begin == 0 {
		lines = append(lines, "", head)
		begin = len(lines)
	}
	pair := func(key string) string { return key + " = " + strconv.Quote(values[key]) }
	before, present := f.values(name), map[string]bool{}
	end := begin // of the keys in the table
	for i := begin; i < len(lines) && !strings.HasPrefix(lines[i], "["); i++ {
		key, _, _ := strings.Cut(lines[i], "=")
		key = strings.TrimSpace(key)
		if find(key) == nil {
			continue
		}
		present[key], end = true, i+1
		switch {
		case values[key] == before[key]:
		case values[key] == "":
			lines = slices.Delete(lines, i, i+1)
			i, end = i-1, i
		default:
			lines[i] = pair(key)
		}
	}
	for _, key := range fileKeys() {
		if values[key] != "" && !present[key] {
			lines = slices.Insert(lines, end, pair(key))
			end++
		}
	}
	changed := &Profile{}
	for _, key := range fileKeys() {
		*find(key).text(changed) = values[key]
	}
	f.Profiles[name] = changed
	after := []byte(strings.Join(lines, "\n") + "\n")
	if now, err := parse("", after); err != nil || !reflect.DeepEqual(now, f) { // such as a text of several lines
		return nil, errByHand
	}
	if len(after) > maxFile {
		return nil, errTooLarge
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
		name = f.defaultProfile()
	}
	return name, f.values(name), nil
}

// values are the values of a profile in the file, by key, without those that are empty.
func (f *file) values(name string) map[string]string {
	values := map[string]string{}
	for _, s := range settings {
		if p := f.Profiles[name]; p != nil && s.value(p) != "" {
			values[s.key] = s.value(p)
		}
	}
	return values
}
