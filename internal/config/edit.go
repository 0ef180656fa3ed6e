package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
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
var errByHand = errors.New("it is written in a way that only an editor can change")

// Edit returns a profile file in which the named profile has these values, by key, and all
// else is as it was, comments included. An empty document becomes a file with that profile as
// the default one. The error says why the file cannot be changed.
func Edit(document []byte, name string, values map[string]string) ([]byte, error) {
	e := &edit{lines: strings.Split(strings.TrimSuffix(string(document), "\n"), "\n"), name: name, at: map[string]int{}}
	if len(document) == 0 {
		e.lines = []string{"default_profile = " + strconv.Quote(name)}
	}
	list, err := statements(document)
	if err != nil {
		return nil, err
	}
	for _, st := range list {
		e.find(st)
	}
	if e.end == 0 {
		e.lines = append(e.lines, "", "[profiles."+name+"]")
		e.end = len(e.lines)
	}
	for _, key := range fileKeys() {
		if value, ok := values[key]; ok {
			if err := e.set(key, value); err != nil {
				return nil, err
			}
		}
	}
	after := []byte(strings.Join(e.lines, "\n") + "\n")
	return after, e.verify(after, values)
}

// edit changes the lines of a profile file.
type edit struct {
	lines []string
	name  string
	at    map[string]int // the lines of the profile's keys, from 1
	end   int            // the last line of the profile's table, from 1; 0 if there is none
}

// find notes where the profile stands.
func (e *edit) find(st statement) {
	if len(st.path) < 2 || st.path[0] != "profiles" || st.path[1] != e.name {
		return
	}
	if len(st.path) == 3 {
		e.at[st.path[2]] = st.line
	}
	e.end = max(e.end, st.line)
}

// assignment is a line with a key and a text, and perhaps a comment.
var assignment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\s*[\w.-]+\s*=\s*)(?:"(?:[^"\\]|\\.)*"|'[^']*')(\s*(?:#.*)?)$`)
})

// set replaces the value of a key, or adds a line behind those of the profile.
func (e *edit) set(key, value string) error {
	line, found := e.at[key]
	if !found {
		if value != "" {
			e.lines = slices.Insert(e.lines, e.end, key+" = "+strconv.Quote(value))
			e.shift(e.end)
		}
		return nil
	}
	parts := assignment().FindStringSubmatch(e.lines[line-1])
	if parts == nil {
		return fmt.Errorf("line %d: %w", line, errByHand)
	}
	e.lines[line-1] = parts[1] + strconv.Quote(value) + parts[2]
	return nil
}

// shift notes that a line was added behind this one.
func (e *edit) shift(after int) {
	for key, line := range e.at {
		if line > after {
			e.at[key] = line + 1
		}
	}
	e.end++
}

// verify reads the new file as the program will: an unusual one may have kept another value.
func (e *edit) verify(document []byte, values map[string]string) error {
	_, got, err := FileProfile(document, e.name)
	if err != nil {
		return err
	}
	for key, want := range values {
		if got[key] != want {
			return fmt.Errorf("%s: %w", key, errByHand)
		}
	}
	return nil
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
	values = map[string]string{}
	if section := f.profiles[name]; section != nil {
		for key, value := range section.values {
			values[key] = value.text
		}
	}
	return name, values, nil
}
