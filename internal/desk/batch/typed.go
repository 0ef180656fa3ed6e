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
	// maxTyped is how many addresses a person may paste, or name a file of, on a screen.
	maxTyped = 100_000
	// maxRemote is the same for a visitor of a server, which many share.
	maxRemote = 1_000
	// maxShown is how many cells of the name of a file are shown.
	maxShown = 60
)

// Pasted reads a text that a person has pasted: one address a line, several in a line, or a CSV
// with a column "email". The error is a sentence for people.
func Pasted(text string, remote bool) (*List, error) {
	list, err := Read(strings.NewReader(text), "")
	if err != nil {
		return nil, unusable("what was pasted", err)
	}
	mayBeAddress := func(text string) bool { return strings.Contains(text, "@") }
	if !slices.ContainsFunc(list.Addresses, mayBeAddress) {
		return nil, errors.New("the pasted text has no e-mail address")
	}
	return list, tooMany(list, remote)
}

// MayBeMany reports whether a text can be more than one address.
func MayBeMany(text string) bool {
	return hostname.HasSeveral(text) || strings.Contains(strings.TrimSpace(text), "\n")
}

// pathBeginnings begin the path of a file, and no e-mail address.
var pathBeginnings = []string{"/", "./", "../", "~/"}

// listExtensions are the extensions of files that have lists of addresses.
var listExtensions = []string{".csv", ".txt", ".tsv", ".list"}

// IsFileName reports whether a text that was typed in place of an address names a file.
func IsFileName(text string) bool {
	if strings.Contains(text, "@") {
		beginsText := func(beginning string) bool { return strings.HasPrefix(text, beginning) }
		return slices.ContainsFunc(pathBeginnings, beginsText)
	}
	hasExtension := slices.Contains(listExtensions, strings.ToLower(filepath.Ext(text)))
	return hasExtension || strings.ContainsAny(text, `/\`)
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
	list.File = filepath.Base(path)
	return list, tooMany(list, false)
}

// unusable says why there is no list of addresses in something.
func unusable(name string, err error) error {
	if reason, ok := errors.AsType[*FileError](err); ok {
		text := fmt.Sprintf("%s cannot be used: %s", name, safetext.Line(reason.Error()))
		if reason.Step != "" {
			text += ". " + strings.TrimSuffix(reason.Step, ".")
		}
		return errors.New(text)
	}
	return fmt.Errorf("%s could not be read: %w", name, files.Reason(err))
}

// tooMany returns an error if a list is too long for a screen.
func tooMany(list *List, remote bool) error {
	limit, instead := maxTyped, "gatehouse check --from FILE takes longer lists"
	if remote {
		limit, instead = maxRemote, "check the others in further lists"
	}
	count := len(list.Addresses)
	if count <= limit {
		return nil
	}
	return fmt.Errorf("there are %s addresses, but at most %s can be checked here at a time: %s",
		human.Number(count), human.Number(limit), instead)
}
