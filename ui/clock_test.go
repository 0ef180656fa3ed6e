package ui

import "time"

// requireClockDraws compares what the clock draws with all drawn anew.
func (d *driver) requireClockDraws() {
	d.t.Helper()
	const longAfter = 23*time.Hour + 50*time.Minute // of a token that lives for a day
	r := d.model.root
	for _, size := range sizesInTurn {
		d.Update(size)
		for _, later := range []time.Duration{time.Second, 59 * time.Second, time.Minute, longAfter, longAfter + time.Second, longAfter + 20*time.Second} {
			r.env.Now = func() time.Time { return noon.Add(later) }
			d.Update(clockMsg{})
			byClock, spots := d.model.frame.Content, len(r.frame.spots)
			r.settle()
			if whole := r.view().Content; byClock != whole || spots != len(r.frame.spots) {
				d.t.Errorf("%dx%d, %v later: the clock draws\n%s\nand %d spots, all drawn anew is\n%s\nand %d", size.Width, size.Height, later, byClock, spots, whole, len(r.frame.spots))
			}
			d.Update(sleepMsg{})
			r.env.Now = func() time.Time { return noon.Add(later + time.Minute) }
			d.Update(clockMsg{})
			asleep, dropped := d.model.frame.Content, r.actions == nil
			r.settle()
			if whole := r.view().Content; asleep != whole || !dropped {
				d.t.Errorf("%dx%d, %v later: asleep the clock draws\n%s\nand all drawn anew is\n%s\n, dropped: %v", size.Width, size.Height, later, asleep, whole, dropped)
			}
			r.env.Asleep = false
		}
	}
}
