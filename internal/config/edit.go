package config

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Proposal returns the URLs of an installation below a domain such as "example.com", by key,
// with the usual host names (interface, introduction).
func Proposal(address string) map[string]string {
	return map[string]string{
		"auth_url":        "https://auth." + address,
		"domain_auth_url": "https://domainauth.{domain}",
		"auth_test_url":   "https://auth-test." + address,
		"base_url":        "https://clientgateway.{domain}",
		"global_url":      "https://global." + address,
	}
}

// CheckValue checks a value for a key of the profile file and returns it in the normal form that
// [Resolve] stores. The error says what would be accepted.
func CheckValue(key, text string) (string, error) {
	return settingOf(key).check(text)
}

// errByHand means that a profile file is written in a way that [Edit] cannot change.
var errByHand = errors.New("only an editor can change it in this file")

// Edit returns a profile file in which the table of the named profile has exactly these values,
// by key. All other lines stay as they are, comments and blank lines included. An empty document
// becomes a file whose default profile is this one. The error says why the file cannot be
// changed.
func Edit(document []byte, name string, values map[string]string) ([]byte, error) {
	wanted, err := parse("", document)
	if err != nil {
		return nil, err
	}
	before := wanted.values(name)
	if len(document) == 0 {
		wanted.Default = name
	}
	wanted.Profiles[name] = &Profile{}
	for _, key := range fileKeys() {
		*settingOf(key).text(wanted.Profiles[name]) = values[key]
	}

	lines := strings.Split(strings.TrimSuffix(string(document), "\n"), "\n")
	if len(document) == 0 {
		lines = []string{assignment("default_profile", name)}
	}
	edited := []byte(strings.Join(editTable(lines, name, before, values), "\n") + "\n")

	// A value that spans several lines, for one, is not edited correctly.
	written, err := parse("", edited)
	if err != nil || !reflect.DeepEqual(written, wanted) {
		return nil, errByHand
	}
	if len(edited) > maxFile {
		return nil, errTooLarge
	}
	return edited, nil
}

// editTable changes the table of a profile, which it adds if there is none, from the values
// before to those wanted. New keys follow the last one of the table.
func editTable(lines []string, name string, before, wanted map[string]string) []string {
	heading := tableHeading(name)
	isHeading := func(line string) bool { return strings.HasPrefix(line, heading) }
	first := 1 + slices.IndexFunc(lines, isHeading)
	if first == 0 {
		lines = append(lines, "", heading)
		first = len(lines)
	}

	present := map[string]bool{}
	end := first // of the lines that have a key
	for i := first; i < len(lines) && !strings.HasPrefix(lines[i], "["); i++ {
		key, _, _ := strings.Cut(lines[i], "=")
		key = strings.TrimSpace(key)
		if settingOf(key) == nil {
			continue
		}
		present[key], end = true, i+1
		switch {
		case wanted[key] == before[key]:
		case wanted[key] == "":
			lines = slices.Delete(lines, i, i+1)
			i, end = i-1, i
		default:
			lines[i] = assignment(key, wanted[key])
		}
	}

	var added []string
	for _, key := range fileKeys() {
		if wanted[key] != "" && !present[key] {
			added = append(added, assignment(key, wanted[key]))
		}
	}
	return slices.Insert(lines, end, added...)
}

// tableHeading returns the line that begins the table of a profile. TOML would read a dot in a
// bare name as a nested table.
func tableHeading(profile string) string {
	if strings.Contains(profile, ".") {
		profile = strconv.Quote(profile)
	}
	return "[profiles." + profile + "]"
}

// assignment returns the line that gives a key its value.
func assignment(key, value string) string { return key + " = " + strconv.Quote(value) }

// FileProfile reads the values of one profile of a profile file, by key, without resolving them.
// If the name is empty, it chooses the default profile, or else the only one. It returns the
// chosen name, which is "" if there is no such profile.
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

// values returns the values of a profile in the file, by key, without empty ones.
func (f *file) values(name string) map[string]string {
	values := map[string]string{}
	for _, s := range settings {
		if p := f.Profiles[name]; p != nil && s.value(p) != "" {
			values[s.key] = s.value(p)
		}
	}
	return values
}
