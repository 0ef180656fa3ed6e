package screen

// scene is a situation of the UI: what of the table can be live at once. Two
// actions that share no scene may share a key.
type scene uint32

const (
	signIn       scene = 1 << iota
	waiting            // for an answer, with nothing else to be done
	domainList         // the domains
	recordList         // shares, companies
	record             // one of them, whole
	formTyping         // a field of a form has the focus
	formPaused         // a form was let go of
	filterTyping       // the filter line has the focus
	deviceAnswer       // the answer to a device login
	tokenTab
	activityTab
	activityEntry // one request or note of it, whole
	helpShown
	paletteShown
	leaveShown
	closedShown
	columnsShown // the picker of columns
	groupsShown  // the values of a column
	exportShown  // the prompt for a file
	addressShown // the addresses of a domain
	resultsShown // the device logins of this run
	compareShown // two of them
)

const (
	// tabs are the scenes inside a domain in which keys are not text.
	tabs = waiting | recordList | record | formPaused | deviceAnswer | tokenTab | activityTab | activityEntry | resultsShown | compareShown
	// pages are all in which nothing lies over the screen and keys are not text.
	pages = tabs | signIn | domainList | addressShown
	// lists are those with a table of rows, and filtered those with a filter line.
	lists    = filtered | columnsShown | groupsShown | tokenTab | resultsShown
	filtered = domainList | recordList | activityTab
	// trees are those with a foldable document.
	trees = record | deviceAnswer | activityEntry
	// typing are those in which keys are text for the screen.
	typing = formTyping | filterTyping
	// anywhere is all of them.
	anywhere = pages | typing | helpShown | paletteShown | leaveShown | closedShown
)
