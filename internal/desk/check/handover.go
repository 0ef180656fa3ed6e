package check

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/files"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
)

// Markdown returns the report as a card for a ticket. Texts from outside are one line each and
// cannot begin markup.
func (r Report) Markdown() string {
	var b strings.Builder
	md := safetext.Markdown
	v := r.Verdict
	whose := ""
	if r.Email != "" {
		whose = md(r.Email) + ": "
	}
	fmt.Fprintf(&b, "**%s%s** (%s, `%s`)\n\n%s",
		whose, md(r.Title()), v.State, v.Code, md(v.Sentence))
	if reach := r.Reach(); reach != "" {
		b.WriteString(" " + md(reach))
	}
	b.WriteString("\n")
	if v.Known != "" {
		b.WriteString("\nEvidence: " + md(v.Known) + "\n")
	}
	for i, step := range v.Next {
		if i == 0 {
			b.WriteString("\nNext:\n\n")
		}
		b.WriteString("- " + safetext.MarkdownSpans(step.phrase().spans()) + "\n")
	}
	if v.User != "" {
		b.WriteString("\nTell the user: " + md(v.User) + "\n")
	}
	if len(r.Checks) > 0 {
		b.WriteString("\n| Check | State | Found | Host | Time |\n|---|---|---|---|---|\n")
	}
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n",
			md(c.Name()), c.State, md(c.Summary.String()), md(c.Host), c.Took())
	}
	for _, c := range r.Checks {
		if (c.State == Warn || c.State.Failed()) && len(c.Detail) > 0 {
			b.WriteString("\nDetails: " + md(c.Name()) + "\n\n")
			for _, fact := range c.Detail {
				b.WriteString("- " + md(fact.Label()) + ": " + md(fact.Text()) + "\n")
			}
		}
	}
	took := time.Duration(r.MS) * time.Millisecond
	fmt.Fprintf(&b, "\nCheck %s of %s, %s.\n", md(r.ID), human.Moment(r.At.UTC()), human.Took(took))
	return b.String()
}

// WriteBundle writes a ZIP archive for a ticket: report.json, which is the JSON of `check -o
// json`, report.md and requests.har, which has the requests in the order given. version is the
// version of this program. The archive has no secrets, as neither reports nor exchanges have any.
func WriteBundle(w io.Writer, version string, r Report, requests []*api.Exchange) error {
	archive := zip.NewWriter(w)
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"report.json", func(w io.Writer) error { return writeJSON(w, []Report{r}) }},
		{"report.md", func(w io.Writer) error {
			_, err := io.WriteString(w, r.Markdown())
			return err
		}},
		{"requests.har", func(w io.Writer) error { return api.WriteHAR(w, version, requests) }},
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

// keptVersion is the version of the format that [Report.Keep] returns.
const keptVersion = 1

// kept is a report in a ticket. Older programs put the evidence beside the report.
type kept struct {
	Version int    `json:"version"`
	Report  Report `json:"report"`
	Known   string `json:"known,omitempty"`
	User    string `json:"user,omitempty"`
}

// Keep encodes the report for a ticket; [ReadKept] reads it. It has no secret, as reports have none.
func (r Report) Keep() ([]byte, error) {
	return json.Marshal(kept{Version: keptVersion, Report: r})
}

// ReadKept reads the result of [Report.Keep]. The error is a *[files.NewerError] if a newer program
// wrote it.
func ReadKept(text []byte) (Report, error) {
	var k kept
	err := json.Unmarshal(text, &k)
	// The version comes first, as a newer format may have other types.
	if newer := files.CheckVersion(k.Version, keptVersion); newer != nil {
		return Report{}, newer
	}
	if err != nil || k.Version < 1 {
		return Report{}, errors.New("not a kept report")
	}
	v := &k.Report.Verdict
	v.Known, v.User = cmp.Or(v.Known, k.Known), cmp.Or(v.User, k.User)
	return k.Report, nil
}
