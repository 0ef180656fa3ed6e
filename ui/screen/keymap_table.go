package screen

import (
	"slices"
	"strconv"
)

// ActionID identifies an action. The constants below are all actions; the table in this file has their
// names in the config file, their keys and their texts.
type ActionID uint8

// The actions, in the groups of the table. The actions that show tabs come after all others, see
// [TabEntry].
const (
	NoAction ActionID = iota

	RootBack
	RootHelp
	RootPalette
	RootCheck
	RootSignIn
	RootMouse
	RootSuspend
	RootClose
	RootQuit

	RootNext
	RootPrevious

	DomainsOpen
	DomainsStop
	DomainsAsk
	DomainsAddress
	DomainsCopy
	DomainsCompare
	DomainsExport

	CheckOpen
	CheckAgain
	CheckCompare
	CheckBundle
	CheckNext
	CheckNextRow
	CheckPreviousRow
	CheckStop
	CheckDomain
	CheckAddress
	CheckPassword
	CheckEnter
	CheckTicket
	CheckUser
	CheckCopy
	CheckReports
	CheckForm

	BrowseOpen
	BrowseSort
	BrowseSortFurther
	BrowseColumns
	BrowseValues
	BrowseExport
	BrowseReload
	BrowseWhy
	BrowseCancel
	BrowseCopy
	BrowseCompare
	BrowseSaveFilter
	BrowsePreview
	BrowsePreviewWider
	BrowsePreviewNarrower
	ChecksFailed
	CompaniesAsk

	RecordFollow
	RecordOpen
	RecordTree
	DetailNext
	DetailPrevious

	GridDown
	GridUp
	GridPageDown
	GridPageUp
	GridFirst
	GridLast
	GridCopy
	GridRight
	GridLeft

	GridMark
	GridMarkDown
	GridMarkUp
	GridMarkTo
	GridMarkAll
	GridUnmark

	TreeToggle
	TreeRight
	TreeLeft
	TreeCopy
	TreeCopyPath
	TreeCopyAll
	SearchOpen
	SearchKeep
	SearchClear
	TreeNext
	TreePrevious
	TreeFoldAll
	TreeUnfoldAll

	FilterOpen
	FilterEarlier
	FilterLater
	FilterKeep
	BrowseComplete
	FilterClear

	FormNext
	FormDown
	FormUp
	FormToggle
	FormFold
	FormPause
	FormEdit
	SignInAccount
	SignInAccountBefore
	SignInRetry
	SignInCancel

	DeviceCancel
	DeviceSame
	DeviceDomain
	DeviceTicket
	DeviceReveal
	DeviceCompare
	DeviceResults

	CompareIdentity
	CompareAll
	CompareCopy

	TokenRenew
	TokenReveal
	TokenCopy
	TokenCopyWhole
	TokenForget

	ActivityCopy
	ActivityExport
	ActivityCopyRequest

	ColumnsToggle
	ColumnsClose
	ColumnsDown
	ColumnsUp
	ColumnsDefault

	GroupsOnly
	GroupsExclude
	GroupsSort

	ExportReplace
	ExportRename

	HelpRun
	HelpClose
	MenuChoose
	MenuCopy
	MenuUp

	ChecksStop
	QuestionNo
	LeaveQuit
	LeaveSignOut
	ClosedRetry
	ClosedUnsaved

	actionEnd // the action of the first tab
)

// MaxTabs is how many tabs a domain can have, as each has a digit as its key.
const MaxTabs = 9

// TabEntry declares the action that shows a tab. place is that of the tab from the left, less than
// [MaxTabs].
func TabEntry(place int, title string) KeyEntry {
	digit := strconv.Itoa(place + 1)
	return KeyEntry{
		ID:          actionEnd + ActionID(place),
		Area:        "root",
		Short:       "tab" + digit,
		Keys:        []string{digit},
		Title:       title,
		Description: "show " + title,
		Quiet:       true,
		ForEyes:     true,
	}
}

// table is the default key map. Two actions with the same key may be live at the same time: then the
// screen lists the more specific one first, such as esc for the innermost screen.
func table(tabs []KeyEntry) []KeyGroup {
	return []KeyGroup{
		{Title: "Everywhere", Entries: []KeyEntry{
			{
				ID: RootBack, Area: "root", Short: "back", Keys: []string{"esc"}, Title: "back",
				Description: "go back one screen; from the first screen, quit or sign out",
				Typing:      true, ForEyes: true,
				GoesBack: true,
			},
			{
				ID: RootHelp, Area: "root", Short: "help", Keys: []string{"?", "f1"}, Title: "keys",
				Description: "show every key that works here",
				Typing:      true, ForEyes: true, Also: "help shortcuts",
			},
			{
				ID: RootPalette, Area: "root", Short: "palette", Keys: []string{"ctrl+p"}, Title: "all",
				Description: "find an action, a screen, a domain or a recent record",
				Typing:      true, ForEyes: true,
			},
			{
				ID: RootCheck, Area: "root", Short: "check", Keys: []string{"ctrl+k", "i"}, Title: "check an address",
				Description: "find out why someone can't get in",
				TypesShort:  true,
				Also:        "lookup look up look-up",
			},
			{
				ID: RootSignIn, Area: "root", Short: "signin", Keys: []string{"ctrl+r"}, Title: "sign in again",
				Description: "sign in again and come back here",
				TypesShort:  true,
				SaysTitle:   true,
				Also:        "login log in renew",
			},
			{
				ID: RootMouse, Area: "root", Short: "mouse", Keys: []string{"ctrl+t"}, Title: "mouse",
				Description: "turn the mouse off (so that you can select text) or on again",
				Quiet:       true, Typing: true, ForEyes: true, Also: "select text",
			},
			{
				ID: RootSuspend, Area: "root", Short: "suspend", Keys: []string{"ctrl+z"}, Title: "suspend",
				Description: "suspend to the shell; fg resumes",
				SaysTitle:   true,
				Quiet:       true, Typing: true, ForEyes: true,
			},
			{
				ID: RootClose, Area: "root", Short: "close", Keys: []string{"q"}, Title: "close",
				Description: "close the current view; on the first screen, quit",
				SaysTitle:   true,
				ForEyes:     true, Also: "exit quit",
			},
			{
				ID: RootQuit, Area: "root", Short: "quit", Keys: []string{"ctrl+c"}, Title: "quit now",
				Description: "quit immediately, from anywhere",
				Quiet:       true, Typing: true, ForEyes: true, Also: "exit leave",
			},
		}},
		{Title: "Inside a domain", Entries: append(slices.Clone(tabs),
			KeyEntry{
				ID: RootNext, Area: "root", Short: "next", Keys: []string{"tab"}, Title: "next tab",
				Description: "show the next tab",
				ForEyes:     true,
			},
			KeyEntry{
				ID: RootPrevious, Area: "root", Short: "previous", Keys: []string{"shift+tab"}, Title: "previous tab",
				Description: "show the previous tab",
				Quiet:       true, ForEyes: true,
			},
		)},
		{Title: "Domains", Alone: true, Entries: []KeyEntry{
			{
				ID: DomainsOpen, Area: "domains", Short: "open", Keys: []string{"enter"}, Title: "open",
				Description: "open the domain",
				SaysTitle:   true,
				OpensRow:    true,
			},
			{
				ID: DomainsStop, Area: "domains", Short: "stop", Keys: []string{"x"}, Title: "stop asking",
				Description: "stop asking the gateways",
				SaysTitle:   true,
			},
			{
				ID: DomainsAsk, Area: "domains", Short: "ask", Keys: []string{"r"}, Title: "refresh",
				Description: "ask the gateways again, and count the shares",
				Also:        "reload update",
			},
			{
				ID: DomainsAddress, Area: "domains", Short: "address", Keys: []string{"o"}, Title: "URLs",
				Description: "show the URLs of the domain, to open or copy them",
			},
			{
				ID: DomainsCopy, Area: "domains", Short: "copy", Keys: []string{"y"}, Title: "copy",
				Description: "copy the domain's name, or those of the marked domains",
				SaysTitle:   true,
				Quiet:       true, ForEyes: true,
			},
			{
				ID: DomainsCompare, Area: "domains", Short: "compare", Keys: []string{"v"}, Title: "compare",
				Description: "compare the two marked domains",
				SaysTitle:   true,
				Also:        "diff difference",
			},
			{
				ID: DomainsExport, Area: "domains", Short: "export", Keys: []string{"e"}, Title: "export",
				Description: "save what is known of the listed domains, or of the marked ones, to a file",
				Also:        "download save csv excel",
			},
		}},
		{Title: "Check", Alone: true, Entries: []KeyEntry{
			{
				ID: CheckOpen, Area: "check", Short: "open", Keys: []string{"enter"}, Title: "detail",
				Description: "show the details of the check under the cursor",
				OpensRow:    true,
			},
			{
				ID: CheckAgain, Area: "check", Short: "again", Keys: []string{"r"}, Title: "check again",
				Description: "run the same check again and show what changed",
				Also:        "refresh retry",
			},
			{
				ID: CheckCompare, Area: "check", Short: "compare", Keys: []string{"v"}, Title: "compare",
				Description: "compare the report with another from this run",
				SaysTitle:   true,
				Also:        "diff",
			},
			{
				ID: CheckBundle, Area: "check", Short: "bundle", Keys: []string{"e"}, Title: "save report",
				Description: "save the report and the requests for a ticket, without secrets",
				Also:        "download save zip",
			},
			{
				ID: CheckNext, Area: "check", Short: "next", Keys: []string{"n"}, Title: "another address",
				Description: "check another address",
			},
			{
				ID: CheckNextRow, Area: "check", Short: "nextrow", Keys: []string{"n", "J"}, Title: "next row",
				Description: "show the next address of the table",
			},
			{
				ID: CheckPreviousRow, Area: "check", Short: "previousrow", Keys: []string{"N", "K"}, Title: "previous row",
				Description: "show the previous address of the table",
				Quiet:       true,
			},
			{
				ID: CheckStop, Area: "check", Short: "stop", Keys: []string{"x"}, Title: "stop",
				Description: "stop the checks; the card lists what is still unknown",
				SaysTitle:   true,
				Aside:       true,
			},
			{
				ID: CheckDomain, Area: "check", Short: "domain", Keys: []string{"d"}, Title: "other domain",
				Description: "check again with the person's own domain",
			},
			{
				ID: CheckAddress, Area: "check", Short: "address", Keys: []string{"a"}, Title: "other address",
				Description: "check the address that the service answered for",
			},
			{
				ID: CheckPassword, Area: "check", Short: "password", Keys: []string{"p"}, Title: "check with password",
				Description: "check again with the person's password, which you type next",
				TypesShort:  true,
			},
			{
				ID: CheckEnter, Area: "check", Short: "enter", Keys: []string{"s"}, Title: "open the domain",
				Description: "open the domain with your own session",
				TypesShort:  true,
				SaysTitle:   true,
			},
			{
				ID: CheckTicket, Area: "check", Short: "ticket", Keys: []string{"m"}, Title: "copy for the ticket",
				Description: "copy the report as Markdown, without secrets",
				TypesShort:  true,
				Also:        "clipboard markdown",
				Aside:       true,
			},
			{
				ID: CheckUser, Area: "check", Short: "user", Keys: []string{"u"}, Title: "copy the text for the user",
				Description: "copy the text to send to the person",
				TypesShort:  true,
				Aside:       true,
			},
			{
				ID: CheckCopy, Area: "check", Short: "copy", Keys: []string{"y"}, Title: "copy",
				Description: "copy the value under the cursor",
				SaysTitle:   true,
				ForEyes:     true,
			},
			{
				ID: CheckReports, Area: "check", Short: "reports", Keys: []string{"down", "ctrl+l"}, Title: "earlier reports",
				Description: "go to the reports that were made before, to open one",
				Typing:      true, Also: "history results",
			},
			{
				ID: CheckForm, Area: "check", Short: "form", Keys: []string{"up", "k"}, Title: "back to the form",
				Description: "go back to the fields of the form",
				TypesShort:  true,
				ForEyes:     true,
			},
		}},
		{Title: "Lists of records", Alone: true, Entries: []KeyEntry{
			{
				ID: BrowseOpen, Area: "browse", Short: "open", Keys: []string{"enter"}, Title: "open",
				Description: "show the whole record",
				OpensRow:    true,
			},
			{
				ID: BrowseSort, Area: "browse", Short: "sort", Keys: []string{"s"}, Title: "sort",
				Description: "sort by the current column: up, down, original order",
				SaysTitle:   true,
				ForEyes:     true,
			},
			{
				ID: BrowseSortFurther, Area: "browse", Short: "sortfurther", Keys: []string{"S"}, Title: "then sort",
				Description: "break ties by the current column: up, down, off",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: BrowseColumns, Area: "browse", Short: "columns", Keys: []string{"c"}, Title: "columns",
				Description: "choose which columns are shown, and in which order",
				ForEyes:     true, Also: "settings fields quota size owner",
			},
			{
				ID: BrowseValues, Area: "browse", Short: "values", Keys: []string{"b"}, Title: "count",
				Description: "count the values of the current column",
				SaysTitle:   true,
				ForEyes:     true, Also: "values group statistics quota size owner",
			},
			{
				ID: BrowseExport, Area: "browse", Short: "export", Keys: []string{"e"}, Title: "export",
				Description: "save the listed rows to a file",
				Also:        "download save csv excel",
			},
			{
				ID: BrowseReload, Area: "browse", Short: "reload", Keys: []string{"r"}, Title: "refresh",
				Description: "load the list again",
				Also:        "refresh update",
			},
			{
				ID: BrowseWhy, Area: "browse", Short: "why", Keys: []string{"ctrl+k"}, Title: "check why",
				Description: "find out why there is no list",
			},
			{
				ID: BrowseCancel, Area: "browse", Short: "cancel", Keys: []string{"esc"}, Title: "cancel",
				Description: "stop loading",
				Within:      true,
				GoesBack:    true,
			},
			{
				ID: BrowseCopy, Area: "browse", Short: "copy", Keys: []string{"y"}, Title: "copy",
				Description: "copy the record as JSON",
				SaysTitle:   true,
				Quiet:       true, ForEyes: true,
			},
			{
				ID: BrowseCompare, Area: "browse", Short: "compare", Keys: []string{"v"}, Title: "compare",
				Description: "compare the two marked rows field by field",
				SaysTitle:   true,
				Also:        "diff difference",
			},
			{
				ID: BrowseSaveFilter, Area: "browse", Short: "savefilter", Keys: []string{"F"}, Title: "save filter",
				Description: "save the filter under a name, to use it again",
				Quiet:       true, Also: "bookmark",
			},
			{
				ID: BrowsePreview, Area: "browse", Short: "preview", Keys: []string{"p"}, Title: "preview",
				Description: "show the record under the cursor beside the list",
				ForEyes:     true, Also: "pane side",
			},
			{
				ID: BrowsePreviewWider, Area: "browse", Short: "previewwider", Keys: []string{"["}, Title: "wider preview",
				Description: "make the preview wider",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: BrowsePreviewNarrower, Area: "browse", Short: "previewnarrower", Keys: []string{"]"}, Title: "narrower preview",
				Description: "make the preview narrower",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: ChecksFailed, Area: "checks", Short: "failed", Keys: []string{"R"}, Title: "check failed again",
				Description: "check again the addresses that failed or are unknown; keep the other results",
				TypesShort:  true,
			},
			{
				ID: CompaniesAsk, Area: "companies", Short: "ask", Keys: []string{"n", "i"}, Title: "reseller",
				Description: "enter another reseller id or API key",
			},
		}},
		{Title: "One record", Alone: true, Entries: []KeyEntry{
			{
				ID: RecordFollow, Area: "record", Short: "follow", Keys: []string{"enter"}, Title: "follow",
				Description: "go to what the value refers to, or show it in the tree",
				ForEyes:     true,
			},
			{
				ID: RecordOpen, Area: "record", Short: "open", Keys: []string{"o"}, Title: "open",
				Description: "open the URL in the browser of this desktop",
				SaysTitle:   true,
				ForEyes:     true,
			},
			{
				ID: RecordTree, Area: "record", Short: "tree", Keys: []string{"t", "tab"}, Title: "tree",
				Description: "show the record as a tree, or as fields in groups",
				Also:        "json raw",
			},
			{
				ID: DetailNext, Area: "detail", Short: "next", Keys: []string{"J"}, Title: "next record",
				Description: "go to the next record of the list",
			},
			{
				ID: DetailPrevious, Area: "detail", Short: "previous", Keys: []string{"K"}, Title: "previous record",
				Description: "go to the previous record of the list",
				Quiet:       true,
			},
		}},
		{Title: "Every list", Entries: []KeyEntry{
			{
				ID: GridDown, Area: "grid", Short: "down", Keys: []string{"down", "j", "ctrl+n"}, Title: "move",
				Description: "go to the next row",
				ForEyes:     true,
			},
			{
				ID: GridUp, Area: "grid", Short: "up", Keys: []string{"up", "k"}, Title: "up",
				Description: "go to the previous row",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: GridPageDown, Area: "grid", Short: "pagedown", Keys: []string{"pgdown", "ctrl+f"}, Title: "page down",
				Description: "go one page down",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: GridPageUp, Area: "grid", Short: "pageup", Keys: []string{"pgup", "ctrl+b"}, Title: "page up",
				Description: "go one page up",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: GridFirst, Area: "grid", Short: "first", Keys: []string{"home", "g"}, Title: "first",
				Description: "go to the first row",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: GridLast, Area: "grid", Short: "last", Keys: []string{"end", "G"}, Title: "last",
				Description: "go to the last row",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: GridCopy, Area: "grid", Short: "copy", Keys: []string{"Y"}, Title: "copy cell",
				Description: "copy the value in the current column, or the row",
				ForEyes:     true,
			},
			{
				ID: GridRight, Area: "grid", Short: "right", Keys: []string{"right", "l"}, Title: "next column",
				Description: "go to the next column",
				ForEyes:     true,
			},
			{
				ID: GridLeft, Area: "grid", Short: "left", Keys: []string{"left", "h"}, Title: "previous column",
				Description: "go to the previous column",
				Quiet:       true, ForEyes: true,
			},
		}},
		{Title: "Marks in a list", Entries: []KeyEntry{
			{
				ID: GridMark, Area: "grid", Short: "mark", Keys: []string{"space"}, Title: "mark",
				Description: "mark the row, or take its mark away, and go down one",
				SaysTitle:   true,
				ForEyes:     true, Also: "select choose tick",
			},
			{
				ID: GridMarkDown, Area: "grid", Short: "markdown", Keys: []string{"shift+down"}, Title: "mark down",
				Description: "mark this row and the next one",
				Quiet:       true, ForEyes: true, Also: "select range",
			},
			{
				ID: GridMarkUp, Area: "grid", Short: "markup", Keys: []string{"shift+up"}, Title: "mark up",
				Description: "mark this row and the one above",
				Quiet:       true, ForEyes: true, Also: "select range",
			},
			{
				ID: GridMarkTo, Area: "grid", Short: "markto", Keys: []string{"ctrl+space"}, Title: "mark up to here",
				Description: "mark all rows from the one marked last to this one",
				TypesShort:  true,
				Quiet:       true, ForEyes: true, Also: "select range",
			},
			{
				ID: GridMarkAll, Area: "grid", Short: "markall", Keys: []string{"A"}, Title: "mark all",
				Description: "mark all rows that the filter shows; again: take their marks away",
				SaysTitle:   true,
				Quiet:       true, ForEyes: true, Also: "select everything",
			},
			{
				ID: GridUnmark, Area: "grid", Short: "unmark", Keys: []string{"esc"}, Title: "unmark",
				Description: "take all marks away",
				Within:      true, Also: "deselect clear",
				GoesBack: true,
			},
		}},
		{Title: "Every document", Entries: []KeyEntry{
			{
				ID: TreeToggle, Area: "tree", Short: "toggle", Keys: []string{"enter", "space"}, Title: "fold",
				Description: "fold or unfold",
				SaysTitle:   true,
				ForEyes:     true,
			},
			{
				ID: TreeRight, Area: "tree", Short: "right", Keys: []string{"right", "l"}, Title: "unfold",
				Description: "unfold, or go to the first value inside",
				SaysTitle:   true,
				Quiet:       true, ForEyes: true,
			},
			{
				ID: TreeLeft, Area: "tree", Short: "left", Keys: []string{"left", "h"}, Title: "fold",
				Description: "fold, or go to the parent",
				SaysTitle:   true,
				Quiet:       true, ForEyes: true,
			},
			{
				ID: TreeCopy, Area: "tree", Short: "copy", Keys: []string{"y"}, Title: "copy value",
				Description: "copy the value under the cursor",
				ForEyes:     true,
			},
			{
				ID: TreeCopyPath, Area: "tree", Short: "copypath", Keys: []string{"Y"}, Title: "copy path",
				Description: "copy the path of the value under the cursor",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: TreeCopyAll, Area: "tree", Short: "copyall", Keys: []string{"ctrl+y"}, Title: "copy all",
				Description: "copy the whole document",
				Quiet:       true, ForEyes: true, Also: "clipboard json",
			},
			{
				ID: SearchOpen, Area: "search", Short: "open", Keys: []string{"/"}, Title: "search",
				Description: "search the names and the values",
				SaysTitle:   true,
				ForEyes:     true, Also: "find filter",
			},
			{
				ID: SearchKeep, Area: "search", Short: "keep", Keys: []string{"enter", "down"}, Title: "keep",
				Description: "keep the text and continue",
				SaysTitle:   true,
				Typing:      true, ForEyes: true,
			},
			{
				ID: SearchClear, Area: "search", Short: "clear", Keys: []string{"esc"}, Title: "clear search",
				Description: "end the search",
				Typing:      true, ForEyes: true, Within: true,
				GoesBack: true,
			},
			{
				ID: TreeNext, Area: "tree", Short: "next", Keys: []string{"n"}, Title: "next match",
				Description: "go to the next match",
				ForEyes:     true,
			},
			{
				ID: TreePrevious, Area: "tree", Short: "previous", Keys: []string{"N"}, Title: "previous match",
				Description: "go to the previous match",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: TreeFoldAll, Area: "tree", Short: "foldall", Keys: []string{"-"}, Title: "fold all",
				Description: "fold everything",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: TreeUnfoldAll, Area: "tree", Short: "unfoldall", Keys: []string{"+"}, Title: "unfold all",
				Description: "unfold everything, up to 10,000 lines",
				Quiet:       true, ForEyes: true,
			},
		}},
		{Title: "The filter of a list", Entries: []KeyEntry{
			{
				ID: FilterOpen, Area: "filter", Short: "open", Keys: []string{"/"}, Title: "filter",
				Description: "filter by words; all must match",
				SaysTitle:   true,
				ForEyes:     true, Also: "search find query",
			},
			{
				ID: FilterEarlier, Area: "filter", Short: "earlier", Keys: []string{"up"}, Title: "earlier",
				Description: "bring back the filter before, in an empty line",
				Typing:      true, ForEyes: true, Also: "history previous",
			},
			{
				ID: FilterLater, Area: "filter", Short: "later", Keys: []string{"down"}, Title: "later",
				Description: "bring back the filter after it",
				Quiet:       true, Typing: true, ForEyes: true,
			},
			{
				ID: FilterKeep, Area: "filter", Short: "keep", Keys: []string{"enter", "down"}, Title: "keep",
				Description: "keep the text and continue",
				SaysTitle:   true,
				Typing:      true, ForEyes: true,
			},
			{
				ID: BrowseComplete, Area: "browse", Short: "complete", Keys: []string{"tab"}, Title: "column",
				Description: "complete the name of a column; again for the next one",
				Typing:      true, ForEyes: true,
			},
			{
				ID: FilterClear, Area: "filter", Short: "clear", Keys: []string{"esc"}, Title: "clear filter",
				Description: "clear the filter and show everything",
				Typing:      true, ForEyes: true, Within: true,
				GoesBack: true,
			},
		}},
		{Title: "Forms", Entries: []KeyEntry{
			{
				ID: FormNext, Area: "form", Short: "next", Keys: []string{"enter"}, Title: "next",
				Description: "go to the next field; after the last, send the form",
				Typing:      true, ForEyes: true,
			},
			{
				ID: FormDown, Area: "form", Short: "down", Keys: []string{"tab", "down"}, Title: "next field",
				Description: "go to the next field",
				Typing:      true, ForEyes: true,
			},
			{
				ID: FormUp, Area: "form", Short: "up", Keys: []string{"shift+tab", "up"}, Title: "previous field",
				Description: "go to the previous field",
				Quiet:       true, Typing: true, ForEyes: true,
			},
			{
				ID: FormToggle, Area: "form", Short: "toggle", Keys: []string{"space"}, Title: "tick",
				Description: "tick the box, or untick it",
				SaysTitle:   true,
				Typing:      true, ForEyes: true,
			},
			{
				ID: FormFold, Area: "form", Short: "fold", Keys: []string{"ctrl+o"}, Title: "more fields",
				Description: "see the less important fields too",
				Typing:      true,
			},
			{
				ID: FormPause, Area: "form", Short: "pause", Keys: []string{"esc"}, Title: "leave form",
				Description: "leave the form to use the other keys",
				Typing:      true, ForEyes: true, Within: true,
				GoesBack: true,
			},
			{
				ID: FormEdit, Area: "form", Short: "edit", Keys: []string{"enter"}, Title: "edit",
				Description: "start to fill in the form",
				ForEyes:     true,
			},
			{
				ID: SignInAccount, Area: "signin", Short: "account", Keys: []string{"down"}, Title: "demo account",
				Description: "fill in the next demo account",
				Quiet:       true, Typing: true, ForEyes: true,
			},
			{
				ID: SignInAccountBefore, Area: "signin", Short: "accountbefore", Keys: []string{"up"}, Title: "previous account",
				Description: "fill in the previous demo account",
				Quiet:       true, Typing: true, ForEyes: true,
			},
			{
				ID: SignInRetry, Area: "signin", Short: "retry", Keys: []string{"ctrl+r"}, Title: "try again",
				Description: "reach the kept session",
				Typing:      true,
			},
			{
				ID: SignInCancel, Area: "signin", Short: "cancel", Keys: []string{"esc"}, Title: "cancel",
				Description: "stop signing in",
				GoesBack:    true,
			},
		}},
		{Title: "Device login", Entries: []KeyEntry{
			{
				ID: DeviceCancel, Area: "device", Short: "cancel", Keys: []string{"esc"}, Title: "stop waiting",
				Description: "stop waiting for the answer",
				SaysTitle:   true,
				GoesBack:    true,
			},
			{
				ID: DeviceSame, Area: "device", Short: "same", Keys: []string{"a"}, Title: "log in with this device id",
				Description: "log in again with the device id of the answer; asks only for the password",
				TypesShort:  true,
			},
			{
				ID: DeviceDomain, Area: "device", Short: "domain", Keys: []string{"d"}, Title: "other domain",
				Description: "log in again with the user's primary domain; asks only for the password",
			},
			{
				ID: DeviceTicket, Area: "device", Short: "ticket", Keys: []string{"m"}, Title: "copy for the ticket",
				Description: "copy the verdict and its reasons as Markdown, without secrets",
				TypesShort:  true,
				Also:        "clipboard markdown",
				Aside:       true,
			},
			{
				ID: DeviceReveal, Area: "device", Short: "reveal", Keys: []string{"*"}, Title: "reveal tokens",
				Description: "show or mask the tokens of the answer",
				ForEyes:     true,
			},
			{
				ID: DeviceCompare, Area: "device", Short: "compare", Keys: []string{"v", "c"}, Title: "compare",
				Description: "compare the answer with an earlier one",
				SaysTitle:   true,
				Also:        "diff",
			},
			{
				ID: DeviceResults, Area: "device", Short: "results", Keys: []string{"ctrl+l"}, Title: "results",
				Description: "show the results so far",
				Typing:      true, Also: "history",
			},
		}},
		{Title: "Two results compared", Alone: true, Entries: []KeyEntry{
			{
				ID: CompareIdentity, Area: "compare", Short: "identity", Keys: []string{"-", "i"}, Title: "show expected",
				Description: "show or hide the expected differences: names, ids, addresses, quotas, times",
			},
			{
				ID: CompareAll, Area: "compare", Short: "all", Keys: []string{"a"}, Title: "all",
				Description: "show everything, or only the differences",
			},
			{
				ID: CompareCopy, Area: "compare", Short: "copy", Keys: []string{"y"}, Title: "copy",
				Description: "copy the member under the cursor with both values",
				SaysTitle:   true,
				ForEyes:     true,
			},
		}},
		{Title: "Token", Alone: true, Entries: []KeyEntry{
			{
				ID: TokenRenew, Area: "token", Short: "renew", Keys: []string{"r", "R"}, Title: "renew",
				Description: "renew the access token now",
				SaysTitle:   true,
				Also:        "refresh",
			},
			{
				ID: TokenReveal, Area: "token", Short: "reveal", Keys: []string{"*", "v"}, Title: "reveal",
				Description: "show or mask the access token",
				ForEyes:     true,
			},
			{
				ID: TokenCopy, Area: "token", Short: "copy", Keys: []string{"y"}, Title: "copy",
				Description: "copy the value under the cursor",
				SaysTitle:   true,
				ForEyes:     true,
			},
			{
				ID: TokenCopyWhole, Area: "token", Short: "copywhole", Keys: []string{"Y"}, Title: "copy token",
				Description: "copy the access token",
				ForEyes:     true, Also: "clipboard",
			},
			{
				ID: TokenForget, Area: "token", Short: "forget", Keys: []string{"F"}, Title: "forget",
				Description: "forget the session kept for your key",
				SaysTitle:   true,
			},
		}},
		{Title: "Activity", Entries: []KeyEntry{
			{
				ID: ActivityCopy, Area: "activity", Short: "copy", Keys: []string{"y"}, Title: "copy",
				Description: "copy the request as a curl command, with variables for secrets",
				SaysTitle:   true,
			},
			{
				ID: ActivityExport, Area: "activity", Short: "export", Keys: []string{"e"}, Title: "export",
				Description: "save the listed requests as an HTTP Archive, without secrets",
				Also:        "download save har",
			},
			{
				ID: ActivityCopyRequest, Area: "activity", Short: "copyrequest", Keys: []string{"Y"}, Title: "copy request",
				Description: "copy the request as a curl command, with variables for secrets",
			},
		}},
		{Title: "The columns of a list", Alone: true, Entries: []KeyEntry{
			{
				ID: ColumnsToggle, Area: "columns", Short: "toggle", Keys: []string{"space"}, Title: "show",
				Description: "show or hide the column",
				SaysTitle:   true,
				ForEyes:     true,
			},
			{
				ID: ColumnsClose, Area: "columns", Short: "close", Keys: []string{"enter", "c"}, Title: "done",
				Description: "go back to the table",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: ColumnsDown, Area: "columns", Short: "down", Keys: []string{"J", "shift+down"}, Title: "move down",
				Description: "move the column further to the right",
				ForEyes:     true,
			},
			{
				ID: ColumnsUp, Area: "columns", Short: "up", Keys: []string{"K", "shift+up"}, Title: "move up",
				Description: "move the column further to the left",
				Quiet:       true, ForEyes: true,
			},
			{
				ID: ColumnsDefault, Area: "columns", Short: "default", Keys: []string{"d"}, Title: "default",
				Description: "restore the default columns",
				Quiet:       true, ForEyes: true,
			},
		}},
		{Title: "The values of a column", Alone: true, Entries: []KeyEntry{
			{
				ID: GroupsOnly, Area: "groups", Short: "only", Keys: []string{"enter"}, Title: "show only",
				Description: "filter the list by this value",
				OpensRow:    true,
			},
			{
				ID: GroupsExclude, Area: "groups", Short: "exclude", Keys: []string{"x"}, Title: "hide",
				Description: "filter this value out of the list",
			},
			{
				ID: GroupsSort, Area: "groups", Short: "sort", Keys: []string{"s"}, Title: "sort by value",
				Description: "sort by number of rows, by sum of sizes, or by value",
				TypesShort:  true,
			},
		}},
		{Title: "An export", Alone: true, Entries: []KeyEntry{
			{
				ID: ExportReplace, Area: "export", Short: "replace", Keys: []string{"y"}, Title: "replace",
				Description: "replace the existing file",
				SaysTitle:   true,
			},
			{
				ID: ExportRename, Area: "export", Short: "rename", Keys: []string{"esc", "n"}, Title: "another name",
				Description: "go back and choose another file",
				GoesBack:    true,
			},
		}},
		{Title: "Overlays", Entries: []KeyEntry{
			{
				ID: HelpRun, Area: "help", Short: "run", Keys: []string{"enter"}, Title: "run",
				Description: "close this list and run the key that is chosen",
				Typing:      true, ForEyes: true,
			},
			{
				ID: HelpClose, Area: "help", Short: "close", Keys: []string{"?", "f1"}, Title: "close",
				Description: "close this list",
				SaysTitle:   true,
				Quiet:       true, Typing: true, ForEyes: true,
			},
			{
				ID: MenuChoose, Area: "menu", Short: "choose", Keys: []string{"enter"}, Title: "run",
				Description: "choose the entry under the cursor",
				Typing:      true, ForEyes: true,
				OpensRow: true,
			},
			{
				ID: MenuCopy, Area: "menu", Short: "copy", Keys: []string{"y"}, Title: "copy",
				Description: "copy the entry under the cursor",
				SaysTitle:   true,
				ForEyes:     true,
			},
			{
				ID: MenuUp, Area: "menu", Short: "up", Keys: []string{"ctrl+p"}, Title: "up",
				Description: "go to the previous row",
				Quiet:       true, Typing: true, ForEyes: true,
			},
		}},
		{Title: "Questions", Alone: true, Entries: []KeyEntry{
			{
				ID: ChecksStop, Area: "checks", Short: "stop", Keys: []string{"enter", "y"}, Title: "stop",
				Description: "stop checking the addresses, and keep the results so far",
				SaysTitle:   true,
			},
			{
				ID: QuestionNo, Area: "question", Short: "no", Keys: []string{"esc", "n"}, Title: "no",
				Description: "answer no, and go back",
				GoesBack:    true,
			},
			{
				ID: LeaveQuit, Area: "leave", Short: "quit", Keys: []string{"q"}, Title: "quit",
				Description: "quit",
				SaysTitle:   true,
			},
			{
				ID: LeaveSignOut, Area: "leave", Short: "signout", Keys: []string{"o"}, Title: "sign out",
				Description: "sign out and forget the session",
				SaysTitle:   true,
			},
			{
				ID: ClosedRetry, Area: "closed", Short: "retry", Keys: []string{"r"}, Title: "try again",
				Description: "open the saved session again",
			},
			{
				ID: ClosedUnsaved, Area: "closed", Short: "unsaved", Keys: []string{"m"}, Title: "continue without saving",
				Description: "sign in without saving the session",
				TypesShort:  true,
			},
		}},
	}
}
