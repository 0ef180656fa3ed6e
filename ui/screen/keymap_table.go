package screen

import "slices"

// table is the key map. If two actions with the same key are live at the same time, the
// more specific one is listed first by its screen: esc ends the innermost thing.
func table(tabKeys []KeyEntry) []KeyGroup {
	return []KeyGroup{
		{Title: "Everywhere", Entries: []KeyEntry{
			{ID: "root.back", Keys: []string{"esc"}, Title: "back", Description: "go back one screen; from the first screen, quit or sign out", Typing: true},
			{ID: "root.help", Keys: []string{"?", "f1"}, Title: "keys", Description: "show every key that works here", Typing: true},
			{ID: "root.palette", Keys: []string{"ctrl+p"}, Title: "all", Description: "find an action, a screen or a domain", Typing: true},
			{ID: "root.check", Keys: []string{"ctrl+k", "i"}, Title: "check an address", Description: "check an address: why can't someone get in?"},
			{ID: "root.signin", Keys: []string{"ctrl+r"}, Title: "sign in again", Description: "sign in again and come back here"},
			{ID: "root.mouse", Keys: []string{"ctrl+t"}, Title: "mouse", Description: "turn the mouse off to select text, or on", Typing: true, Quiet: true},
			{ID: "root.suspend", Keys: []string{"ctrl+z"}, Title: "suspend", Description: "suspend to the shell; fg resumes", Typing: true, Quiet: true},
			{ID: "root.close", Keys: []string{"q"}, Title: "close", Description: "close the current view; on the first screen, quit"},
			{ID: "root.quit", Keys: []string{"ctrl+c"}, Title: "quit now", Description: "quit immediately, from anywhere", Typing: true, Quiet: true},
		}},
		{Title: "Inside a domain", Entries: append(slices.Clone(tabKeys),
			KeyEntry{ID: "root.next", Keys: []string{"tab"}, Title: "next tab", Description: "show the next tab"},
			KeyEntry{ID: "root.previous", Keys: []string{"shift+tab"}, Title: "previous tab", Description: "show the previous tab", Quiet: true},
		)},
		{Title: "Domains", Alone: true, Entries: []KeyEntry{
			{ID: "domains.open", Keys: []string{"enter"}, Title: "open", Description: "open the domain"},
			{ID: "domains.stop", Keys: []string{"x"}, Title: "stop asking", Description: "stop asking the gateways"},
			{ID: "domains.ask", Keys: []string{"r"}, Title: "refresh", Description: "ask the gateways again, and count the shares"},
			{ID: "domains.address", Keys: []string{"o"}, Title: "URLs", Description: "show the URLs of the domain, to open or copy them"},
			{ID: "domains.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the domain's name", Quiet: true},
		}},
		{Title: "Check", Alone: true, Entries: []KeyEntry{
			{ID: "check.open", Keys: []string{"enter"}, Title: "detail", Description: "show the details of the check under the cursor"},
			{ID: "check.again", Keys: []string{"r"}, Title: "check again", Description: "run the same check again and show what changed"},
			{ID: "check.compare", Keys: []string{"v"}, Title: "compare", Description: "compare the report with another from this run"},
			{ID: "check.bundle", Keys: []string{"e"}, Title: "bundle", Description: "save the report and the requests for a ticket, without secrets"},
			{ID: "check.next", Keys: []string{"n"}, Title: "next address", Description: "check another address"},
			{ID: "check.nextrow", Keys: []string{"n", "J"}, Title: "next row", Description: "show the next address of the table"},
			{ID: "check.previousrow", Keys: []string{"N", "K"}, Title: "previous row", Description: "show the previous address of the table", Quiet: true},
			{ID: "check.stop", Keys: []string{"x"}, Title: "stop", Description: "stop the checks; the card lists what is still unknown"},
			{ID: "check.domain", Keys: []string{"d"}, Title: "other domain", Description: "check again with the person's own domain"},
			{ID: "check.password", Keys: []string{"p"}, Title: "with a sign-in", Description: "check again with the person's password, which you type next"},
			{ID: "check.enter", Keys: []string{"s"}, Title: "open the domain", Description: "open the domain with your own session"},
			{ID: "check.ticket", Keys: []string{"m"}, Title: "copy for the ticket", Description: "copy the report as Markdown, without secrets"},
			{ID: "check.user", Keys: []string{"u"}, Title: "copy what to tell the user", Description: "copy what to tell the user"},
			{ID: "check.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the value under the cursor"},
		}},
		{Title: "Lists of records", Alone: true, Entries: []KeyEntry{
			{ID: "browse.open", Keys: []string{"enter"}, Title: "detail", Description: "show the whole record"},
			{ID: "browse.sort", Keys: []string{"s"}, Title: "sort", Description: "sort by the marked column: up, down, original order"},
			{ID: "browse.sortfurther", Keys: []string{"S"}, Title: "then sort", Description: "break ties by the marked column: up, down, off", Quiet: true},
			{ID: "browse.columns", Keys: []string{"c"}, Title: "columns", Description: "choose which columns are shown, and in which order"},
			{ID: "browse.values", Keys: []string{"b"}, Title: "values", Description: "count the values of the marked column"},
			{ID: "browse.export", Keys: []string{"e"}, Title: "export", Description: "save the listed rows to a file"},
			{ID: "browse.reload", Keys: []string{"r"}, Title: "refresh", Description: "load the list again"},
			{ID: "browse.cancel", Keys: []string{"esc"}, Title: "cancel", Description: "stop loading"},
			{ID: "browse.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the record as JSON", Quiet: true},
			{ID: "browse.savefilter", Keys: []string{"F"}, Title: "save filter", Description: "save the filter under a name; the palette finds it", Quiet: true},
			{ID: "browse.preview", Keys: []string{"p"}, Title: "preview", Description: "show the record under the cursor beside the list"},
			{ID: "browse.previewwider", Keys: []string{"["}, Title: "wider preview", Description: "make the preview wider", Quiet: true},
			{ID: "browse.previewnarrower", Keys: []string{"]"}, Title: "narrower preview", Description: "make the preview narrower", Quiet: true},
			{ID: "checks.failed", Keys: []string{"R"}, Title: "check failed again", Description: "check the addresses that failed or are unknown again, and keep the other results"},
			{ID: "companies.ask", Keys: []string{"n", "i"}, Title: "reseller", Description: "enter another reseller id or API key"},
		}},
		{Title: "One record", Alone: true, Entries: []KeyEntry{
			{ID: "record.follow", Keys: []string{"enter"}, Title: "follow", Description: "go to what the value refers to, or show it in the tree"},
			{ID: "record.open", Keys: []string{"o"}, Title: "open", Description: "open the URL in the browser of this desktop"},
			{ID: "record.tree", Keys: []string{"t", "tab"}, Title: "tree", Description: "show the record as a tree, or as fields in groups"},
			{ID: "detail.next", Keys: []string{"J"}, Title: "next record", Description: "go to the next record of the list"},
			{ID: "detail.previous", Keys: []string{"K"}, Title: "previous record", Description: "go to the previous record of the list", Quiet: true},
		}},
		listGroup(),
		treeGroup(),
		{Title: "The filter of a list", Entries: []KeyEntry{
			{ID: "filter.open", Keys: []string{"/"}, Title: "filter", Description: "filter by words; all must match"},
			{ID: "filter.keep", Keys: []string{"enter", "down"}, Title: "keep", Description: "keep the text and continue", Typing: true},
			{ID: "browse.complete", Keys: []string{"tab"}, Title: "column", Description: "complete the name of a column; again for the next one", Typing: true},
			{ID: "filter.clear", Keys: []string{"esc"}, Title: "clear filter", Description: "clear the filter and show everything", Typing: true},
		}},
		{Title: "Forms", Entries: []KeyEntry{
			{ID: "form.next", Keys: []string{"enter"}, Title: "next", Description: "go to the next field; after the last, send the form", Typing: true},
			{ID: "form.down", Keys: []string{"tab", "down"}, Title: "fields", Description: "go to the next field", Typing: true},
			{ID: "form.up", Keys: []string{"shift+tab", "up"}, Title: "previous field", Description: "go to the previous field", Typing: true, Quiet: true},
			{ID: "form.toggle", Keys: []string{"space"}, Title: "tick", Description: "tick the box, or untick it", Typing: true},
			{ID: "form.fold", Keys: []string{"ctrl+o"}, Title: "more fields", Description: "show or hide the less important fields", Typing: true},
			{ID: "form.pause", Keys: []string{"esc"}, Title: "leave form", Description: "leave the form to use the other keys", Typing: true},
			{ID: "form.edit", Keys: []string{"enter"}, Title: "edit", Description: "enter the form"},
			{ID: "signin.account", Keys: []string{"down"}, Title: "demo account", Description: "fill in the next demo account", Typing: true, Quiet: true},
			{ID: "signin.accountbefore", Keys: []string{"up"}, Title: "previous account", Description: "fill in the previous demo account", Typing: true, Quiet: true},
			{ID: "signin.retry", Keys: []string{"ctrl+r"}, Title: "try again", Description: "try again to reach the kept session", Typing: true},
			{ID: "signin.cancel", Keys: []string{"esc"}, Title: "cancel", Description: "stop signing in"},
		}},
		{Title: "Device login", Entries: []KeyEntry{
			{ID: "device.cancel", Keys: []string{"esc"}, Title: "stop waiting", Description: "stop waiting for the answer"},
			{ID: "device.same", Keys: []string{"a"}, Title: "log in again with this id", Description: "log in again with the device id of the answer; asks only for the password"},
			{ID: "device.domain", Keys: []string{"d"}, Title: "other domain", Description: "log in again with the user's primary domain; asks only for the password"},
			{ID: "device.ticket", Keys: []string{"m"}, Title: "copy for the ticket", Description: "copy the verdict and its reasons as Markdown, without secrets"},
			{ID: "device.reveal", Keys: []string{"*"}, Title: "reveal tokens", Description: "show or mask the tokens of the answer"},
			{ID: "device.compare", Keys: []string{"v", "c"}, Title: "compare", Description: "compare the answer with an earlier one"},
			{ID: "device.results", Keys: []string{"ctrl+l"}, Title: "results", Description: "show the results so far", Typing: true},
		}},
		{Title: "Two results compared", Alone: true, Entries: []KeyEntry{
			{ID: "compare.identity", Keys: []string{"-", "i"}, Title: "identity", Description: "show or fold expected differences: names, ids, addresses, quotas, times"},
			{ID: "compare.all", Keys: []string{"a"}, Title: "all", Description: "show everything, or only the differences"},
			{ID: "compare.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the member under the cursor with both values"},
		}},
		{Title: "Token", Alone: true, Entries: []KeyEntry{
			{ID: "token.renew", Keys: []string{"r", "R"}, Title: "renew", Description: "renew the access token now"},
			{ID: "token.reveal", Keys: []string{"*", "v"}, Title: "reveal", Description: "show or mask the access token"},
			{ID: "token.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the value under the cursor"},
			{ID: "token.copywhole", Keys: []string{"Y"}, Title: "copy token", Description: "copy the access token"},
		}},
		{Title: "Activity", Entries: []KeyEntry{
			{ID: "activity.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the request as a curl command, with variables for secrets"},
			{ID: "activity.export", Keys: []string{"e"}, Title: "export", Description: "save the listed requests as an HTTP Archive, without secrets"},
			{ID: "activity.copyvalue", Keys: []string{"Y"}, Title: "copy value", Description: "copy the value under the cursor"},
		}},
		columnGroup(),
		valueGroup(),
		exportGroup(),
		overlays(),
		questions(),
	}
}

func listGroup() KeyGroup {
	return KeyGroup{Title: "Every list", Entries: []KeyEntry{
		{ID: "grid.down", Keys: []string{"down", "j", "ctrl+n"}, Title: "move", Description: "go to the next row"},
		{ID: "grid.up", Keys: []string{"up", "k"}, Title: "up", Description: "go to the previous row", Quiet: true},
		{ID: "grid.pagedown", Keys: []string{"pgdown", "ctrl+f"}, Title: "page down", Description: "go one page down", Quiet: true},
		{ID: "grid.pageup", Keys: []string{"pgup", "ctrl+b"}, Title: "page up", Description: "go one page up", Quiet: true},
		{ID: "grid.first", Keys: []string{"home", "g"}, Title: "first", Description: "go to the first row", Quiet: true},
		{ID: "grid.last", Keys: []string{"end", "G"}, Title: "last", Description: "go to the last row", Quiet: true},
		{ID: "grid.copy", Keys: []string{"Y"}, Title: "copy cell", Description: "copy the value in the marked column, or the row"},
		{ID: "grid.right", Keys: []string{"right", "l"}, Title: "column", Description: "go to the next column"},
		{ID: "grid.left", Keys: []string{"left", "h"}, Title: "previous column", Description: "go to the previous column", Quiet: true},
	}}
}

func treeGroup() KeyGroup {
	return KeyGroup{Title: "Every document", Entries: []KeyEntry{
		{ID: "tree.toggle", Keys: []string{"enter", "space"}, Title: "fold", Description: "fold or unfold"},
		{ID: "tree.right", Keys: []string{"right", "l"}, Title: "unfold", Description: "unfold, or go to the first value inside", Quiet: true},
		{ID: "tree.left", Keys: []string{"left", "h"}, Title: "fold", Description: "fold, or go to the parent", Quiet: true},
		{ID: "tree.copy", Keys: []string{"y"}, Title: "copy value", Description: "copy the value under the cursor"},
		{ID: "tree.copypath", Keys: []string{"Y"}, Title: "copy path", Description: "copy the path of the value under the cursor", Quiet: true},
		{ID: "tree.copyall", Keys: []string{"ctrl+y"}, Title: "copy all", Description: "copy the whole document", Quiet: true},
		{ID: "search.open", Keys: []string{"/"}, Title: "search", Description: "search the names and the values"},
		{ID: "search.keep", Keys: []string{"enter", "down"}, Title: "keep", Description: "keep the text and continue", Typing: true},
		{ID: "search.clear", Keys: []string{"esc"}, Title: "clear search", Description: "end the search", Typing: true},
		{ID: "tree.next", Keys: []string{"n"}, Title: "next match", Description: "go to the next match"},
		{ID: "tree.previous", Keys: []string{"N"}, Title: "previous match", Description: "go to the previous match", Quiet: true},
		{ID: "tree.foldall", Keys: []string{"-"}, Title: "fold all", Description: "fold everything", Quiet: true},
		{ID: "tree.unfoldall", Keys: []string{"+"}, Title: "unfold all", Description: "unfold everything, up to 10,000 lines", Quiet: true},
	}}
}

// questions are what is answered before anything else.
func questions() KeyGroup {
	return KeyGroup{Title: "Questions", Alone: true, Entries: []KeyEntry{
		{ID: "checks.stop", Keys: []string{"enter", "y"}, Title: "stop", Description: "stop checking the addresses, and keep the results so far"},
		{ID: "question.no", Keys: []string{"esc", "n"}, Title: "no", Description: "answer no, and go back"},
		{ID: "leave.quit", Keys: []string{"q"}, Title: "quit", Description: "quit"},
		{ID: "leave.signout", Keys: []string{"o"}, Title: "sign out", Description: "sign out and forget the session"},
		{ID: "closed.retry", Keys: []string{"r"}, Title: "try again", Description: "open the saved session again"},
		{ID: "closed.unsaved", Keys: []string{"m"}, Title: "continue without saving", Description: "sign in without saving the session"},
	}}
}

// overlays are what lies over a screen: the help and the palette.
func overlays() KeyGroup {
	return KeyGroup{Title: "Overlays", Entries: []KeyEntry{
		{ID: "help.close", Keys: []string{"?", "f1", "enter"}, Title: "close", Description: "close this list", Typing: true, Quiet: true},
		{ID: "menu.choose", Keys: []string{"enter"}, Title: "run", Description: "choose the entry under the cursor", Typing: true},
	}}
}

func columnGroup() KeyGroup {
	return KeyGroup{Title: "The columns of a list", Alone: true, Entries: []KeyEntry{
		{ID: "columns.toggle", Keys: []string{"space"}, Title: "show", Description: "show or hide the column"},
		{ID: "columns.close", Keys: []string{"enter", "c"}, Title: "done", Description: "go back to the table", Quiet: true},
		{ID: "columns.down", Keys: []string{"J", "shift+down"}, Title: "move down", Description: "move the column further to the right"},
		{ID: "columns.up", Keys: []string{"K", "shift+up"}, Title: "move up", Description: "move the column further to the left", Quiet: true},
		{ID: "columns.default", Keys: []string{"d"}, Title: "default", Description: "restore the default columns", Quiet: true},
	}}
}

func valueGroup() KeyGroup {
	return KeyGroup{Title: "The values of a column", Alone: true, Entries: []KeyEntry{
		{ID: "groups.only", Keys: []string{"enter"}, Title: "only these", Description: "filter the list by this value"},
		{ID: "groups.exclude", Keys: []string{"x"}, Title: "without these", Description: "filter this value out of the list"},
		{ID: "groups.sort", Keys: []string{"s"}, Title: "by value", Description: "sort by value, or by number of rows"},
	}}
}

func exportGroup() KeyGroup {
	return KeyGroup{Title: "An export", Alone: true, Entries: []KeyEntry{
		{ID: "export.replace", Keys: []string{"y"}, Title: "replace", Description: "replace the existing file"},
		{ID: "export.rename", Keys: []string{"esc", "n"}, Title: "another name", Description: "go back and choose another file"},
	}}
}
