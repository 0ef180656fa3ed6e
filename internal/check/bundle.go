package check

import (
	"archive/zip"
	"encoding/json"
	"io"

	"gatehouse/api"
	"gatehouse/internal/har"
)

// WriteBundle writes a ZIP archive for a ticket: report.json, which is the JSON of `check -o
// json`, report.md and requests.har. version is that of the program. It has no secrets, for
// neither reports nor exchanges have any. The requests stand in the order given.
func WriteBundle(w io.Writer, version string, r Report, requests []*api.Exchange) error {
	archive := zip.NewWriter(w)
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"report.json", func(w io.Writer) error { return writeJSON(w, []Report{r}) }},
		{"report.md", func(w io.Writer) error { _, err := io.WriteString(w, r.Markdown()); return err }},
		{"requests.har", func(w io.Writer) error { return har.Write(w, version, requests) }},
	} {
		header := zip.FileHeader{Name: file.name, Method: zip.Deflate, Modified: r.At}
		part, err := archive.CreateHeader(&header)
		if err != nil {
			return err
		}
		if err := file.write(part); err != nil {
			return err
		}
	}
	return archive.Close()
}

func writeJSON(w io.Writer, reports []Report) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(reports)
}
