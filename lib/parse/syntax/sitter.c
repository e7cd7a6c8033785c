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
  uint64_t steps, max_steps, deadline, next_look;
  bool exceeded;
} budget;

static uint64_t clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// now is the processor time of this thread, which a busy machine does not stretch.
static uint64_t now(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

// look_every is how often, in nanoseconds, spent asks for the processor time. That is a
// system call; the wall clock is none.
enum { look_every = 20000000 };

static bool spent(budget *b) {
  if (++b->steps > b->max_steps) b->exceeded = true;
  uint64_t wall = clock_ns(CLOCK_MONOTONIC);
  if (wall > b->next_look) {
    b->next_look = wall + look_every;
    if (now() > b->deadline) b->exceeded = true;
  }
  return b->exceeded;
}

static bool parse_progress(TSParseState *state) { return spent(state->payload); }

static bool query_progress(TSQueryCursorState *state) { return spent(state->payload); }

// keep_words is how large the arrays of a worker may stay between files.
enum { keep_words = 1 << 20 };

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

// A walk visits the nodes of a tree once: it counts errors, finds breaks and runs the query
// at the nodes at which patterns begin.
typedef struct {
  const source *src;
  const cortex_limits *limits;
  const cortex_plan *plan; // NULL when no query runs
  TSQueryCursor *cursor;
  TSTreeCursor *place, *probe; // of the walk, and of filters
  budget *budget;
  uint32_t execs;
  cortex_words *found; // of one node: part, start, end
  cortex_result *result;
  uint32_t line_row;   // the row of which line_start is known
  uint32_t line_start; // byte of the first character on it that is not blank
} walk;

// first_on_line reports whether nothing but blanks stand before the node on its
// line. Nodes come in ascending order, so that each line is looked at once.
static bool first_on_line(walk *w, TSPoint point, uint32_t start) {
  if (point.row != w->line_row || start < w->line_start) {
    uint32_t i = start - point.column;
    while (i < w->src->length && (w->src->text[i] == ' ' || w->src->text[i] == '\t')) i++;
    w->line_row = point.row;
    w->line_start = i;
  }
  return start == w->line_start;
}

// holds_body reports whether the cursor's node is the body of its parent: a cut
// before it would part a head from its first statement.
static bool holds_body(const TSTreeCursor *cursor) {
  const char *field = ts_tree_cursor_current_field_name(cursor);
  return field && (!strcmp(field, "body") || !strcmp(field, "consequence"));
}

// add_break adds a break before the cursor's node, which is in depth large nodes, if one fits.
static int add_break(walk *w, const TSTreeCursor *cursor, TSNode node, uint32_t depth) {
  cortex_words *breaks = &w->result->breaks;
  if (!ts_node_is_named(node) || ts_node_is_extra(node)) return CORTEX_DONE;
  TSPoint point = ts_node_start_point(node);
  if (point.row == 0 || !first_on_line(w, point, ts_node_start_byte(node))) return CORTEX_DONE;
  if (breaks->length && breaks->data[breaks->length - 2] >= point.row) return CORTEX_DONE;
  if (holds_body(cursor)) return CORTEX_DONE;
  if (!room(breaks, 2)) return CORTEX_NO_MEMORY;
  breaks->data[breaks->length++] = point.row;
  breaks->data[breaks->length++] = depth - 1;
  return CORTEX_DONE;
}

// add_singles adds the matches of patterns that are a node and nothing else.
static int add_singles(walk *w, TSNode node, const uint32_t *single) {
  cortex_words *out = &w->result->captures;
  uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
  for (uint32_t patterns = *single++; patterns > 0; patterns--) {
    uint32_t pattern = *single++, n = *single++;
    if (!room(out, 2 + 3 * (size_t)n)) return CORTEX_NO_MEMORY;
    uint32_t *words = out->data + out->length;
    *words++ = pattern;
    *words++ = n;
    for (; n > 0; n--) {
      *words++ = *single++;
      *words++ = start;
      *words++ = end;
    }
    out->length = (size_t)(words - out->data);
  }
  return CORTEX_DONE;
}

// add_flat adds the match of a flat pattern at node of which the parts from first on are found, one of them
// elsewhere: the part other, if there is one, is at the span behind it.
static int add_flat(walk *w, TSNode node, const cortex_flat *flat, const uint32_t *starts, const uint32_t *ends, uint32_t set,
                    uint32_t other, uint32_t start, uint32_t end) {
  cortex_words *out = &w->result->captures;
  size_t n = flat->captures;
  for (uint32_t i = 0; i < flat->parts; i++) {
    if (set >> i & 1) n += flat->part[i].captures;
  }
  if (!room(out, 2 + 3 * n)) return CORTEX_NO_MEMORY;
  uint32_t *words = out->data + out->length;
  *words++ = flat->pattern;
  *words++ = (uint32_t)n;
  for (uint32_t i = 0; i < flat->captures; i++) {
    *words++ = flat->capture[i];
    *words++ = ts_node_start_byte(node);
    *words++ = ts_node_end_byte(node);
  }
  for (uint32_t i = 0; i < flat->parts; i++) {
    if (!(set >> i & 1)) continue;
    for (uint32_t j = 0; j < flat->part[i].captures; j++) {
      *words++ = flat->part[i].capture[j];
      *words++ = i == other ? start : starts[i];
      *words++ = i == other ? end : ends[i];
    }
  }
  out->length = (size_t)(words - out->data);
  return CORTEX_DONE;
}

// add_flats adds the matches of the flat patterns at node: one for each way in which one of the parts is found, with
// the others where they are found first.
static int add_flats(walk *w, TSNode node, const cortex_flats *flats) {
  uint32_t starts[CORTEX_MAX_PARTS], ends[CORTEX_MAX_PARTS], set = 0;
  cortex_words *more = w->found;
  more->length = 0;
  TSTreeCursor *cursor = w->probe;
  ts_tree_cursor_reset(cursor, node);
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSNode child = ts_tree_cursor_current_node(cursor);
      uint16_t symbol = ts_node_symbol(child);
      bool named = ts_node_is_named(child);
      uint16_t field = ts_tree_cursor_current_field_id(cursor);
      uint32_t part = 0;
      for (uint32_t i = 0; i < flats->count; i++) {
        const cortex_flat *flat = &flats->flat[i];
        for (uint32_t j = 0; j < flat->parts; j++, part++) {
          if (flat->part[j].named && !named) continue;
          if (!cortex_is(&flat->part[j].need, field, w->src->text, child, symbol)) continue;
          uint32_t start = ts_node_start_byte(child), end = ts_node_end_byte(child);
          if (!(set >> part & 1)) {
            set |= (uint32_t)1 << part;
            starts[part] = start;
            ends[part] = end;
            continue;
          }
          if (!room(more, 3)) return CORTEX_NO_MEMORY;
          more->data[more->length++] = part;
          more->data[more->length++] = start;
          more->data[more->length++] = end;
        }
      }
    } while (ts_tree_cursor_goto_next_sibling(cursor));
  }
  uint32_t first = 0;
  for (uint32_t i = 0; i < flats->count; first += flats->flat[i++].parts) {
    const cortex_flat *flat = &flats->flat[i];
    uint32_t own = (flat->parts < 32 ? ((uint32_t)1 << flat->parts) - 1 : UINT32_MAX) & (set >> first);
    bool whole = true;
    for (uint32_t j = 0; j < flat->parts; j++) whole = whole && (flat->part[j].optional || own >> j & 1);
    if (!whole) continue;
    int rc = add_flat(w, node, flat, starts + first, ends + first, own, UINT32_MAX, 0, 0);
    for (size_t k = 0; rc == CORTEX_DONE && k < more->length; k += 3) {
      uint32_t part = more->data[k];
      if (part < first || part >= first + flat->parts) continue;
      rc = add_flat(w, node, flat, starts + first, ends + first, own, part - first, more->data[k + 1], more->data[k + 2]);
    }
    if (rc != CORTEX_DONE) return rc;
  }
  return CORTEX_DONE;
}

// execs_per_step is how many runs of a query count as one step; most end before the
// cursor counts any itself.
enum { execs_per_step = 8 };

// add_matches runs a query's patterns that begin at node.
static int add_matches(walk *w, const cortex_query *query, TSNode node) {
  cortex_words *out = &w->result->captures;
  TSQueryCursorOptions options = {w->budget, query_progress};
  if (++w->execs % execs_per_step == 0) spent(w->budget);
  ts_query_cursor_exec_with_options(w->cursor, query->query, node, &options);
  TSQueryMatch match;
  while (ts_query_cursor_next_match(w->cursor, &match)) {
    if (!room(out, 2 + 3 * (size_t)match.capture_count)) return CORTEX_NO_MEMORY;
    uint32_t *words = out->data + out->length;
    *words++ = query->patterns[match.pattern_index];
    *words++ = match.capture_count;
    for (uint16_t i = 0; i < match.capture_count; i++) {
      *words++ = query->captures[match.captures[i].index];
      *words++ = ts_node_start_byte(match.captures[i].node);
      *words++ = ts_node_end_byte(match.captures[i].node);
    }
    out->length = (size_t)(words - out->data);
  }
  if (w->budget->exceeded) return CORTEX_QUERY_LIMIT;
  if (ts_query_cursor_did_exceed_match_limit(w->cursor)) w->result->dropped = true;
  return CORTEX_DONE;
}

// symbol_error is that of ERROR nodes.
enum { symbol_error = UINT16_MAX };

// query_node does what the plan says about a node.
static int query_node(walk *w, TSNode node, uint16_t symbol) {
  uint32_t index = symbol == symbol_error ? w->plan->symbols : symbol, what = w->plan->at[index];
  if (w->plan->flats[index].count) {
    int rc = add_flats(w, node, &w->plan->flats[index]);
    if (rc != CORTEX_DONE) return rc;
  }
  if (what == CORTEX_NOTHING) return CORTEX_DONE;
  if (what != CORTEX_ROOT) return add_singles(w, node, w->plan->singles + what);
  const cortex_query *query = cortex_filtered(w->plan, &w->plan->filters[index], w->probe, w->src->text, node);
  return query ? add_matches(w, query, node) : CORTEX_DONE;
}

// walk_tree visits the tree without recursion. What stops the query does not stop the
// walk, so that errors and breaks are complete.
static int walk_tree(walk *w, TSNode root) {
  TSTreeCursor *cursor = w->place;
  ts_tree_cursor_reset(cursor, root);
  cortex_result *r = w->result;
  // depth counts the ancestors; small is the depth of the outermost of them that is
  // small, and clean of the outermost that has no error.
  uint32_t depth = 0, small = UINT32_MAX, clean = UINT32_MAX;
  int rc = CORTEX_DONE;
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(cursor);
    uint16_t symbol = ts_node_symbol(node);
    if (w->plan) {
      int status = query_node(w, node, symbol);
      if (status != CORTEX_DONE) {
        rc = status;
        w->plan = NULL;
      }
    }
    if (clean == UINT32_MAX && (symbol == symbol_error || ts_node_is_missing(node))) r->errors++;
    if (depth > 0 && small == UINT32_MAX && add_break(w, cursor, node, depth) != CORTEX_DONE) {
      rc = CORTEX_NO_MEMORY;
      break;
    }
    bool large = ts_node_end_byte(node) - ts_node_start_byte(node) > w->limits->large;
    bool error = clean == UINT32_MAX && ts_node_has_error(node);
    if ((large || error || w->plan) && ts_tree_cursor_goto_first_child(cursor)) {
      if (!large && small == UINT32_MAX) small = depth;
      if (!error && clean == UINT32_MAX) clean = depth;
      if (++depth > r->depth) r->depth = depth;
      if (depth > w->limits->depth) {
        rc = CORTEX_TOO_DEEP;
        break;
      }
      continue;
    }
    while (depth > 0 && !ts_tree_cursor_goto_next_sibling(cursor)) {
      ts_tree_cursor_goto_parent(cursor);
      depth--;
      if (depth <= small) small = UINT32_MAX;
      if (depth <= clean) clean = UINT32_MAX;
    }
    if (depth == 0) break;
  }
  return rc;
}

// A job is what cortex_run was asked for.
typedef struct {
  const TSLanguage *language;
  const cortex_plan *plan;
  source src;
  const cortex_limits *limits;
  budget budget;
  bool hold;
} job;

// visit walks the tree of a job.
static int visit(cortex_worker *worker, job *j, const TSTree *tree) {
  budget *b = &j->budget;
  b->steps = 0;
  b->max_steps = j->limits->query_steps;
  ts_query_cursor_set_match_limit(worker->cursor, j->limits->matches);
  ts_query_cursor_set_max_start_depth(worker->cursor, 0);
  walk w = {.src = &j->src, .limits = j->limits, .plan = j->plan, .cursor = worker->cursor,
            .place = &worker->place, .probe = &worker->probe, .budget = b, .found = &worker->found, .result = &worker->result, .line_row = UINT32_MAX};
  TSNode root = ts_tree_root_node(tree);
  if (!worker->cursors) {
    worker->place = ts_tree_cursor_new(root);
    worker->probe = ts_tree_cursor_new(root);
    worker->cursors = true;
  }
  int rc = walk_tree(&w, root);
  worker->result.query_steps = b->steps;
  return rc;
}

static int run_job(cortex_worker *worker, void *data) {
  job *j = data;
  cortex_result *result = &worker->result;
  budget *b = &j->budget;
  if (!ts_parser_set_language(worker->parser, j->language)) return CORTEX_NO_MEMORY;
  TSInput input = {&j->src, read_source, 0, NULL};
  TSParseOptions options = {b, parse_progress};
  TSTree *tree = ts_parser_parse_with_options(worker->parser, NULL, input, options);
  result->parse_steps = b->steps;
  if (!tree) {
    ts_parser_reset(worker->parser);
    return CORTEX_PARSE_LIMIT;
  }
  if (j->hold && ts_node_has_error(ts_tree_root_node(tree))) {
    worker->held = tree;
    result->held = true;
    return CORTEX_DONE;
  }
  int rc = visit(worker, j, tree);
  ts_tree_delete(tree);
  return rc;
}

static int resume_job(cortex_worker *worker, void *data) { return visit(worker, data, worker->held); }

void cortex_drop(cortex_worker *w) {
  if (w->held) ts_tree_delete(w->held);
  w->held = NULL;
}

static void clear(cortex_result *r) {
  if (r->captures.capacity > keep_words || r->breaks.capacity > keep_words) {
    free(r->captures.data);
    free(r->breaks.data);
    memset(r, 0, sizeof *r);
  }
  r->errors = r->depth = 0;
  r->dropped = r->held = false;
  r->parse_steps = r->query_steps = 0;
  r->captures.length = r->breaks.length = 0;
}

static int start(cortex_worker *w, const cortex_language *language, const cortex_plan *plan, const char *text,
                 uint32_t length, const cortex_limits *limits, bool hold, int (*run)(cortex_worker *, void *)) {
  clear(&w->result);
  job j = {language->guarded, plan, {text, length}, limits, {0, limits->parse_steps, now() + limits->nanoseconds, 0, false}, hold};
  return cortex_guarded(w, language, length, &j.budget.exceeded, run, &j);
}

int cortex_run(cortex_worker *w, const cortex_language *language, const cortex_plan *plan,
               const char *text, uint32_t length, const cortex_limits *limits, bool hold) {
  return start(w, language, plan, text, length, limits, hold, run_job);
}

int cortex_resume(cortex_worker *w, const cortex_language *language, const cortex_plan *plan,
                  const char *text, uint32_t length, const cortex_limits *limits) {
  return start(w, language, plan, text, length, limits, false, resume_job);
}

cortex_worker *cortex_worker_new(void) {
  cortex_worker *w = calloc(1, sizeof *w);
  w->parser = ts_parser_new();
  w->cursor = ts_query_cursor_new();
  return w;
}

void cortex_worker_delete(cortex_worker *w) {
  cortex_drop(w);
  if (w->cursors) {
    ts_tree_cursor_delete(&w->place);
    ts_tree_cursor_delete(&w->probe);
  }
  ts_parser_delete(w->parser);
  ts_query_cursor_delete(w->cursor);
  free(w->guard);
  free(w->result.captures.data);
  free(w->result.breaks.data);
  free(w->found.data);
  free(w);
}
