// Package docs holds the pages that are manual pages too.
package docs

import _ "embed"

// Filters is filters.md, which is gatehouse-filter(7).
//
//go:embed filters.md
var Filters string

// Profiles is profiles.md, which is gatehouse-config(5).
//
//go:embed profiles.md
var Profiles string
