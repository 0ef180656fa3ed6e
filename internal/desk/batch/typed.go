package batch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatehouse/internal/files"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
)

const (
	// maxTyped is how many addresses a person may paste or name a file of, on a screen; maxRemote
	// is that of a person on another machine, where many share one.
	maxTyped, maxRemote = 100_000, 1_000
	// maxShown is how many cells of the name of a file are shown.
	maxShown = 60
)

// Pasted reads a text that a person has pasted: one address a line, several in a line, or a CSV
// with a column "email". The error is a sentence for people.
func Pasted(text string, remote bool) (*List, error) {
	list, err := Read(strings.NewReader(text), "")
	if err == nil && !slices.ContainsFunc(list.Addresses, func(a string) bool { return strings.Contains(a, "@") }) {
		return nil, errors.New("the pasted text has no e-mail address")
	}
	if err != nil {
		return nil, unusable("what was pasted", err)
	}
	return list, tooMany(list, remote)
}

// MayBeMany reports whether a text can be more than one address.
func MayBeMany(text string) bool {
	return hostname.HasSeveral(text) || strings.Contains(strings.TrimSpace(text), "\n")
}

// IsFileName reports whether what was typed in place of an address names a file.
func IsFileName(text string) bool {
	if strings.Contains(text, "@") {
		return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || strings.HasPrefix(text, "~/")
	}
	return strings.ContainsAny(text, `/\`) || slices.Contains([]string{".csv", ".txt", ".tsv", ".list"}, strings.ToLower(filepath.Ext(text)))
}

// ReadFile reads the addresses of a file. The error is a sentence for people.
func ReadFile(path string) (*List, error) {
	name := safetext.Clip(path, maxShown)
	path, err := files.ExpandHome(path)
	if err != nil {
		return nil, fmt.Errorf("%s could not be opened: the home directory is not known", name)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, unusable(name, err)
	case !info.Mode().IsRegular(): // opening a pipe would wait for who writes to it
		return nil, fmt.Errorf("%s is not a file; name a file with one address per line", name)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, unusable(name, err)
	}
	defer file.Close()
	list, err := Read(file, "")
	if err != nil {
		return nil, unusable(name, err)
	}
	return list, tooMany(list, false)
}

// unusable says why there is no list of addresses in something.
func unusable(name string, err error) error {
	if reason, ok := errors.AsType[*FileError](err); ok {
		return fmt.Errorf("%s cannot be used: %s", name, safetext.Line(reason.Error()))
	}
	return fmt.Errorf("%s could not be read: %w", name, files.Reason(err))
}

func tooMany(list *List, remote bool) error {
	most, instead := maxTyped, "gatehouse check --from FILE takes longer lists"
	if remote {
		most, instead = maxRemote, "check the others in further lists"
	}
	if len(list.Addresses) > most {
		return fmt.Errorf("there are %s addresses, but at most %s can be checked here at a time: %s", human.Number(len(list.Addresses)), human.Number(most), instead)
	}
	return nil
}
