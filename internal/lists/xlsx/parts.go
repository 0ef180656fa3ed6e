package xlsx

import (
	"fmt"
	"slices"
	"strings"
)

// style is a style of cells, as an index into [cellFormatsXML].
type style int

// The styles, in the order of [cellFormatsXML].
const (
	plainStyle   style = iota
	headingStyle       // bold
	textStyle          // for text that stays text when somebody edits it
	timeStyle
	linkStyle
	firstSizeStyle // of the first of [Units]; those of the others follow
)

// Units are the units of sizes, each a thousand times the previous one.
var Units = []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}

// sizeStyleOf returns the style that shows a number of bytes in a unit.
func sizeStyleOf(unit string) style {
	at := slices.Index(Units, unit)
	if at < 0 {
		return plainStyle
	}
	return firstSizeStyle + style(at)
}

const (
	xmlHead       = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainSpace     = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	documentSpace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSpace  = "http://schemas.openxmlformats.org/package/2006"
	contentType   = "application/vnd.openxmlformats-officedocument.spreadsheetml."

	workbookPart = "xl/workbook.xml"
	sheetPart    = "xl/worksheets/sheet1.xml"
	linksPart    = "xl/worksheets/_rels/sheet1.xml.rels"
)

// sheetHead is the beginning of the sheet. The first row stays in sight when the others scroll.
const sheetHead = xmlHead + `<worksheet xmlns="` + mainSpace + `" xmlns:r="` + documentSpace + `">` +
	`<sheetViews><sheetView workbookViewId="0">` +
	`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>` +
	`<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>` +
	`<sheetFormatPr defaultRowHeight="15"/>`

// workbookXML returns the part that names the sheet, and the range that its headings filter.
func workbookXML(filtered string) string {
	names := ""
	if filtered != "" {
		names = `<definedNames>` +
			`<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">` +
			`Sheet1!` + filtered + `</definedName></definedNames>`
	}
	return xmlHead + `<workbook xmlns="` + mainSpace + `" xmlns:r="` + documentSpace + `">` +
		`<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets>` + names + `</workbook>`
}

// fixedParts are the parts that are the same in all workbooks.
var fixedParts = []struct{ name, text string }{
	{"[Content_Types].xml", xmlHead + `<Types xmlns="` + packageSpace + `/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + contentType + `sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + contentType + `styles+xml"/>` +
		`<Override PartName="/` + sheetPart + `" ContentType="` + contentType + `worksheet+xml"/></Types>`},
	{"_rels/.rels", xmlHead + `<Relationships xmlns="` + packageSpace + `/relationships">` +
		`<Relationship Id="rId1" Type="` + documentSpace + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/_rels/workbook.xml.rels", xmlHead + `<Relationships xmlns="` + packageSpace + `/relationships">` +
		`<Relationship Id="rId1" Type="` + documentSpace + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + documentSpace + `/styles" Target="styles.xml"/></Relationships>`},
	{"xl/styles.xml", stylesXML()},
}

// The ids of number formats.
const (
	generalFormat   = 0  // defined by ECMA-376
	textFormat      = 49 // the same
	timeFormat      = 164
	firstSizeFormat = 165 // of the first of [Units]; those of the others follow
)

// formatsXML returns the number formats. Each comma after the digits of a size divides it by a
// thousand.
func formatsXML() string {
	formats := formatXML(timeFormat, `yyyy\-mm\-dd\ hh:mm`)
	for i, unit := range Units {
		digits := "0"
		if i > 0 {
			digits = "0.0" + strings.Repeat(",", i)
		}
		formats += formatXML(firstSizeFormat+i, digits+`&quot; `+unit+`&quot;`)
	}
	return fmt.Sprintf(`<numFmts count="%d">%s</numFmts>`, 1+len(Units), formats)
}

// formatXML returns a number format.
func formatXML(id int, code string) string {
	return fmt.Sprintf(`<numFmt numFmtId="%d" formatCode="%s"/>`, id, code)
}

// The fonts, in the order of [stylesXML].
const (
	plainFont = iota
	boldFont
	linkFont
)

// cellFormatsXML returns a cell format for each style, in their order.
func cellFormatsXML() string {
	formats := cellFormatXML(generalFormat, plainFont, ``) +
		cellFormatXML(textFormat, boldFont, ` applyNumberFormat="1" applyFont="1"`) +
		cellFormatXML(textFormat, plainFont, ` applyNumberFormat="1" quotePrefix="1"`) +
		cellFormatXML(timeFormat, plainFont, ` applyNumberFormat="1"`) +
		cellFormatXML(generalFormat, linkFont, ` applyFont="1"`)
	for i := range Units {
		formats += cellFormatXML(firstSizeFormat+i, plainFont, ` applyNumberFormat="1"`)
	}
	count := int(firstSizeStyle) + len(Units)
	return fmt.Sprintf(`<cellXfs count="%d">%s</cellXfs>`, count, formats)
}

// cellFormatXML returns a cell format, with the attributes that say what of it counts.
func cellFormatXML(format, font int, applied string) string {
	return fmt.Sprintf(`<xf numFmtId="%d" fontId="%d" fillId="0" borderId="0" xfId="0"%s/>`,
		format, font, applied)
}

// stylesXML returns the part with the fonts and the formats.
func stylesXML() string {
	return xmlHead + `<styleSheet xmlns="` + mainSpace + `">` + formatsXML() +
		`<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>` +
		`<font><b/><sz val="11"/><name val="Calibri"/></font>` +
		`<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		cellFormatsXML() +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}
