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

//go:embed companies.json
var companyRecords []byte

// companies are the records of the reseller's companies. The interface does not show their
// fields; these are made up, and not all records have the same ones.
var companies = sync.OnceValues(func() (records []json.RawMessage, err error) {
	err = json.Unmarshal(companyRecords, &records)
	return records, err
})
