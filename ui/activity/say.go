package activity

import (
	"iter"

	"gatehouse/ui/screen"
)

// Say says the request as it was made, and all that is known of it.
func (d *detail) Say() iter.Seq[string] {
	return screen.Concat(screen.Texts(d.entry.Text), d.Model.Say())
}
