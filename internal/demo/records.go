package demo

import (
	_ "embed"
	"encoding/json"
	"sync"
)

const (
	resellerID   = "7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314"
	resellerName = "Harbor Cloud Partners"

	companyCount   = 25
	firstCompanyID = 4101
)

//go:embed records.json
var recordsFile []byte

// records are the lists of the gateway that are short. Shares are those of an account in a domain,
// with the fields of the field notes; those of companies are made up, as the interface does not show
// them. Here and there a record lacks a field, has null in place of an object, or one field more.
var records = sync.OnceValue(func() (r struct {
	Companies []json.RawMessage
	Shares    map[string][]json.RawMessage // by e-mail address and domain
}) {
	_ = json.Unmarshal(recordsFile, &r) // it is part of the program, and the tests read it
	return r
})
