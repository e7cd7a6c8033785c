package layout

import (
	"time"
)

// Files that look as they did when their content was compared with its digest are not read again. One that had been written less than settled
// before could have been written again without looking different.
const settled = 2 * time.Second

// looks is what a file looks like.
type looks struct {
	Inode    uint64 `json:"inode"`
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"`
}
