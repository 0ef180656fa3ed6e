package screen

import "slices"

// table is everything that can be done in the UI. Within a scene an action that
// stands further up on the screen goes first where two have the same key: esc
// ends the innermost thing.
func table(tabKeys []KeyEntry) []KeyGroup {
	return []KeyGroup{
		{Title: "Everywhere", where: pages | typing, Entries: []KeyEntry{
			{ID: "root.back", Keys: []string{"esc"}, Title: "back", Description: "go one back; from the outermost screen, quit or sign out", where: pages},
			{ID: "root.help", Keys: []string{"?", "f1"}, Title: "keys", Description: "show every key that works here", Typing: true},
			{ID: "root.palette", Keys: []string{"ctrl+p"}, Title: "go to", Description: "find an action, a screen, a domain or a recent record", Typing: true, Quiet: true, where: anywhere &^ paletteShown},
			{ID: "root.mouse", Keys: []string{"ctrl+t"}, Title: "mouse", Description: "leave the mouse to the terminal, or take it back", Typing: true, Quiet: true, where: anywhere},
			{ID: "root.suspend", Keys: []string{"ctrl+z"}, Title: "suspend", Description: "go back to the shell; fg there leads back here", Typing: true, Quiet: true, where: anywhere},
			{ID: "root.quit", Keys: []string{"q", "ctrl+c"}, Title: "quit", Description: "quit", Typing: true, where: anywhere},
		}},
		{Title: "Inside a domain", where: tabs, Entries: append(slices.Clone(tabKeys),
			KeyEntry{ID: "root.next", Keys: []string{"tab"}, Title: "next tab", Description: "show the next tab"},
			KeyEntry{ID: "root.previous", Keys: []string{"shift+tab"}, Title: "previous tab", Description: "show the previous tab", Quiet: true},
		)},
		{Title: "Domains", where: domainList, Entries: []KeyEntry{
			{ID: "domains.open", Keys: []string{"enter"}, Title: "go in", Description: "go into the domain"},
			{ID: "domains.stop", Keys: []string{"x"}, Title: "stop asking", Description: "stop asking the gateways"},
			{ID: "domains.ask", Keys: []string{"r"}, Title: "ask again", Description: "ask the gateways again how they do and how much is shared"},
			{ID: "domains.address", Keys: []string{"o"}, Title: "address", Description: "show the addresses of the domain"},
			{ID: "domains.again", Keys: []string{"S"}, Title: "sign in again", Description: "sign in again, which reads the list of domains anew"},
			{ID: "domains.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the domain's name", Quiet: true},
		}},
		{Title: "The addresses of a domain", where: addressShown, Entries: []KeyEntry{
			{ID: "address.copy", Keys: []string{"y", "enter"}, Title: "copy", Description: "copy the address under the cursor"},
			{ID: "address.down", Keys: []string{"down", "j"}, Title: "move", Description: "go to the next address"},
			{ID: "address.up", Keys: []string{"up", "k"}, Title: "up", Description: "go to the address before", Quiet: true},
			{ID: "address.close", Keys: []string{"esc", "o"}, Title: "close", Description: "close the addresses"},
		}},
		{Title: "Shares and companies", where: recordList, Entries: []KeyEntry{
			{ID: "browse.open", Keys: []string{"enter"}, Title: "detail", Description: "show the whole record"},
			{ID: "browse.sort", Keys: []string{"s"}, Title: "sort", Description: "sort by the marked column: up, down, as it came"},
			{ID: "browse.columns", Keys: []string{"c"}, Title: "columns", Description: "choose which columns are shown, in which order and how wide"},
			{ID: "browse.values", Keys: []string{"b"}, Title: "values", Description: "count the values of the marked column"},
			{ID: "browse.export", Keys: []string{"e"}, Title: "export", Description: "write what is shown to a file"},
			{ID: "browse.reload", Keys: []string{"r"}, Title: "reload", Description: "ask the service again"},
			{ID: "browse.cancel", Keys: []string{"esc"}, Title: "cancel", Description: "stop loading", where: recordList | waiting},
			{ID: "browse.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the record as JSON", Quiet: true},
			{ID: "browse.signin", Keys: []string{"S"}, Title: "sign in again", Description: "sign in again and come back here"},
			{ID: "companies.ask", Keys: []string{"i"}, Title: "reseller", Description: "give another reseller id or API key"},
		}},
		{Title: "One record", where: record, Entries: []KeyEntry{
			{ID: "detail.next", Keys: []string{"J"}, Title: "next record", Description: "go to the next record of the list"},
			{ID: "detail.previous", Keys: []string{"K"}, Title: "record before", Description: "go to the record before in the list", Quiet: true},
			{ID: "detail.close", Keys: []string{"esc"}, Title: "back", Description: "go back to the list"},
		}},
		listGroup(),
		treeGroup(),
		{Title: "The filter of a list", where: filterTyping, Entries: []KeyEntry{
			{ID: "filter.open", Keys: []string{"/"}, Title: "filter", Description: "filter by words, all of which must be found", where: filtered},
			{ID: "filter.keep", Keys: []string{"enter", "down"}, Title: "keep", Description: "keep what is typed and go on", Typing: true},
			{ID: "browse.complete", Keys: []string{"tab"}, Title: "column", Description: "write out the name of the column that is begun; again, the next one", Typing: true},
			{ID: "filter.clear", Keys: []string{"esc"}, Title: "clear filter", Description: "show everything again", Typing: true, where: filtered | filterTyping},
		}},
		{Title: "Forms", where: formTyping, Entries: []KeyEntry{
			{ID: "form.next", Keys: []string{"enter"}, Title: "next", Description: "go to the next field; after the last, send the form", Typing: true},
			{ID: "form.down", Keys: []string{"tab", "down"}, Title: "fields", Description: "go to the next field", Typing: true},
			{ID: "form.up", Keys: []string{"shift+tab", "up"}, Title: "field before", Description: "go to the field before", Typing: true, Quiet: true},
			{ID: "form.fold", Keys: []string{"ctrl+o"}, Title: "more fields", Description: "show or fold away the lesser fields", Typing: true},
			{ID: "form.leave", Keys: []string{"esc"}, Title: "back", Description: "go back without sending the form", Typing: true},
			{ID: "form.pause", Keys: []string{"esc"}, Title: "leave form", Description: "let go of the form, so that the other keys can be reached", Typing: true},
			{ID: "form.edit", Keys: []string{"enter", "i"}, Title: "edit", Description: "go back into the form", where: formPaused | signIn},
			{ID: "signin.cancel", Keys: []string{"esc"}, Title: "cancel", Description: "stop signing in", where: waiting},
		}},
		{Title: "Device login", where: deviceAnswer, Entries: []KeyEntry{
			{ID: "device.cancel", Keys: []string{"esc"}, Title: "stop waiting", Description: "stop waiting for the answer", where: waiting},
			{ID: "device.form", Keys: []string{"esc", "r"}, Title: "form", Description: "go back to the form"},
			{ID: "device.same", Keys: []string{"a"}, Title: "again with this id", Description: "log in again with the device id of the answer: the form opens with all but the password"},
			{ID: "device.reveal", Keys: []string{"v"}, Title: "reveal tokens", Description: "show or mask the tokens of the answer, until it is left"},
			{ID: "device.compare", Keys: []string{"c"}, Title: "compare", Description: "compare the answer with another one of this run"},
			{ID: "device.results", Keys: []string{"ctrl+r"}, Title: "results", Description: "show the results of this run", Typing: true, where: deviceAnswer | formTyping | formPaused},
		}},
		{Title: "The results of device logins", where: resultsShown, Entries: []KeyEntry{
			{ID: "results.open", Keys: []string{"enter"}, Title: "open", Description: "show the result, without its tokens"},
			{ID: "results.pick", Keys: []string{"space"}, Title: "pick", Description: "pick the result to compare it, or not"},
			{ID: "results.compare", Keys: []string{"c"}, Title: "compare", Description: "compare the two picked results, or one with that under the cursor"},
			{ID: "results.close", Keys: []string{"esc"}, Title: "back", Description: "go back to the answer or the form"},
		}},
		{Title: "Two results compared", where: compareShown, Entries: []KeyEntry{
			{ID: "compare.all", Keys: []string{"a"}, Title: "all", Description: "show also what is the same, or the differences alone"},
			{ID: "compare.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the member under the cursor with both values"},
			{ID: "compare.close", Keys: []string{"esc"}, Title: "back", Description: "go back to where the two were chosen"},
			{ID: "compare.down", Keys: []string{"down", "j"}, Title: "move", Description: "go to the next member"},
			{ID: "compare.up", Keys: []string{"up", "k"}, Title: "up", Description: "go to the member before", Quiet: true},
			{ID: "compare.pagedown", Keys: []string{"pgdown", "ctrl+f"}, Title: "page down", Description: "go one page down", Quiet: true},
			{ID: "compare.pageup", Keys: []string{"pgup", "ctrl+b"}, Title: "page up", Description: "go one page up", Quiet: true},
			{ID: "compare.first", Keys: []string{"home", "g"}, Title: "first", Description: "go to the first member", Quiet: true},
			{ID: "compare.last", Keys: []string{"end", "G"}, Title: "last", Description: "go to the last member", Quiet: true},
		}},
		{Title: "Token", where: tokenTab, Entries: []KeyEntry{
			{ID: "token.renew", Keys: []string{"R"}, Title: "renew", Description: "renew the access token now"},
			{ID: "token.reveal", Keys: []string{"v"}, Title: "reveal", Description: "show or mask the access token"},
			{ID: "token.copy", Keys: []string{"y"}, Title: "copy", Description: "copy what is under the cursor"},
			{ID: "token.copywhole", Keys: []string{"Y"}, Title: "copy token", Description: "copy the access token"},
			{ID: "token.again", Keys: []string{"S"}, Title: "sign in again", Description: "sign in again, which issues the claims anew"},
		}},
		{Title: "Activity", where: activityTab, Entries: []KeyEntry{
			{ID: "activity.open", Keys: []string{"enter"}, Title: "detail", Description: "show all that is known of the request"},
			{ID: "activity.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the request as a curl command, with variables for secrets", where: activityTab | activityEntry},
			{ID: "activity.sort", Keys: []string{"s"}, Title: "sort", Description: "sort by the marked column: up, down, the newest first"},
			{ID: "activity.follow", Keys: []string{"f"}, Title: "follow", Description: "stay with the newest, or stop doing so"},
			{ID: "activity.export", Keys: []string{"e"}, Title: "export", Description: "save the listed requests as an HTTP Archive, without secrets"},
			{ID: "activity.copyvalue", Keys: []string{"Y"}, Title: "copy value", Description: "copy the value under the cursor", where: activityEntry},
			{ID: "activity.close", Keys: []string{"esc"}, Title: "back", Description: "go back to the list", where: activityEntry},
		}},
		columnGroup(),
		valueGroup(),
		exportGroup(),
		overlays(),
	}
}
