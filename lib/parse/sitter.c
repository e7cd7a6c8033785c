#include "sitter.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>

// Goroutines move between threads, and glibc gives up to eight arenas to each core,
// which keep what was freed. One for each core, and thresholds that do not grow, take half
// the memory on a tree of 20,000 files. It must happen before there is a second thread.
__attribute__((constructor)) static void bound_arenas(void) {
  mallopt(M_ARENA_MAX, (int)sysconf(_SC_NPROCESSORS_ONLN));
  mallopt(M_MMAP_THRESHOLD, 512 << 10);
  mallopt(M_TRIM_THRESHOLD, 2 << 20);
}
#endif

typedef struct {
  const char *text;
  uint32_t length;
} source;

static const char *read_source(void *payload, uint32_t byte, TSPoint position, uint32_t *length) {
  (void)position;
  const source *s = payload;
  if (byte >= s->length) {
    *length = 0;
    return "";
  }
  *length = s->length - byte;
  return s->text + byte;
}

typedef struct {
  uint64_t steps, max_steps, deadline;
} budget;

// now is the processor time of this thread, which a busy machine does not stretch.
static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// spent looks at the clock, which is a system call, at every eighth step.
static bool spent(budget *b) { return ++b->steps > b->max_steps || (b->steps % 8 == 0 && now() > b->deadline); }

static bool parse_progress(TSParseState *state) { return spent(state->payload); }

static bool query_progress(TSQueryCursorState *state) { return spent(state->payload); }

// room makes place for n more words.
static bool room(cortex_words *w, size_t n) {
  if (w->length + n <= w->capacity) return true;
  size_t capacity = w->capacity ? w->capacity * 2 : 1024;
  while (capacity < w->length + n) capacity *= 2;
  uint32_t *data = realloc(w->data, capacity * sizeof *data);
  if (!data) return false;
  w->data = data;
  w->capacity = capacity;
  return true;
}

// A scan walks the nodes that are large or hold an error.
typedef struct {
  const source *src;
  const cortex_limits *limits;
  cortex_result *result;
  uint32_t line_row;   // the row of which line_start is known
  uint32_t line_start; // byte of the first character on it that is not blank
} scan;

// first_on_line reports whether nothing but blanks stand before the node on its
// line. Nodes come in ascending order, so that each line is looked at once.
static bool first_on_line(scan *s, TSPoint point, uint32_t start) {
  if (point.row != s->line_row || start < s->line_start) {
    uint32_t i = start - point.column;
    while (i < s->src->length && (s->src->text[i] == ' ' || s->src->text[i] == '\t')) i++;
    s->line_row = point.row;
    s->line_start = i;
  }
  return start == s->line_start;
}

// long_error reports whether node is a syntax error with too many children: the query
// would look from each of them at all that follow.
static bool long_error(const scan *s, TSNode node) {
  return ts_node_is_error(node) && ts_node_child_count(node) > s->limits->error_length;
}

// holds_body reports whether the cursor's node is the body of its parent: a cut
// before it would part a head from its first statement.
static bool holds_body(const TSTreeCursor *cursor) {
  const char *field = ts_tree_cursor_current_field_name(cursor);
  return field && (!strcmp(field, "body") || !strcmp(field, "consequence"));
}

static int visit(scan *s, const TSTreeCursor *cursor, TSNode node, uint32_t large_depth) {
  cortex_result *r = s->result;
  if (long_error(s, node)) return CORTEX_LONG_ERROR;
  if (ts_node_is_error(node) || ts_node_is_missing(node)) r->errors++;
  if (large_depth == 0 || !ts_node_is_named(node) || ts_node_is_extra(node)) return CORTEX_DONE;
  TSPoint point = ts_node_start_point(node);
  if (point.row == 0 || !first_on_line(s, point, ts_node_start_byte(node))) return CORTEX_DONE;
  if (r->breaks.length && r->breaks.data[r->breaks.length - 2] >= point.row) return CORTEX_DONE;
  if (holds_body(cursor)) return CORTEX_DONE;
  if (!room(&r->breaks, 2)) return CORTEX_NO_MEMORY;
  r->breaks.data[r->breaks.length++] = point.row;
  r->breaks.data[r->breaks.length++] = large_depth - 1;
  return CORTEX_DONE;
}

// scan_tree counts errors and finds breaks, without recursion. large_depth is the
// number of large nodes around the cursor's node when all its ancestors are large,
// and 0 inside a small one.
static int scan_tree(scan *s, TSNode root) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  cortex_result *r = s->result;
  // depth counts the ancestors; small is the depth of the outermost small one.
  uint32_t depth = 0, small = UINT32_MAX;
  int rc = CORTEX_DONE;
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    rc = visit(s, &cursor, node, depth <= small ? depth : 0);
    if (rc != CORTEX_DONE) break;
    bool large = ts_node_end_byte(node) - ts_node_start_byte(node) > s->limits->large;
    if ((large || ts_node_has_error(node)) && ts_tree_cursor_goto_first_child(&cursor)) {
      if (!large && depth < small) small = depth;
      if (++depth > r->depth) r->depth = depth;
      if (depth > s->limits->depth) {
        rc = CORTEX_TOO_DEEP;
        break;
      }
      continue;
    }
    while (depth > 0 && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      ts_tree_cursor_goto_parent(&cursor);
      if (--depth <= small) small = UINT32_MAX;
    }
    if (depth == 0) break;
  }
  ts_tree_cursor_delete(&cursor);
  return rc;
}

static int run_query(TSQueryCursor *cursor, const TSQuery *query, TSNode root, const cortex_limits *limits,
                     budget *b, cortex_result *result) {
  TSQueryCursorOptions options = {b, query_progress};
  cortex_words *out = &result->captures;
  ts_query_cursor_set_match_limit(cursor, limits->matches);
  ts_query_cursor_exec_with_options(cursor, query, root, &options);
  TSQueryMatch match;
  while (ts_query_cursor_next_match(cursor, &match)) {
    if (!room(out, 2 + 3 * (size_t)match.capture_count)) return CORTEX_NO_MEMORY;
    uint32_t *w = out->data + out->length;
    *w++ = match.pattern_index;
    *w++ = match.capture_count;
    for (uint16_t i = 0; i < match.capture_count; i++) {
      *w++ = match.captures[i].index;
      *w++ = ts_node_start_byte(match.captures[i].node);
      *w++ = ts_node_end_byte(match.captures[i].node);
    }
    out->length = (size_t)(w - out->data);
  }
  result->query_steps = b->steps;
  if (b->steps > b->max_steps || now() > b->deadline) return CORTEX_QUERY_LIMIT;
  if (ts_query_cursor_did_exceed_match_limit(cursor)) return CORTEX_TOO_MANY;
  return CORTEX_DONE;
}

int cortex_run(TSParser *parser, TSQueryCursor *cursor, const TSLanguage *language, const TSQuery *query,
               const char *text, uint32_t length, const cortex_limits *limits, cortex_result *result) {
  source src = {text, length};
  result->errors = result->depth = 0;
  result->parse_steps = result->query_steps = 0;
  result->captures.length = result->breaks.length = 0;
  budget b = {0, limits->parse_steps, now() + limits->nanoseconds};
  if (!ts_parser_set_language(parser, language)) return CORTEX_NO_MEMORY;
  TSInput input = {&src, read_source, 0, NULL};
  TSParseOptions options = {&b, parse_progress};
  TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
  result->parse_steps = b.steps;
  if (!tree) {
    ts_parser_reset(parser);
    return CORTEX_PARSE_LIMIT;
  }
  TSNode root = ts_tree_root_node(tree);
  scan s = {&src, limits, result, UINT32_MAX, 0};
  int rc = scan_tree(&s, root);
  if (rc == CORTEX_DONE && query) {
    b.steps = 0;
    b.max_steps = limits->query_steps;
    rc = run_query(cursor, query, root, limits, &b, result);
  }
  ts_tree_delete(tree);
  return rc;
}

void cortex_free(cortex_result *result) {
  free(result->captures.data);
  free(result->breaks.data);
  memset(result, 0, sizeof *result);
}

char *cortex_tree(const TSLanguage *language, const char *text, uint32_t length) {
  source src = {text, length};
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, language)) {
    ts_parser_delete(parser);
    return NULL;
  }
  TSInput input = {&src, read_source, 0, NULL};
  TSParseOptions options = {NULL, NULL};
  TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
  char *out = tree ? ts_node_string(ts_tree_root_node(tree)) : NULL;
  ts_tree_delete(tree);
  ts_parser_delete(parser);
  return out;
}
