package layout

import (
	"time"
)

// settled is the least age of a file at which its looks identify its content. A file that looks the same as when its
// content was compared with its digest is not read again; but a younger file could have been written again within the
// resolution of its time stamp.
const settled = 2 * time.Second

// looks identifies a version of a file by its metadata.
type looks struct {
	Inode    uint64 `json:"inode"`
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"`
}
