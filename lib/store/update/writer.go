package update

import "cortex/lib/store/layout"

// A writer applies one change to the store whose lock it holds, as the plan says.
type writer struct {
	*plan
	lock   *lock
	tables *layout.Tables
	result Result
}
