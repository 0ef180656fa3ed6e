package testkit

import "golang.org/x/sys/windows"

// UnderWine reports whether Wine runs the test in place of Windows.
func UnderWine() bool {
	return windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
}
