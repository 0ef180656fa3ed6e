// Package docs has the pages that the program shows, too.
package docs

import _ "embed"

// Profiles is the page about profiles, as Markdown.
//
//go:embed profiles.md
var Profiles string

// Filters is the page about filters, as Markdown.
//
//go:embed filters.md
var Filters string
