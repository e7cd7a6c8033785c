package database

import (
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// isTransient reports whether another attempt may succeed.
func isTransient(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		switch server.Code {
		case "40001", "40P01", // serialization failure, deadlock
			"57P01", "57P02", "57P03", // the server stops, has crashed, starts
			"53300": // too many connections
			return true
		}
		// A protocol violation is permanent: poolers report it for a setting that they do not know.
		return strings.HasPrefix(server.Code, "08") && server.Code != "08P01"
	}
	var connect *pgconn.ConnectError
	return errors.As(err, &connect) || isLost(err)
}

// isLost reports whether the connection was lost.
func isLost(err error) bool {
	var op *net.OpError
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE) || errors.As(err, &op) || strings.Contains(err.Error(), "conn closed") || pgconn.SafeToRetry(err)
}
