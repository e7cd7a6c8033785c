package broken

// Good stands before the fault.
func Good() {}

func Bad( {
	x :=
}

// After stands behind it.
func After() int { return 1 }

type T struct {
