package problem

import (
	"errors"
	"io/fs"
	"syscall"

	"gatehouse/internal/config"
)

// describeConfig covers configurations that do not hold together.
func describeConfig(err error) (description, bool) {
	if errors.Is(err, config.ErrNoProfile) {
		return description{
			kind: Usage,
			text: "no profile is set up",
			hint: "Write one into " + config.DefaultPath() + " or set the GATEHOUSE_ variables; the README shows how. `gatehouse demo` needs none.",
		}, true
	}
	if e, ok := errors.AsType[*config.Error](err); ok {
		return description{kind: Usage, text: e.Error()}, true
	}
	if e, ok := errors.AsType[*config.DomainError](err); ok {
		return description{kind: Usage, text: e.Error()}, true
	}
	return description{}, false
}

// describeFile covers what the system says of files, standard output among them.
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
