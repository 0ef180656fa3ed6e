package batch

import "bytes"

// fileKinds are kinds of files that are no list, by the bytes with which they begin.
var fileKinds = []struct {
	begin        string
	reason, step string
	packed       bool
}{
	{"PK\x03\x04", "it is a workbook of a spreadsheet (xlsx, ods) or a zip archive", saveAsCSV, false},
	{"\xd0\xcf\x11\xe0", "it is a workbook of an older spreadsheet (xls)", saveAsCSV, false},
	{"\x1f\x8b", "it is compressed with gzip", "Unpack it first, such as with gunzip", true},
	{"%PDF-", "it is a PDF", "Copy the addresses from it into a text file, one per line", false},
}

const saveAsCSV = "Open it in the spreadsheet, save the sheet as CSV (UTF-8), and name that file"

// kindBytes is the number of bytes at the beginning of a file that tell its kind.
const kindBytes = 5

// refusalOf says why a file with this beginning is no list; nil if it may be one.
func refusalOf(start []byte) error {
	for _, kind := range fileKinds {
		if bytes.HasPrefix(start, []byte(kind.begin)) {
			return &FileError{Reason: kind.reason, Step: kind.step, Packed: kind.packed}
		}
	}
	return nil
}
