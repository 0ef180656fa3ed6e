package prompt

import "golang.org/x/sys/windows"

// discardTyped throws away what was typed on a terminal and not read yet.
func discardTyped(fd int) { _ = windows.FlushConsoleInputBuffer(windows.Handle(fd)) }
