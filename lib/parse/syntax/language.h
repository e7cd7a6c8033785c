// What generated parsers share with the library: a TSLanguage and the beginning of a TSLexer.
// They are the same in the versions 14 and 15 but for what 15 adds at the end.
#ifndef CORTEX_LANGUAGE_H
#define CORTEX_LANGUAGE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lexer lexer;
struct lexer {
  int32_t lookahead;
  uint16_t result_symbol;
  void (*advance)(lexer *, bool);
  void (*mark_end)(lexer *);
  uint32_t (*get_column)(lexer *);
  bool (*is_at_included_range_start)(const lexer *);
  bool (*eof)(const lexer *);
};

typedef union {
  struct {
    uint8_t count;
    bool reusable;
  } entry;
  struct {
    uint8_t type, child_count;
    uint16_t symbol;
    int16_t dynamic_precedence;
    uint16_t production_id;
  } reduce;
} parse_action;

typedef struct {
  bool visible, named, supertype;
} symbol_metadata;

typedef struct {
  uint32_t abi_version, symbol_count, alias_count, token_count, external_token_count, state_count, large_state_count,
      production_id_count, field_count;
  uint16_t max_alias_sequence_length;
  const uint16_t *parse_table, *small_parse_table;
  const uint32_t *small_parse_table_map;
  const parse_action *parse_actions;
  const char *const *symbol_names, *const *field_names;
  const void *field_map_slices, *field_map_entries;
  const symbol_metadata *symbol_metadata;
  const uint16_t *public_symbol_map, *alias_map, *alias_sequences;
  const void *lex_modes;
  bool (*lex)(lexer *, uint16_t), (*keyword_lex)(lexer *, uint16_t);
  uint16_t keyword_capture_token;
  struct {
    const bool *states;
    const uint16_t *symbol_map;
    void *(*create)(void);
    void (*destroy)(void *);
    bool (*scan)(void *, lexer *, const bool *);
    unsigned (*serialize)(void *, char *);
    void (*deserialize)(void *, const char *, unsigned);
  } scanner;
  const uint16_t *primary_state_ids;
} language_14;

typedef struct {
  language_14 base;
  const char *name;
  const uint16_t *reserved_words;
  uint16_t max_reserved_word_set_size;
  uint32_t supertype_count;
  const void *supertype_symbols, *supertype_map_slices, *supertype_map_entries;
  uint8_t metadata[3];
} language_15;

// cortex_guard_scanner wraps the scanner of a language; only cortex_guarded may run it then.
void cortex_guard_scanner(language_14 *language);

#endif
