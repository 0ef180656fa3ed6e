package config

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// errByHand means that a profile file is written in a way that [Edit] cannot change.
var errByHand = errors.New("only an editor can change it in this file")

// Edit returns a profile file in which the table of the named profile has exactly these values,
// by key. All other lines stay as they are, comments and blank lines included. An empty document
// becomes a file whose default profile is this one. The error says why the file cannot be
// changed.
func Edit(document []byte, name string, values map[string]string) ([]byte, error) {
	expected, err := parse("", document)
	if err != nil {
		return nil, err
	}
	before := expected.values(name)
	lines := strings.Split(strings.TrimSuffix(string(document), "\n"), "\n")
	if isNew := len(document) == 0; isNew {
		lines = []string{assignment(keyDefaultProfile, name)}
		expected.Default = name
	}
	expected.Profiles[name] = profileOf(values)
	edited := []byte(strings.Join(editTable(lines, name, before, values), "\n") + "\n")

	// A value that spans several lines, for one, is not edited correctly.
	found, err := parse("", edited)
	if err != nil || !reflect.DeepEqual(found, expected) {
		return nil, errByHand
	}
	if len(edited) > maxFile {
		return nil, errTooLarge
	}
	return edited, nil
}

// profileOf returns the profile as a file has it that has these values, by key.
func profileOf(values map[string]string) *Profile {
	p := &Profile{}
	for _, key := range fileKeys() {
		*settingOf(key).text(p) = values[key]
	}
	return p
}

// editTable changes the table of a profile, which it adds if there is none, from the values
// before to those wanted. New keys follow the last one of the table.
func editTable(lines []string, name string, before, wanted map[string]string) []string {
	lines, first := belowHeading(lines, tableHeading(name))
	present := map[string]bool{}
	end := first // the line below the last one with a key
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
			end = i
			i-- // what follows has moved up
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

// belowHeading returns the index of the line below the heading of a table, which it adds if there
// is none.
func belowHeading(lines []string, heading string) ([]string, int) {
	isHeading := func(line string) bool { return strings.HasPrefix(line, heading) }
	if at := slices.IndexFunc(lines, isHeading); at >= 0 {
		return lines, at + 1
	}
	lines = append(lines, "", heading)
	return lines, len(lines)
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
func FileProfile(
	document []byte, name string,
) (chosen string, values map[string]string, err error) {
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
