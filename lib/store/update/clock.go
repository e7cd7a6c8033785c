package update

import (
	"fmt"
	"strconv"
	"time"

	"cortex/lib/hint"
)

// Clock returns the clock that the environment asks for: the time that SOURCE_DATE_EPOCH
// holds (seconds since 1970, see reproducible-builds.org), or time.Now.
func Clock(getenv func(string) string) (func() time.Time, error) {
	value := getenv("SOURCE_DATE_EPOCH")
	if value == "" {
		return time.Now, nil
	}
	seconds, err := strconv.ParseInt(value, 10, 64)
	// RFC 3339 cannot represent years after 9999.
	if err != nil || seconds < 0 || seconds > 253402300799 {
		return nil, hint.Wrap(fmt.Errorf("SOURCE_DATE_EPOCH %q is not a number of seconds since 1970", value),
			"unset SOURCE_DATE_EPOCH, or set it to a time such as 1700000000")
	}
	at := time.Unix(seconds, 0)
	return func() time.Time { return at }, nil
}
