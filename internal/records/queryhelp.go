package records

// Help is one thing that can be said in the query language.
type Help struct{ Example, Meaning string }

// QueryHelp returns the query language in examples, in the order in which people
// are likely to need them. Terms are parted by blanks, and all of them have to hold.
func QueryHelp() []Help {
	return []Help{
		{`report`, "the text is anywhere in the record, in capitals or not"},
		{`"annual report"`, `text with a blank in it; \" is a quote and \\ a backslash there`},
		{`annual 2019`, "both are in the record"},
		{`!report`, "not: in front of any term"},
		{`owner:ann`, "the text is in the column; the last part of its name, or the start of it, is enough"},
		{`"display name":ann`, "a column with a blank in its name"},
		{`owner=ann@harbor.example`, "the column is exactly this, in capitals or not"},
		{`owner==Ann`, `exactly this, capitals too; 5, true and ["a"] are no text, "5" and "true" are`},
		{`owner=`, "the column is an empty text"},
		{`owner=null`, `the column is null; the text is owner="null"`},
		{`owner=missing`, "the record has no such member"},
		{`owner!=null`, "the same as !owner=null"},
		{`usage>1000`, "numbers of any length: >, >=, <, <=; lists by their length, text by its order"},
		{`usage>=1.5GB`, "k, MB, GB, TB and so on, in thousands, in columns of numbers"},
		{`created<2020-02`, "times, in UTC or with a zone; a year, month or day is all of it"},
		{`created>7d`, "later than 7 days ago; m, h, d and w are minutes, hours, days and weeks"},
	}
}
