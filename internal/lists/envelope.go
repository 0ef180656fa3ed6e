package lists

import (
	"slices"
	"strconv"
	"strings"

	"gatehouse/internal/text/jsonscan"
)

// The rule that tells envelopes from records. It looks at names, and never at how many elements an
// array has, as a list may be empty.
//
//  1. Each element of an array is a record. So is each value of a body that has several (NDJSON).
//     An array in an array is one record. A null alone is no record.
//
//  2. An object that has a name of its own ([identityNames]: Id, Name, ...) is a record, whatever
//     is inside. But if it also has something that only an answer has ([answerNames]: ResponseInfo,
//     jsonrpc, a further page), it is an envelope.
//
//  3. Any other object is an envelope if it has a list. The list is the first of these that there
//     is: the only array with a usual name ([listNames]); the only array that is not about the
//     answer ([asideNames]: errors, links, ...); the only object with a usual name, if it is an
//     envelope or if everything beside it is about the answer; inside another envelope, the only
//     object (GraphQL). The records of an inner object are those that this rule finds in it, or
//     else the object itself.
//
//  4. An object without a list is an empty list if it has a null instead of a list, and beside it
//     something about the answer; inside another envelope, if it has such a null or is empty. Any
//     other object is one record. So is an answer with errors and no records, so that people see
//     them.
//
// An object that maps ids to records is one record, as the ids may be nowhere else.

// Names of members are compared by their letters and digits alone, in lower case: "@odata.nextLink"
// is "odatanextlink".
var (
	// listNames are the usual names of the list in an envelope.
	listNames = setOf(`
		data items value values results result records content d embedded hits entries entry rows
		resources elements edges nodes list response payload member members objects collection`)

	// identityNames are the names of members that say which thing an object is.
	identityNames = setOf("id guid uuid name displayname fullname username title email")

	// answerNames are the names of members that only an answer has.
	answerNames = setOf("responseinfo jsonrpc")

	// asideNames are the names of members that say something about the answer, not about what was
	// asked for.
	asideNames = setOf(`
		message messages status statuscode success ok code error errors warnings meta metadata
		link links included includes facets aggregations aggs sort order fields columns schema
		extensions version kind etag object url href self took timedout shards context type
		apiversion timestamp requestid responsemetadata page paging pagination pageinfo pageable
		pagelen perpage pagesize size number limit offset start startat cursor first last previous
		prev empty help duration`)

	// nextNames are the names of members that, if they are set, lead to a further page.
	nextNames = setOf(`
		next odatanextlink nextlink nextpage nexturl nextpageurl nexthref nextpagetoken nexttoken
		nextcursor nextmarker nextrecordsurl continuationtoken continuation hasmore hasnext
		hasnextpage istruncated incompleteresults`)

	// totalNames are the names of the number of all records.
	totalNames = setOf(`
		total totalcount totalsize totalresults totalitems totalelements totalrecords totalhits
		odatacount count recordcount`)

	// recordNames are those of both that a record may have as well, so that they show no answer.
	recordNames = setOf("next total count")

	// errorNames are the names of members that, if they are set, say what went wrong.
	errorNames = setOf("error errors")

	// pageNames are the names of objects that have members of nextNames and totalNames inside.
	pageNames = setOf(`
		meta metadata links page paging pagination pageinfo responsemetadata responseinfo`)
)

// setOf returns the set of the names in a list with blanks between them.
func setOf(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

// plainName returns the name of a member as its ASCII letters, in lower case, and digits alone.
func plainName(name string) string {
	const dropped = -1
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + ('a' - 'A')
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		}
		return dropped
	}, name)
}

// object is what is known of an object that may be an envelope.
type object struct {
	outer *object // nil: the object is the body

	// The arrays in it that may be the list.
	usualArrays []*list // with a usual name
	arrays      []*list

	// The records of the objects in it that may have the list.
	usualEnvelopes []*list // of envelopes with a usual name
	usualRecords   []*list // of objects with a usual name that are records themselves
	inner          []*list // of objects with another name

	isNamed   bool // it has a name of its own
	isAnswer  bool // it has something that only an answer has
	hasAside  bool // it has something about the answer
	hasErrors bool // it has errors
	hasNull   bool // it has a null instead of a list
	members   int  // how many members it has
	facts     int  // how many of them are neither about the answer nor may be the records
}

// maxEnvelopes is how many envelopes may be inside one another, besides the outermost one.
const maxEnvelopes = 4

// depth returns how many objects the object is in.
func (o *object) depth() int {
	if o.outer == nil {
		return 0
	}
	return 1 + o.outer.depth()
}

// isRecord reports whether the object is a record by its name, as far as it was read.
func (o *object) isRecord() bool { return o.isNamed && !o.isAnswer }

// mayHold reports whether a member may be the list or have it inside: an array or object with a
// plain name, whose first byte is a bracket.
func (o *object) mayHold(name string, bracket byte) bool {
	isArray := bracket == '['
	switch {
	case o.isRecord():
		return false
	case listNames[name]:
		return isArray || o.depth() < maxEnvelopes
	case asideNames[name]:
		return false
	}
	isPage := pageNames[name] || totalNames[name] || nextNames[name]
	isInner := o.outer != nil && o.depth() < maxEnvelopes
	return isArray || isInner && !isPage
}

// list returns the list of the records, as far as the object was read. It is nil if the object is a
// record itself.
func (o *object) list() *list {
	if o.isRecord() {
		return nil
	}
	for _, found := range o.candidates() {
		switch len(found) {
		case 0:
			continue
		case 1:
			return found[0]
		}
		return nil // any of several may be the list
	}
	if o.saysNone() && !o.hasErrors {
		return new(list)
	}
	return nil
}

// candidates are what may be the list, each kind by itself. An earlier kind goes first.
func (o *object) candidates() [][]*list {
	kinds := [][]*list{o.usualArrays, o.arrays, o.usualEnvelopes}
	if o.facts > 0 {
		return kinds
	}
	kinds = append(kinds, o.usualRecords)
	if o.outer != nil {
		kinds = append(kinds, o.inner)
	}
	return kinds
}

// saysNone reports whether the object, which has no list, says that there are no records.
func (o *object) saysNone() bool {
	isAboutAnswer := o.hasAside || o.isAnswer
	if o.outer == nil {
		return o.hasNull && isAboutAnswer
	}
	return o.hasNull || o.members == 0
}

// provisional returns the list while the object is still being read. Of several it is the first.
func (o *object) provisional() *list {
	if found := o.list(); found != nil || o.isRecord() {
		return found
	}
	for _, arrays := range [][]*list{o.usualArrays, o.arrays} {
		if len(arrays) > 0 {
			return arrays[0]
		}
	}
	return nil
}

// addArray adds an array that may be the list.
func (o *object) addArray(name string, elements *list) {
	if listNames[name] {
		o.usualArrays = append(o.usualArrays, elements)
		return
	}
	o.arrays = append(o.arrays, elements)
}

// addObject adds an object that may hold the list, with the records that were found in it.
func (o *object) addObject(name string, records *list, isEnvelope bool) {
	switch {
	case listNames[name] && isEnvelope:
		o.usualEnvelopes = append(o.usualEnvelopes, records)
	case listNames[name]:
		o.usualRecords = append(o.usualRecords, records)
	default:
		o.inner = append(o.inner, records)
	}
}

// note takes note of a member that cannot be the list. sent is its name as it was sent, name the
// same without signs. An at sign marks a member about the answer, such as "@id" of JSON-LD.
func (o *object) note(sent, name string, value []byte) {
	isSet, isNull := isTruthy(value), value[0] == 'n'
	isMarked := strings.HasPrefix(sent, "@")
	switch {
	case isMarked && identityNames[name]:
		o.hasAside = true
	case isNull && listNames[name]:
		o.hasNull = true
	case identityNames[name]:
		o.isNamed = o.isNamed || isSet
		o.facts++
	case answerNames[name]:
		o.isAnswer = true
	case nextNames[name], totalNames[name]:
		o.hasAside = true
		o.isAnswer = o.isAnswer || !recordNames[name]
	case asideNames[name]:
		o.hasAside = true
		o.hasErrors = o.hasErrors || isSet && errorNames[name]
	default:
		o.facts++
	}
}

// isTruthy reports whether a value is neither null, false, empty nor 0.
func isTruthy(value []byte) bool {
	switch value[0] {
	case '{', '[':
		inside := value[jsonscan.SkipSpace(value, 1)]
		isEmpty := inside == '}' || inside == ']'
		return !isEmpty
	}
	return !slices.Contains([]string{"null", "false", `""`, "0"}, string(value))
}

// Further is what a body says about records that it leaves out. How to get them is not known, as
// the interface has no pages.
type Further struct {
	// Total is the number of all records in digits, as it was sent, or "".
	Total string
	// Next reports that the body names another page.
	Next bool
}

// note takes note of a member of an envelope.
func (f *Further) note(name string, value []byte) {
	switch {
	case nextNames[name]:
		f.Next = f.Next || isTruthy(value)
	case name == "last" && string(value) == "false": // this page is not the last one
		f.Next = true
	case totalNames[name] && value[0] == '{': // {"value":300,"relation":"eq"}
		for item := range jsonscan.Items(value, 0) {
			if string(item.Name.Of(value)) == `"value"` {
				f.noteTotal(item.Value.Of(value))
			}
		}
	case totalNames[name]:
		f.noteTotal(value)
	case pageNames[name] && value[0] == '{' && len(value) < maxPage:
		for item := range jsonscan.Items(value, 0) {
			f.note(plainName(string(jsonscan.Unquote(item.Name.Of(value)))), item.Value.Of(value))
		}
	}
}

// maxPage limits an object about pages, in bytes.
const maxPage = 64 << 10

// noteTotal keeps the larger of two numbers, as one of them may be that of the page.
func (f *Further) noteTotal(value []byte) {
	digits := strings.TrimLeft(strings.Trim(string(value), `"`), "0")
	const maxDigits = 18
	isNumber := digits != "" && len(digits) <= maxDigits && strings.Trim(digits, "0123456789") == ""
	if isNumber && isLarger(digits, f.Total) {
		f.Total = digits
	}
}

// beyond reports whether the body says that there are more records than these.
func (f Further) beyond(rows int) bool { return f.Next || isLarger(f.Total, strconv.Itoa(rows)) }

// isLarger compares two numbers in digits without leading zeros, or "" for none.
func isLarger(digits, than string) bool {
	if len(digits) != len(than) {
		return len(digits) > len(than)
	}
	return digits > than
}
