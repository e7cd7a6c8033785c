package rank

// most is the greatest of values that are not negative, 0 if there is none.
func most(values []float32) float32 {
	most := float32(0)
	for _, v := range values {
		if v > most { // which the built-in max takes six times as long to find out
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

// best3 are the three greatest of some values, of which those that are missing count as 0.
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
