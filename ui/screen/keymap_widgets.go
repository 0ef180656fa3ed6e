package screen

func listGroup() KeyGroup {
	return KeyGroup{Title: "Every list", where: lists, Entries: []KeyEntry{
		{ID: "grid.down", Keys: []string{"down", "j"}, Title: "move", Description: "go to the next row"},
		{ID: "grid.up", Keys: []string{"up", "k"}, Title: "up", Description: "go to the row before", Quiet: true},
		{ID: "grid.pagedown", Keys: []string{"pgdown", "ctrl+f"}, Title: "page down", Description: "go one page down", Quiet: true},
		{ID: "grid.pageup", Keys: []string{"pgup", "ctrl+b"}, Title: "page up", Description: "go one page up", Quiet: true},
		{ID: "grid.first", Keys: []string{"home", "g"}, Title: "first", Description: "go to the first row", Quiet: true},
		{ID: "grid.last", Keys: []string{"end", "G"}, Title: "last", Description: "go to the last row", Quiet: true},
		{ID: "grid.right", Keys: []string{"right", "l"}, Title: "column", Description: "go to the next column", where: recordList | activityTab},
		{ID: "grid.wider", Keys: []string{">"}, Title: "wider", Description: "make the column wider", Quiet: true, where: recordList | activityTab},
		{ID: "grid.narrower", Keys: []string{"<"}, Title: "narrower", Description: "make the column narrower", Quiet: true, where: recordList | activityTab},
		{ID: "grid.hide", Keys: []string{"H"}, Title: "hide", Description: "hide the column", Quiet: true, where: recordList | activityTab},
		{ID: "grid.left", Keys: []string{"left", "h"}, Title: "column before", Description: "go to the column before", Quiet: true, where: recordList | activityTab},
	}}
}

func treeGroup() KeyGroup {
	return KeyGroup{Title: "Every document", where: trees, Entries: []KeyEntry{
		{ID: "tree.down", Keys: []string{"down", "j"}, Title: "move", Description: "go to the next line"},
		{ID: "tree.up", Keys: []string{"up", "k"}, Title: "up", Description: "go to the line before", Quiet: true},
		{ID: "tree.toggle", Keys: []string{"enter", "space"}, Title: "fold", Description: "fold or unfold"},
		{ID: "tree.right", Keys: []string{"right", "l"}, Title: "unfold", Description: "unfold, or go to the first value inside", Quiet: true},
		{ID: "tree.left", Keys: []string{"left", "h"}, Title: "fold", Description: "fold, or go to what this is part of", Quiet: true},
		{ID: "tree.pagedown", Keys: []string{"pgdown", "ctrl+f"}, Title: "page down", Description: "go one page down", Quiet: true},
		{ID: "tree.pageup", Keys: []string{"pgup", "ctrl+b"}, Title: "page up", Description: "go one page up", Quiet: true},
		{ID: "tree.first", Keys: []string{"home", "g"}, Title: "first", Description: "go to the first line", Quiet: true},
		{ID: "tree.last", Keys: []string{"end", "G"}, Title: "last", Description: "go to the last line", Quiet: true},
		{ID: "tree.copy", Keys: []string{"y"}, Title: "copy value", Description: "copy the value under the cursor"},
		{ID: "tree.copypath", Keys: []string{"Y"}, Title: "copy path", Description: "copy the path of the value under the cursor", Quiet: true},
		{ID: "tree.copyall", Keys: []string{"ctrl+y"}, Title: "copy all", Description: "copy the whole document", Quiet: true},
		{ID: "search.open", Keys: []string{"/"}, Title: "search", Description: "search the names and the values"},
		{ID: "search.keep", Keys: []string{"enter", "down"}, Title: "keep", Description: "keep what is typed and go on", Typing: true, where: filterTyping},
		{ID: "search.clear", Keys: []string{"esc"}, Title: "clear search", Description: "end the search", Typing: true, where: trees | filterTyping},
		{ID: "tree.next", Keys: []string{"n"}, Title: "next match", Description: "go to the next match"},
		{ID: "tree.previous", Keys: []string{"N"}, Title: "match before", Description: "go to the match before", Quiet: true},
		{ID: "tree.foldall", Keys: []string{"-"}, Title: "fold all", Description: "fold everything", Quiet: true},
		{ID: "tree.unfoldall", Keys: []string{"+"}, Title: "unfold all", Description: "unfold everything, up to 10,000 lines", Quiet: true},
	}}
}

// overlays are what lies over a screen: the help, the palette, questions.
func overlays() KeyGroup {
	return KeyGroup{Title: "What lies over a screen", Entries: []KeyEntry{
		{ID: "help.close", Keys: []string{"esc", "?", "f1", "q", "enter"}, Title: "close", Description: "close this list", where: helpShown},
		{ID: "help.down", Keys: []string{"down", "j"}, Title: "scroll", Description: "scroll down", where: helpShown},
		{ID: "help.up", Keys: []string{"up", "k"}, Title: "scroll up", Description: "scroll up", Quiet: true, where: helpShown},
		{ID: "help.pagedown", Keys: []string{"pgdown"}, Title: "page down", Description: "go one page down", Quiet: true, where: helpShown},
		{ID: "help.pageup", Keys: []string{"pgup"}, Title: "page up", Description: "go one page up", Quiet: true, where: helpShown},
		{ID: "palette.run", Keys: []string{"enter"}, Title: "do it", Description: "do what is marked", Typing: true, where: paletteShown},
		{ID: "palette.down", Keys: []string{"down", "ctrl+n"}, Title: "move", Description: "mark the next entry", Typing: true, where: paletteShown},
		{ID: "palette.up", Keys: []string{"up", "ctrl+p"}, Title: "up", Description: "mark the entry before", Typing: true, Quiet: true, where: paletteShown},
		{ID: "palette.close", Keys: []string{"esc"}, Title: "close", Description: "close the palette", Typing: true, where: paletteShown},
		{ID: "leave.stay", Keys: []string{"esc"}, Title: "stay", Description: "stay here", where: leaveShown},
		{ID: "leave.quit", Keys: []string{"q"}, Title: "quit", Description: "quit", where: leaveShown},
		{ID: "leave.signout", Keys: []string{"o"}, Title: "sign out", Description: "sign out and forget the session", where: leaveShown},
		{ID: "closed.retry", Keys: []string{"r"}, Title: "try again", Description: "open the saved session again", where: closedShown},
		{ID: "closed.unsaved", Keys: []string{"m"}, Title: "go on without saving", Description: "sign in for as long as this program runs", where: closedShown},
		{ID: "closed.quit", Keys: []string{"q", "esc"}, Title: "quit", Description: "quit; what is saved stays", where: closedShown},
	}}
}

func columnGroup() KeyGroup {
	return KeyGroup{Title: "The columns of a list", where: columnsShown, Entries: []KeyEntry{
		{ID: "columns.toggle", Keys: []string{"space"}, Title: "show", Description: "show or hide the column"},
		{ID: "columns.close", Keys: []string{"enter", "esc", "c"}, Title: "done", Description: "go back to the table"},
		{ID: "columns.down", Keys: []string{"J", "shift+down"}, Title: "move down", Description: "move the column further to the right"},
		{ID: "columns.up", Keys: []string{"K", "shift+up"}, Title: "move up", Description: "move the column further to the left", Quiet: true},
		{ID: "columns.wider", Keys: []string{">"}, Title: "wider", Description: "make the column wider", Quiet: true},
		{ID: "columns.narrower", Keys: []string{"<"}, Title: "narrower", Description: "make the column narrower", Quiet: true},
		{ID: "columns.all", Keys: []string{"a"}, Title: "all", Description: "show all columns"},
		{ID: "columns.undo", Keys: []string{"r"}, Title: "as it was", Description: "undo all changes made here"},
		{ID: "columns.default", Keys: []string{"d"}, Title: "default", Description: "show the columns as if nobody had changed them", Quiet: true},
	}}
}

func valueGroup() KeyGroup {
	return KeyGroup{Title: "The values of a column", where: groupsShown, Entries: []KeyEntry{
		{ID: "groups.only", Keys: []string{"enter"}, Title: "only these", Description: "filter the list by this value"},
		{ID: "groups.exclude", Keys: []string{"x"}, Title: "without these", Description: "filter the list by everything but this value"},
		{ID: "groups.close", Keys: []string{"esc"}, Title: "back", Description: "go back to the list"},
		{ID: "find.open", Keys: []string{"/"}, Title: "find", Description: "find among the values"},
		{ID: "find.keep", Keys: []string{"enter", "down"}, Title: "keep", Description: "keep what is typed and go on", Typing: true, where: filterTyping},
		{ID: "find.clear", Keys: []string{"esc"}, Title: "clear find", Description: "show all values again", Typing: true, where: groupsShown | filterTyping},
	}}
}

func exportGroup() KeyGroup {
	return KeyGroup{Title: "An export", where: exportShown, Entries: []KeyEntry{
		{ID: "export.close", Keys: []string{"esc", "enter"}, Title: "back", Description: "go back to the list"},
		{ID: "export.leave", Keys: []string{"esc"}, Title: "back", Description: "go back to the list without waiting for the end"},
		{ID: "export.cancel", Keys: []string{"esc"}, Title: "cancel", Description: "stop the export; no file is written"},
		{ID: "export.replace", Keys: []string{"y"}, Title: "replace", Description: "replace the file that is there"},
		{ID: "export.rename", Keys: []string{"esc", "n"}, Title: "another name", Description: "go back and give another file"},
		{ID: "export.form", Keys: []string{"esc", "enter"}, Title: "change", Description: "go back and change what is exported, or where"},
		{ID: "export.again", Keys: []string{"r"}, Title: "try again", Description: "try the same once more"},
		{ID: "export.copy", Keys: []string{"y"}, Title: "copy path", Description: "copy the path of the file"},
	}}
}
