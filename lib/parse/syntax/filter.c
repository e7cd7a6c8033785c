#include "sitter.h"

#include <stdlib.h>
#include <string.h>

// A filter finds out at little cost which patterns can match at a node: from the kinds, fields and
// texts of the node's children, and of theirs. The cursor of a query, which costs more for every
// pattern, runs for the others alone.

static bool has_text(const cortex_need *need, const char *text, TSNode node) {
  uint32_t start = ts_node_start_byte(node), length = ts_node_end_byte(node) - start;
  for (uint32_t i = 0; i < need->texts; i++) {
    if (need->text[i].length == length && !memcmp(need->text[i].data, text + start, length)) return true;
  }
  return false;
}

static bool is_kind(const cortex_need *need, uint16_t symbol) {
  for (uint32_t i = 0; i < need->kinds; i++) {
    if (need->kind[i] == symbol) return true;
  }
  return need->kinds == 0;
}

bool cortex_is(const cortex_need *need, uint16_t field, const char *text, TSNode node, uint16_t symbol) {
  return (!need->field || need->field == field) && is_kind(need, symbol) && (!need->texts || has_text(need, text, node));
}

static bool any_child(const cortex_need *need, TSTreeCursor *cursor, const char *text);

// fits reports whether the cursor's node, which is of this kind, is what is needed.
static bool fits(const cortex_need *need, TSTreeCursor *cursor, const char *text, TSNode node, uint16_t symbol) {
  if (!is_kind(need, symbol)) return false;
  if (need->field && need->field != ts_tree_cursor_current_field_id(cursor)) return false;
  if (need->texts && !has_text(need, text, node)) return false;
  for (uint32_t i = 0; i < need->needs; i++) {
    if (!any_child(&need->need[i], cursor, text)) return false;
  }
  return true;
}

// any_child reports whether a child of the cursor's node, at which the cursor stays, is what is needed.
static bool any_child(const cortex_need *need, TSTreeCursor *cursor, const char *text) {
  if (!ts_tree_cursor_goto_first_child(cursor)) return false;
  bool found;
  do {
    TSNode node = ts_tree_cursor_current_node(cursor);
    found = fits(need, cursor, text, node, ts_node_symbol(node));
    if (need->first && ts_node_is_named(node)) break;
  } while (!found && ts_tree_cursor_goto_next_sibling(cursor));
  ts_tree_cursor_goto_parent(cursor);
  return found;
}

// met is the set of those of the wanted needs that the children of a node meet.
static uint64_t met(const cortex_filter *filter, uint64_t wanted, TSTreeCursor *cursor, const char *text, TSNode node) {
  uint64_t set = 0;
  if (!wanted) return 0;
  ts_tree_cursor_reset(cursor, node);
  if (!ts_tree_cursor_goto_first_child(cursor)) return 0;
  do {
    TSNode child = ts_tree_cursor_current_node(cursor);
    uint16_t symbol = ts_node_symbol(child);
    for (uint64_t rest = wanted; rest; rest &= rest - 1) {
      if (fits(&filter->need[__builtin_ctzll(rest)], cursor, text, child, symbol)) set |= rest & -rest;
    }
    wanted &= ~set;
    if (wanted & filter->first && ts_node_is_named(child)) wanted &= ~filter->first;
  } while (wanted && ts_tree_cursor_goto_next_sibling(cursor));
  return set;
}

// open_needs is those needs, not yet looked at, of which a pattern that may still match has one. Where all such
// patterns share some it is the first of these.
static uint64_t open_needs(const cortex_filter *filter, uint64_t looked_at, uint64_t set) {
  uint64_t any = 0, all = UINT64_MAX;
  for (uint32_t i = 0; i < filter->groups; i++) {
    const cortex_group *g = &filter->group[i];
    for (uint32_t j = 0; j < g->sets; j++) {
      if (g->set[j] & looked_at & ~set) continue;
      any |= g->set[j];
      all &= g->set[j];
    }
  }
  any &= ~looked_at;
  all &= any;
  return all ? all & -all : any;
}

static bool group_passes(const cortex_group *group, uint64_t set) {
  for (uint32_t i = 0; i < group->sets; i++) {
    if ((group->set[i] & set) == group->set[i]) return true;
  }
  return group->sets == 0;
}

static void delete_query(cortex_query *q) {
  if (!q) return;
  if (q->query) ts_query_delete(q->query);
  free(q->patterns);
  free(q->captures);
  free(q);
}

// bind finds out what the captures of q are in the query of all patterns.
static bool bind(cortex_query *q, const TSQuery *all) {
  uint32_t n = ts_query_capture_count(q->query), m = ts_query_capture_count(all);
  q->captures = calloc(n + 1, sizeof *q->captures);
  if (!q->captures) return false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t length, other, j = 0;
    const char *name = ts_query_capture_name_for_id(q->query, i, &length);
    for (; j < m; j++) {
      const char *known = ts_query_capture_name_for_id(all, j, &other);
      if (other == length && !memcmp(name, known, length)) break;
    }
    if (j == m) return false;
    q->captures[i] = j;
  }
  return true;
}

// compile makes the query of the patterns of some groups, or NULL.
static cortex_query *compile(const cortex_plan *plan, const cortex_filter *filter, uint32_t groups) {
  uint32_t patterns = 0;
  size_t size = 0;
  for (uint32_t i = 0; i < filter->groups; i++) {
    if (!(groups >> i & 1)) continue;
    patterns += filter->group[i].patterns;
    for (uint32_t j = 0; j < filter->group[i].patterns; j++) size += plan->sources[filter->group[i].pattern[j]].length + 1;
  }
  cortex_query *q = calloc(1, sizeof *q);
  char *source = malloc(size + 1);
  if (q) q->patterns = calloc(patterns + 1, sizeof *q->patterns);
  if (!q || !source || !q->patterns) {
    free(source);
    delete_query(q);
    return NULL;
  }
  uint32_t next[CORTEX_MAX_GROUPS] = {0};
  size = 0;
  for (uint32_t n = 0; n < patterns; n++) {
    uint32_t first = UINT32_MAX, from = 0;
    for (uint32_t i = 0; i < filter->groups; i++) {
      const cortex_group *g = &filter->group[i];
      if (groups >> i & 1 && next[i] < g->patterns && g->pattern[next[i]] < first) first = g->pattern[next[i]], from = i;
    }
    next[from]++;
    q->patterns[n] = first;
    memcpy(source + size, plan->sources[first].data, plan->sources[first].length);
    size += plan->sources[first].length;
    source[size++] = '\n';
  }
  uint32_t offset;
  int error;
  q->query = ts_query_new(plan->language, source, (uint32_t)size, &offset, &error);
  free(source);
  if (!q->query || ts_query_pattern_count(q->query) != patterns || !bind(q, plan->all.query)) {
    delete_query(q);
    return NULL;
  }
  return q;
}

const cortex_query *cortex_filtered(const cortex_plan *plan, const cortex_filter *filter, TSTreeCursor *cursor,
                                    const char *text, TSNode node) {
  uint64_t looked_at = filter->shallow < CORTEX_MAX_NEEDS ? ((uint64_t)1 << filter->shallow) - 1 : UINT64_MAX;
  uint64_t set = met(filter, looked_at, cursor, text, node), more;
  while ((more = open_needs(filter, looked_at, set))) {
    set |= met(filter, more, cursor, text, node);
    looked_at |= more;
  }
  uint32_t groups = 0;
  for (uint32_t i = 0; i < filter->groups; i++) {
    if (group_passes(&filter->group[i], set)) groups |= (uint32_t)1 << i;
  }
  if (!groups) return NULL;
  if (groups == ((uint32_t)1 << filter->groups) - 1) return &plan->all;
  cortex_query **slot = &filter->queries[groups], *q = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  if (q) return q;
  // Two workers may do this at once: the first counts.
  cortex_query *made = compile(plan, filter, groups), *none = NULL;
  if (!made) return &plan->all;
  if (__atomic_compare_exchange_n(slot, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
  delete_query(made);
  return none;
}
