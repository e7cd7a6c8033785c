package listen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// reachTime bounds the time of Reach.
const reachTime = 2 * time.Second

// Reach returns an error unless a cortex server answers at the URL, which the user has configured. It sends only GET
// /health.
func Reach(ctx context.Context, at string) error {
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	u, err := url.Parse(at)
	if err != nil {
		return err
	}
	u.Path, u.RawQuery = "/health", ""
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		var inner *url.Error
		if errors.As(err, &inner) {
			err = cause(inner.Err)
		}
		return err
	}
	defer answer.Body.Close()
	var health struct{ Status string }
	if err := json.NewDecoder(io.LimitReader(answer.Body, headerBytes)).Decode(&health); err != nil || answer.StatusCode != http.StatusOK || health.Status != "ok" {
		return fmt.Errorf("something else answers, with %s", answer.Status)
	}
	return nil
}
