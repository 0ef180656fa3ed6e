package xlsx

// style is the place of a style among the cell formats of [stylesXML].
type style int

// The styles, in the order of their formats.
const (
	plainStyle   style = iota
	headingStyle       // bold
	textStyle          // text that stays text when it is edited
	timeStyle
	smallSizeStyle // up to megabytes
	largeSizeStyle // from gigabytes on
	linkStyle
)

// firstLarge is how many digits a size has at least that counts in gigabytes or more.
const firstLarge = len("1000000000")

// sizeStyleOf is the style of a number of bytes. A number format can tell three units apart.
func sizeStyleOf(digits string) style {
	if len(digits) >= firstLarge {
		return largeSizeStyle
	}
	return smallSizeStyle
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

// sheetHead is the beginning of the sheet. The first row stays where it is when the others move.
const sheetHead = xmlHead + `<worksheet xmlns="` + mainSpace + `" xmlns:r="` + documentSpace + `">` +
	`<sheetViews><sheetView workbookViewId="0">` +
	`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>` +
	`<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>` +
	`<sheetFormatPr defaultRowHeight="15"/>`

// workbookXML names the sheet, and the cells that its headings filter.
func workbookXML(filtered string) string {
	names := ""
	if filtered != "" {
		names = `<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">` +
			"Sheet1!" + filtered + `</definedName></definedNames>`
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
	{"xl/styles.xml", stylesXML},
}

// The number formats. A comma after the digits divides by a thousand, as units of sizes do.
const (
	timeFormat      = `yyyy\-mm\-dd\ hh:mm`
	smallSizeFormat = `[&lt;1000]0&quot; B&quot;;[&lt;1000000]0.0,&quot; kB&quot;;0.0,,&quot; MB&quot;`
	largeSizeFormat = `[&lt;1000000000000]0.0,,,&quot; GB&quot;;[&lt;1000000000000000]0.0,,,,&quot; TB&quot;;0.0,,,,,&quot; PB&quot;`
)

// stylesXML has a cell format for each style, in their order. Format 49 is that of text.
const stylesXML = xmlHead + `<styleSheet xmlns="` + mainSpace + `">` +
	`<numFmts count="3">` +
	`<numFmt numFmtId="164" formatCode="` + timeFormat + `"/>` +
	`<numFmt numFmtId="165" formatCode="` + smallSizeFormat + `"/>` +
	`<numFmt numFmtId="166" formatCode="` + largeSizeFormat + `"/></numFmts>` +
	`<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>` +
	`<font><b/><sz val="11"/><name val="Calibri"/></font>` +
	`<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="7">` +
	`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>` +
	`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/>` +
	`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>` +
	`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
