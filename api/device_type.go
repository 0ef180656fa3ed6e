package api

// DeviceType is the kind of a device in a device login (interface section 4.5).
// The empty DeviceType is not sent.
type DeviceType string

// The device types of interface section 4.5, spelled as they are there.
const (
	DevicePc            DeviceType = "Pc"
	DeviceAndroidPhone  DeviceType = "AndroidPhone"
	DeviceAndroidTable  DeviceType = "AndroidTable"
	DeviceIpad          DeviceType = "Ipad"
	DeviceIpadMine      DeviceType = "IpadMine"
	DeviceIphone        DeviceType = "Iphone"
	DeviceWindowsPhone  DeviceType = "WindowsPhone"
	DeviceWindowsTablet DeviceType = "WindowsTablet"
	DeviceMac           DeviceType = "Mac"
	DeviceUnknown       DeviceType = "Unknown"
)

// DeviceTypes returns every device type, in the order of interface section 4.5.
func DeviceTypes() []DeviceType {
	return []DeviceType{
		DevicePc, DeviceAndroidPhone, DeviceAndroidTable, DeviceIpad, DeviceIpadMine,
		DeviceIphone, DeviceWindowsPhone, DeviceWindowsTablet, DeviceMac, DeviceUnknown,
	}
}
