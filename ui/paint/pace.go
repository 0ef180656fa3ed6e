package paint

import "time"

// atOnce is how many frames need not wait for each other.
const atOnce = 3

// pace lets a few frames through at once and then one in each gap, so that the
// answer to a key does not wait and a flood of messages costs little.
type pace struct {
	gap time.Duration
	// paid is when all frames so far have had their gap.
	paid time.Time
}

// wait returns how long the next frame has to wait.
func (p *pace) wait(now time.Time) time.Duration {
	return max(0, p.paid.Add(-(atOnce-1)*p.gap).Sub(now))
}

// spend takes note of a frame.
func (p *pace) spend(now time.Time) {
	if p.paid.Before(now) {
		p.paid = now
	}
	p.paid = p.paid.Add(p.gap)
}
