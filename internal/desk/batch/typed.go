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
	// maxTyped is the maximum number of addresses that a person can paste into a screen, or have in
	// a file that is named there.
	maxTyped = 100_000
	// maxRemote is that of a visitor of a server, which many visitors share.
	maxRemote = 1_000
	// maxShown is the maximum width of the name of a file in cells.
	maxShown = 60
)

// Pasted reads a text that a person has pasted, which may be anything that [Read] reads. remote is
// for a visitor of a server. The error is a [*TooManyError] or a sentence for people.
func Pasted(text string, remote bool) (*List, error) {
	list, err := Read(strings.NewReader(text), "")
	if err != nil {
		return nil, unusable("what was pasted", err)
	}
	mayBeAddress := func(text string) bool { return strings.Contains(text, "@") }
	if !slices.ContainsFunc(list.Addresses, mayBeAddress) {
		return nil, errors.New("the pasted text has no e-mail address")
	}
	return list, checkLength(list, remote)
}

// MayBeMany reports whether a text may be more than one address.
func MayBeMany(text string) bool {
	return hostname.HasSeveral(text) || strings.Contains(strings.TrimSpace(text), "\n")
}

// pathBeginnings are beginnings of the paths of files, with which no e-mail address begins.
var pathBeginnings = []string{"/", "./", "../", "~/"}

// listExtensions are the usual extensions of files with lists of addresses.
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

// ReadFile reads the addresses of a file. The error is a [*TooManyError] or a
// sentence for people.
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
	case !info.Mode().IsRegular(): // opening a pipe would wait for a writer
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
	return list, checkLength(list, false)
}

// unusable says why there is no list of addresses in what a name stands for.
func unusable(name string, err error) error {
	if reason, ok := errors.AsType[*FileError](err); ok {
		text := fmt.Sprintf("%s cannot be used: %s", name, safetext.Line(reason.Error()))
		if reason.Step != "" {
			text += ". " + reason.Step
		}
		return errors.New(text)
	}
	return fmt.Errorf("%s could not be read: %w", name, files.Reason(err))
}

// TooManyError means that a list is too long for a screen.
type TooManyError struct {
	Count, Max int // addresses
	// Remote is set for a visitor of a server, who can check the others in further lists.
	Remote bool
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("there are %s addresses, but at most %s can be checked here at a time",
		human.Number(e.Count), human.Number(e.Max))
}

// checkLength returns a [*TooManyError] if a list is too long for a screen.
func checkLength(list *List, remote bool) error {
	limit := maxTyped
	if remote {
		limit = maxRemote
	}
	if count := len(list.Addresses); count > limit {
		return &TooManyError{Count: count, Max: limit, Remote: remote}
	}
	return nil
}
