package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/format"
	"gatehouse/internal/problem"
	"gatehouse/internal/secret"
)

// Keep stores the client secret of the profile. The error explains itself.
func (d *Draft) Keep(ctx context.Context, value secret.Text) error {
	return d.options.Keep(ctx, d.Name(), value)
}

// Change is a key of the profile that gets another value.
type Change struct{ Key, Before, After string }

// Plan is what is to be written.
type Plan struct {
	// Changes are in the order of the keys; none: the file stays as it is.
	Changes  []Change
	document []byte
}

// Lines are those of the file as it will be.
func (p Plan) Lines() []string {
	return strings.Split(strings.TrimSuffix(string(p.document), "\n"), "\n")
}

// Plan compares the draft with the file. The error is for people: the file cannot be changed.
func (d *Draft) Plan() (Plan, error) {
	document, err := config.Edit(d.document, d.name, d.values)
	if err != nil {
		return Plan{}, fileProblem("changed", d.options.File, err)
	}
	p := Plan{document: document}
	for _, key := range config.Keys() {
		if before, after := d.before[key], d.values[key]; before != after {
			p.Changes = append(p.Changes, Change{key, before, after})
		}
	}
	return p, nil
}

// errChanged means that somebody else has written the file.
var errChanged = errors.New("it has changed since it was read")

// Write writes the file as it was planned. One that is there keeps its owner and mode: a
// server that runs as another user may read it. The error is for people.
func (d *Draft) Write(ctx context.Context, p Plan) error {
	if err := d.write(ctx, p.document); err != nil {
		return fileProblem("written", d.options.File, err)
	}
	return nil
}

func (d *Draft) write(ctx context.Context, document []byte) error {
	path := d.options.File
	now, err := os.ReadFile(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case !bytes.Equal(now, d.document):
		return errChanged
	case d.document != nil:
		return files.Replace(path, document)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return files.Export(ctx, path, false, func(w io.Writer) error {
		_, err := w.Write(document)
		return err
	})
}

// fileProblem says that the profile file could not be read, changed or written.
func fileProblem(done, path string, err error) error {
	hint := "Correct the file in an editor, or name another one with `--config FILE`."
	switch {
	case errors.Is(err, errChanged):
		hint = "Start `gatehouse config init` again."
	case format.IsNewer(err):
		hint = "It is left as it is." // what to do is in the error
	}
	return &problem.Error{Problem: problem.Problem{
		Kind:     problem.Usage,
		Sentence: fmt.Sprintf("the profile file %s could not be %s: %v", path, done, err),
		Hint:     hint,
	}}
}
