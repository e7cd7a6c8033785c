#include "language.h"
#include "sitter.h"

#include <stdlib.h>
#include <string.h>

// ts_query_new walks the parse table for every node of a pattern that has children, to find
// patterns that cannot match and steps that cannot fail. That takes milliseconds to seconds, and
// finds nothing that a tested query needs. An outline is a language of the same names with
// a parse table of two states in which that walk runs in a circle, so that it gives up at once:
// every step may fail then, which is what the cursor has to reckon with anyway.
typedef struct {
  language_15 language;
  uint16_t parse_table[8], primary_states[3];
  uint32_t parse_table_map[2];
  parse_action actions[2];
  uint16_t aliases[]; // a hidden symbol, the number of all symbols, these, 0
} outline;

// hidden_symbol is a symbol of which the nodes are not in the tree, or 0.
static uint16_t hidden_symbol(const language_14 *l) {
  for (uint32_t i = l->token_count; i < l->symbol_count; i++) {
    if (!l->symbol_metadata[i].visible) return (uint16_t)i;
  }
  return 0;
}

static const void *new_outline(const language_14 *original, size_t size) {
  uint16_t hidden = hidden_symbol(original);
  if (!hidden) return original;
  uint32_t symbols = original->symbol_count + original->alias_count;
  outline *o = calloc(1, sizeof *o + (3 + symbols) * sizeof(uint16_t));
  if (!o) return original;
  memcpy(&o->language, original, size);
  language_14 *l = &o->language.base;
  enum { reduce = 1 };
  // In state 1 stands the hidden symbol and leads to state 2. In state 2 it is
  // complete, and so is every other symbol, by way of an alias.
  const uint16_t table[8] = {1, 2, 1, hidden, 1, 0, 1, 0};
  memcpy(o->parse_table, table, sizeof table);
  o->parse_table_map[1] = 4;
  o->actions[0].entry.count = 1;
  o->actions[1].reduce.type = reduce;
  o->actions[1].reduce.child_count = 1;
  o->actions[1].reduce.symbol = hidden;
  for (uint16_t i = 0; i < 3; i++) o->primary_states[i] = i;
  o->aliases[0] = hidden;
  o->aliases[1] = (uint16_t)symbols;
  for (uint32_t i = 0; i < symbols; i++) o->aliases[2 + i] = (uint16_t)i;
  l->state_count = 3;
  l->large_state_count = 1;
  l->parse_table = NULL;
  l->small_parse_table = o->parse_table;
  l->small_parse_table_map = o->parse_table_map;
  l->parse_actions = o->actions;
  l->alias_map = o->aliases;
  l->primary_state_ids = o->primary_states;
  return o;
}

cortex_language *cortex_language_new(const TSLanguage *language) {
  const language_14 *original = (const void *)language;
  cortex_language *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  l->original = l->guarded = l->outline = language;
  uint32_t version = ts_language_abi_version(language);
  size_t size = version == 14 ? sizeof(language_14) : sizeof(language_15);
  if ((version != 14 && version != 15) || original->abi_version != version ||
      original->state_count != ts_language_state_count(language) ||
      original->field_count != ts_language_field_count(language)) {
    return l;
  }
  language_15 *guarded = calloc(1, sizeof *guarded);
  if (!guarded) return l;
  memcpy(guarded, original, size);
  cortex_guard_scanner(&guarded->base);
  l->guarded = (const void *)guarded;
  l->outline = new_outline(original, size);
  return l;
}
