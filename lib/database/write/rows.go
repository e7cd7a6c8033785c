package write

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A table collects rows, as text, to be written into a table of the database.
type table struct {
	name    string
	columns []column
	rows    [][]string
	bytes   int
	// hasStage says that the temporary table for staged rows exists.
	hasStage bool
}

// A column is a column's name and the type to which its text is cast.
type column struct{ name, kind string }

// null stands for NULL; no other value contains a zero byte.
const null = "\x00"

func columnsOf(text string) (list []column) {
	for part := range strings.SplitSeq(text, ", ") {
		name, kind, _ := strings.Cut(part, " ")
		list = append(list, column{name, kind})
	}
	return list
}

func (t *table) add(values ...string) {
	t.rows = append(t.rows, values)
	for _, v := range values {
		t.bytes += len(v) + 1
	}
}

// A writeMethod is a method of writing rows into a table.
type writeMethod int

const (
	// copied rows are written by COPY.
	copied writeMethod = iota
	// staged rows are copied into a temporary table and inserted from there, since COPY does not support row-level
	// security.
	staged
	// inserted rows are parameters of INSERT statements, for servers that do not support COPY.
	inserted
)

// flush writes the rows into the database by the given method, and empties the table.
func (t *table) flush(ctx context.Context, tx pgx.Tx, by writeMethod) (err error) {
	if len(t.rows) == 0 {
		return nil
	}
	if !strings.Contains(t.name, ".") && by == staged {
		by = copied // the table is itself temporary
	}
	switch by {
	case copied:
		err = t.copy(ctx, tx, t.name)
	case staged:
		err = t.stage(ctx, tx)
	case inserted:
		err = t.insert(ctx, tx)
	}
	t.rows, t.bytes = t.rows[:0], 0
	if err != nil {
		return fmt.Errorf("write %s: %w", t.name, err)
	}
	return nil
}

func (t *table) names() string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}

func (t *table) stage(ctx context.Context, tx pgx.Tx) error {
	name := "cortex_staged_" + t.name[strings.IndexByte(t.name, '.')+1:]
	if !t.hasStage {
		if _, err := tx.Exec(ctx, "CREATE TEMPORARY TABLE "+name+" (LIKE "+t.name+") ON COMMIT DROP"); err != nil {
			return err
		}
		t.hasStage = true
	}
	if err := t.copy(ctx, tx, name); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO "+t.name+" ("+t.names()+") SELECT "+t.names()+" FROM "+name); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "TRUNCATE "+name)
	return err
}

func (t *table) copy(ctx context.Context, tx pgx.Tx, name string) error {
	var b bytes.Buffer
	b.Grow(t.bytes + t.bytes/8)
	for _, row := range t.rows {
		for i, value := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			if value == null {
				b.WriteString(`\N`)
				continue
			}
			start := 0
			for j := range len(value) {
				letter := byte(0)
				switch value[j] {
				case '\\':
					letter = '\\'
				case '\n':
					letter = 'n'
				case '\r':
					letter = 'r'
				case '\t':
					letter = 't'
				default:
					continue
				}
				b.WriteString(value[start:j])
				b.WriteByte('\\')
				b.WriteByte(letter)
				start = j + 1
			}
			b.WriteString(value[start:])
		}
		b.WriteByte('\n')
	}
	_, err := tx.Conn().PgConn().CopyFrom(ctx, &b, "COPY "+name+" ("+t.names()+") FROM STDIN")
	return err
}

// insertBytes bounds the size in bytes of the parameters of a statement.
const insertBytes = 4 << 20

func (t *table) insert(ctx context.Context, tx pgx.Tx) error {
	var params, casts []string
	for i, c := range t.columns {
		params = append(params, fmt.Sprintf("$%d::text[]", i+1))
		casts = append(casts, fmt.Sprintf("r.c%d::%s", i, c.kind))
	}
	names := make([]string, len(t.columns))
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i)
	}
	sql := "INSERT INTO " + t.name + " (" + t.names() + ") SELECT " + strings.Join(casts, ", ") + " FROM unnest(" + strings.Join(params, ", ") + ") AS r(" + strings.Join(names, ", ") + ")"
	for start := 0; start < len(t.rows); {
		lists := make([][]*string, len(t.columns))
		size := 0
		for ; start < len(t.rows) && size < insertBytes; start++ {
			for i := range t.columns {
				value := &t.rows[start][i]
				if size += len(*value); *value == null {
					value = nil
				}
				lists[i] = append(lists[i], value)
			}
		}
		args := make([]any, len(lists))
		for i, list := range lists {
			args[i] = list
		}
		if _, err := tx.Exec(ctx, sql, args...); err != nil {
			return err
		}
	}
	return nil
}

// texts returns the text of an array of texts.
func texts(list []string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, text := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('"')
		for j := range len(text) {
			if text[j] == '"' || text[j] == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(text[j])
		}
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}

// integers returns the text of an array of numbers.
func integers(list []int) string {
	b := []byte{'{'}
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, '}'))
}

// bytea returns the text of a bytea value.
func bytea(data []byte) string { return `\x` + hex.EncodeToString(data) }
