#include "sitter.h"

#include <string.h>

// A filter finds out at little cost that no pattern matches at a node, for which the cursor of
// the query would have to run: from the kinds, fields and texts of the node's children, and
// of theirs.

// max_children is how many children a filter looks at; it lets nodes with more of them pass.
enum { max_children = 24 };

typedef struct {
  TSNode node;
  uint16_t symbol, field;
} child;

typedef struct {
  child list[max_children];
  uint32_t length;
  bool all; // there are no more
} children;

static void gather(TSTreeCursor *cursor, TSNode node, children *c) {
  ts_tree_cursor_reset(cursor, node);
  c->length = 0;
  c->all = true;
  if (!ts_tree_cursor_goto_first_child(cursor)) return;
  do {
    if (c->length == max_children) {
      c->all = false;
      return;
    }
    child *next = &c->list[c->length++];
    next->node = ts_tree_cursor_current_node(cursor);
    next->symbol = ts_node_symbol(next->node);
    next->field = ts_tree_cursor_current_field_id(cursor);
  } while (ts_tree_cursor_goto_next_sibling(cursor));
}

static bool any_need(TSTreeCursor *cursor, const char *text, const cortex_need *need, const children *c);

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

static bool fits(TSTreeCursor *cursor, const char *text, const cortex_need *need, const child *c) {
  if (need->field && need->field != c->field) return false;
  if (!is_kind(need, c->symbol)) return false;
  if (need->texts && !has_text(need, text, c->node)) return false;
  if (!need->needs) return true;
  children inner;
  gather(cursor, c->node, &inner);
  for (uint32_t i = 0; i < need->needs; i++) {
    if (!any_need(cursor, text, &need->need[i], &inner)) return false;
  }
  return true;
}

// any_need reports whether one of the children is what is needed, or may be.
static bool any_need(TSTreeCursor *cursor, const char *text, const cortex_need *need, const children *c) {
  for (uint32_t i = 0; i < c->length; i++) {
    if (fits(cursor, text, need, &c->list[i])) return true;
  }
  return !c->all;
}

bool cortex_filter_passes(const cortex_filter *filter, TSTreeCursor *cursor, const char *text, TSNode node) {
  children c;
  gather(cursor, node, &c);
  for (uint32_t i = 0; i < filter->patterns; i++) {
    const cortex_need *pattern = &filter->pattern[i];
    bool all = true;
    for (uint32_t j = 0; all && j < pattern->needs; j++) all = any_need(cursor, text, &pattern->need[j], &c);
    if (all) return true;
  }
  return false;
}
