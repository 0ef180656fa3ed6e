package linemode

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"gatehouse/internal/files"
	"gatehouse/internal/records"
)

// export writes the records that are found, in their order, to a file.
func (l *list) export(path string) error {
	write := l.writer(path)
	if write == nil {
		l.say("Type export and the name of a file that ends in .csv, .json or .ndjson.")
		return nil
	}
	path, err := files.ExpandHome(path)
	if err == nil {
		err = l.write(path, false, write)
	}
	if errors.Is(err, files.ErrExists) {
		chosen, refused := l.choose("A file of that name exists.", []string{"Leave it as it is", "Replace it"})
		if refused != nil && !errors.Is(refused, errBack) {
			return refused
		}
		if refused != nil || chosen == 0 {
			l.say("Nothing was written.")
			return nil
		}
		err = l.write(path, true, write)
	}
	switch {
	case l.ctx.Err() != nil:
		return errQuit
	case err != nil:
		l.explain(err)
	default:
		l.say("%s written to %s.", count(len(l.rows), l.names.one, l.names.many), path)
	}
	return nil
}

// writer returns what writes the list in the format that the end of a file's name
// tells, nil if it tells none.
func (l *list) writer(path string) func(context.Context, io.Writer) error {
	view := records.View{Rows: l.rows}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return func(ctx context.Context, w io.Writer) error { return l.table.WriteCSV(ctx, w, view) }
	case ".json":
		return func(ctx context.Context, w io.Writer) error { return l.table.WriteJSON(ctx, w, view) }
	case ".ndjson":
		return func(ctx context.Context, w io.Writer) error { return l.table.WriteNDJSON(ctx, w, view) }
	}
	return nil
}

func (l *list) write(path string, replace bool, write func(context.Context, io.Writer) error) error {
	_, err := await(l.conversation, saying("Still writing."), func(ctx context.Context) (struct{}, error) {
		return struct{}{}, files.Export(ctx, path, replace, func(w io.Writer) error { return write(ctx, w) })
	})
	return err
}
