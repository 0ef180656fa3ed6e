package problem

import (
	"errors"
	"io/fs"
	"syscall"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
)

// describeConfig describes errors of the configuration.
func describeConfig(err error) (description, bool) {
	if errors.Is(err, config.ErrNoProfile) {
		return description{
			kind: Usage,
			text: "no profile is set up",
			hint: "Set one up with `gatehouse config init`; gatehouse-config(5) describes the file " + config.DefaultPath() + " and the GATEHOUSE_ variables. `gatehouse demo` needs none.",
		}, true
	}
	if e, ok := errors.AsType[*config.Error](err); ok {
		return description{kind: Usage, text: e.Error()}, true
	}
	if e, ok := errors.AsType[*config.DomainError](err); ok {
		return description{kind: Usage, text: e.Error()}, true
	}
	if e, ok := errors.AsType[*config.SecretDomainError](err); ok {
		return description{kind: Usage, text: e.Error() + ", so nothing was sent there", hint: "Check the e-mail address, or ask whoever runs this server."}, true
	}
	return description{}, false
}

// exportHints say what to do about a file that cannot be written.
var exportHints = [...]struct {
	reason error
	hint   string
}{
	{files.ErrExists, "Choose another name, or allow it to be replaced."},
	{files.ErrNoName, "Give it a name."},
	{files.ErrNoDirectory, "Create the directory first, or choose another one."},
	{files.ErrNotRegular, "Choose another name."},
	{files.ErrReadOnly, "Choose a directory that you may write to."},
	{files.ErrNoSpace, "Free some space, or choose another disk. No partial file was left."},
}

// describeExport describes errors of files that a person asked for.
func describeExport(err error) (description, bool) {
	e, ok := errors.AsType[*files.ExportError](err)
	if !ok {
		return description{}, false
	}
	text := "could not write " + e.Path
	for _, known := range exportHints {
		if errors.Is(err, known.reason) {
			return description{text: text + ": " + known.reason.Error(), hint: known.hint}, true
		}
	}
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		text += ": " + number.Error()
	}
	return description{text: text}, true
}

// describeFile describes other system errors of files, standard output included.
func describeFile(err error) (description, bool) {
	path, isPath := errors.AsType[*fs.PathError](err)
	number, isNumber := errors.AsType[syscall.Errno](err)
	switch {
	case isPath && isNumber:
		return description{text: "could not " + path.Op + " " + path.Path + ": " + number.Error()}, true
	case isNumber:
		return description{text: "the system refused: " + number.Error()}, true
	}
	return description{}, false
}
