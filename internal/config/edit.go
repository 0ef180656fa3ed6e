package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
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

// CheckProfileName checks the name of a profile.
func CheckProfileName(name string) (string, error) { return checkName(name) }

// errByHand means that a profile file is written in a way that [Edit] cannot change.
var errByHand = errors.New("only an editor can change it in this file")

// Edit returns a profile file in which the table of the named profile has these values, by key.
// Lines that need not change stay as they are, with comments and blank lines between them. An empty document becomes a file with that profile as the
// default one. The error says why the file cannot be changed.
func Edit(document []byte, name string, values map[string]string) ([]byte, error) {
	values = maps.Clone(values)
	maps.DeleteFunc(values, func(_, value string) bool { return value == "" })
	quoted := name
	if strings.Contains(name, ".") {
		quoted = strconv.Quote(name)
	}
	lines := strings.Split(strings.TrimSuffix(string(document), "\n"), "\n")
	if len(document) == 0 {
		lines = []string{"default_profile = " + strconv.Quote(name)}
	}
	head, keys, err := linesOf(document, name)
	if err != nil {
		return nil, err
	}
	if head == 0 {
		lines = append(lines, "", "[profiles."+quoted+"]")
		head = len(lines)
	}
	last := head
	for line := range keys {
		last = max(last, line)
	}
	_, before, _ := FileProfile(document, name)
	var table []string // the lines below the head
	for i, line := range lines[head:last] {
		key, isKey := keys[head+i+1]
		switch {
		case !isKey, values[key] == before[key]:
			table = append(table, line)
		case values[key] != "":
			table = append(table, key+" = "+strconv.Quote(values[key]))
		}
	}
	present := slices.Collect(maps.Values(keys))
	for _, key := range fileKeys() {
		if values[key] != "" && !slices.Contains(present, key) {
			table = append(table, key+" = "+strconv.Quote(values[key]))
		}
	}
	lines = slices.Replace(lines, head, last, table...)
	after := []byte(strings.Join(lines, "\n") + "\n")
	if _, now, err := FileProfile(after, name); err != nil || !maps.Equal(now, values) {
		if _, _, before := FileProfile(document, name); before != nil {
			return nil, before
		}
		return nil, errByHand // a value of several lines
	}
	return after, nil
}

// linesOf finds the line of the head of a profile's table, from 1, and the keys on lines below it;
// 0 if there is no table.
func linesOf(document []byte, name string) (head int, keys map[int]string, err error) {
	list, err := statements(document)
	keys = map[int]string{}
	for _, st := range list {
		if len(st.path) < 2 || st.path[0] != "profiles" || st.path[1] != name {
			continue
		}
		if head == 0 && st.kind != unstable.Table {
			return 0, nil, errByHand
		}
		if head = cmp.Or(head, st.line); len(st.path) > 2 {
			keys[st.line] = st.path[2]
		}
	}
	return head, keys, err
}

// FileProfile reads one profile of a profile file without resolving it: its values by key. An
// empty name is the default profile's, or that of the only one; it is returned, and is empty
// if there is none.
func FileProfile(document []byte, name string) (chosen string, values map[string]string, err error) {
	f := newFile("")
	if err := f.read(document); err != nil {
		return "", nil, err
	}
	if name == "" {
		name = f.defaultProfile().text
	}
	return name, f.profiles[name].texts(), nil
}

// texts are the values of a profile that are not empty, by key; none if there is no profile.
func (s *section) texts() map[string]string {
	texts := map[string]string{}
	if s != nil {
		for key, value := range s.values {
			if value.text != "" {
				texts[key] = value.text
			}
		}
	}
	return texts
}
