package records

import (
	"context"
	"slices"
)

// chunkSize is how many items one goroutine sorts before they are merged.
const chunkSize = 8 << 10

// sortInParallel returns the items in order, in either the memory of items or new
// memory. No two items may be equal. When the context ends, its error is returned.
func sortInParallel[T any](ctx context.Context, items []T, compare func(a, b T) int) ([]T, error) {
	chunks := (len(items) + chunkSize - 1) / chunkSize
	err := inParallel(ctx, chunks, func(i int) {
		slices.SortFunc(items[i*chunkSize:min((i+1)*chunkSize, len(items))], compare)
	})
	if err != nil || chunks < 2 {
		return items, err
	}
	sorted, spare := items, make([]T, len(items))
	for width := chunkSize; width < len(items); width *= 2 {
		if err := mergePairs(ctx, spare, sorted, width, compare); err != nil {
			return nil, err
		}
		sorted, spare = spare, sorted
	}
	return sorted, nil
}

// mergePairs merges each two neighbours of that width from sorted to dst, every
// pair in several parts, so that the last pair keeps all processors busy too.
func mergePairs[T any](ctx context.Context, dst, sorted []T, width int, compare func(a, b T) int) error {
	parts := (len(sorted) + chunkSize - 1) / chunkSize
	return inParallel(ctx, parts, func(i int) {
		from, to := i*chunkSize, min((i+1)*chunkSize, len(sorted))
		pair := from / (2 * width) * 2 * width
		middle := min(pair+width, len(sorted))
		left, right := sorted[pair:middle], sorted[middle:min(pair+2*width, len(sorted))]
		first, last := cutAt(left, right, from-pair, compare), cutAt(left, right, to-pair, compare)
		merge(dst[from:to], left[first:last], right[from-pair-first:to-pair-last], compare)
	})
}

// cutAt returns how many of the n least items of left and right are in left.
func cutAt[T any](left, right []T, n int, compare func(a, b T) int) int {
	low, high := max(0, n-len(right)), min(n, len(left))
	for low < high {
		middle := (low + high) / 2
		if compare(left[middle], right[n-middle-1]) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

func merge[T any](dst, left, right []T, compare func(a, b T) int) {
	for len(left) > 0 && len(right) > 0 {
		if compare(left[0], right[0]) < 0 {
			dst[0], left = left[0], left[1:]
		} else {
			dst[0], right = right[0], right[1:]
		}
		dst = dst[1:]
	}
	copy(dst[copy(dst, left):], right)
}
