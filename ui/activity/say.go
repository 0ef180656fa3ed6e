package activity

import (
	"iter"

	"gatehouse/ui/say"
)

// Say says the request as it was made, and all that is known of it.
func (d *detail) Say() iter.Seq[string] {
	return say.Concat(say.Texts(d.entry.Text), d.Model.Say())
}
