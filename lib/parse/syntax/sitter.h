// The part of tree-sitter's C interface (0.25) that this package uses, and the one
// call that it makes of it. The library itself comes with go-tree-sitter, whose
// headers another module's C code cannot reach.
#ifndef CORTEX_SITTER_H
#define CORTEX_SITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSQuery TSQuery;
typedef struct TSQueryCursor TSQueryCursor;
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
typedef struct { TSNode node; uint32_t index; } TSQueryCapture;
typedef struct { uint32_t id; uint16_t pattern_index, capture_count; const TSQueryCapture *captures; } TSQueryMatch;
typedef struct { int type; uint32_t value_id; } TSQueryPredicateStep;
typedef struct {
  void *payload;
  const char *(*read)(void *payload, uint32_t byte, TSPoint position, uint32_t *length);
  int encoding;
  uint32_t (*decode)(const uint8_t *string, uint32_t length, int32_t *code_point);
} TSInput;
typedef struct { void *payload; uint32_t current_byte_offset; bool has_error; } TSParseState;
typedef struct { void *payload; bool (*progress_callback)(TSParseState *state); } TSParseOptions;
typedef struct { void *payload; uint32_t current_byte_offset; } TSQueryCursorState;
typedef struct { void *payload; bool (*progress_callback)(TSQueryCursorState *state); } TSQueryCursorOptions;

extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
extern TSParser *ts_parser_new(void);
extern void ts_parser_delete(TSParser *);
extern bool ts_parser_set_language(TSParser *, const TSLanguage *);
extern void ts_parser_reset(TSParser *);
extern TSTree *ts_parser_parse_with_options(TSParser *, const TSTree *, TSInput, TSParseOptions);
extern void ts_tree_delete(TSTree *);
extern TSNode ts_tree_root_node(const TSTree *);
extern uint32_t ts_node_start_byte(TSNode);
extern uint32_t ts_node_end_byte(TSNode);
extern TSPoint ts_node_start_point(TSNode);
extern uint16_t ts_node_symbol(TSNode);
extern bool ts_node_is_named(TSNode);
extern bool ts_node_is_extra(TSNode);
extern bool ts_node_is_missing(TSNode);
extern bool ts_node_has_error(TSNode);
extern uint32_t ts_node_named_child_count(TSNode);
extern char *ts_node_string(TSNode);
extern TSTreeCursor ts_tree_cursor_new(TSNode);
extern void ts_tree_cursor_reset(TSTreeCursor *, TSNode);
extern uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
extern void ts_tree_cursor_delete(TSTreeCursor *);
extern TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
extern const char *ts_tree_cursor_current_field_name(const TSTreeCursor *);
extern bool ts_tree_cursor_goto_parent(TSTreeCursor *);
extern bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
extern bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
extern uint32_t ts_language_abi_version(const TSLanguage *);
extern uint32_t ts_language_state_count(const TSLanguage *);
extern uint32_t ts_language_field_count(const TSLanguage *);
extern uint16_t ts_language_field_id_for_name(const TSLanguage *, const char *, uint32_t);
extern uint32_t ts_language_symbol_count(const TSLanguage *);
extern uint16_t ts_language_symbol_for_name(const TSLanguage *, const char *, uint32_t, bool);
extern int ts_language_symbol_type(const TSLanguage *, uint16_t);
extern TSQuery *ts_query_new(const TSLanguage *, const char *, uint32_t, uint32_t *, int *);
extern void ts_query_delete(TSQuery *);
extern uint32_t ts_query_pattern_count(const TSQuery *);
extern uint32_t ts_query_capture_count(const TSQuery *);
extern const char *ts_query_capture_name_for_id(const TSQuery *, uint32_t, uint32_t *);
extern const char *ts_query_string_value_for_id(const TSQuery *, uint32_t, uint32_t *);
extern const TSQueryPredicateStep *ts_query_predicates_for_pattern(const TSQuery *, uint32_t, uint32_t *);
extern TSQueryCursor *ts_query_cursor_new(void);
extern void ts_query_cursor_delete(TSQueryCursor *);
extern void ts_query_cursor_exec_with_options(TSQueryCursor *, const TSQuery *, TSNode, const TSQueryCursorOptions *);
extern bool ts_query_cursor_did_exceed_match_limit(const TSQueryCursor *);
extern void ts_query_cursor_set_match_limit(TSQueryCursor *, uint32_t);
extern void ts_query_cursor_set_max_start_depth(TSQueryCursor *, uint32_t);
extern bool ts_query_cursor_next_match(TSQueryCursor *, TSQueryMatch *);

// cortex_words is a growing array of numbers.
typedef struct { uint32_t *data; size_t length, capacity; } cortex_words;

// What cortex_run ended with.
enum { CORTEX_DONE, CORTEX_PARSE_LIMIT, CORTEX_TOO_DEEP, CORTEX_QUERY_LIMIT, CORTEX_NO_MEMORY,
       CORTEX_SCANNER_LIMIT, CORTEX_BROKEN };

// cortex_limits bounds the work on one file. Steps are the hundreds of operations
// between which tree-sitter asks whether to go on.
typedef struct {
  uint64_t parse_steps, query_steps;
  uint64_t nanoseconds; // for parse and query together
  uint32_t depth;       // of nodes
  uint32_t large;       // bytes from which a node's children are breaks
  uint32_t matches;     // in flight at one node; what comes on top is dropped
} cortex_limits;

// What a node is to a query. Other numbers are indexes into the singles of a cortex_plan.
enum { CORTEX_NOTHING, CORTEX_ROOT, CORTEX_SINGLE };

typedef struct {
  const char *data;
  uint32_t length;
} cortex_text;

// cortex_need is a child that a pattern wants in a node; 0 of kinds, texts or field is any.
typedef struct cortex_need {
  uint16_t field;
  bool first; // no named child stands before it
  uint32_t kinds, texts, needs;
  const uint16_t *kind;
  const cortex_text *text;
  const struct cortex_need *need;
} cortex_need;

// cortex_group is some of the patterns that begin at nodes of one kind: a set of those needs of the filter, a
// bit each, that one of them has. Without any the group has a pattern that needs nothing.
typedef struct {
  uint32_t patterns;
  const uint32_t *pattern; // in ascending order
  uint32_t sets;
  const uint64_t *set;
} cortex_group;

enum { CORTEX_MAX_GROUPS = 8, CORTEX_MAX_NEEDS = 64 };

// cortex_filter tells which of the patterns that begin at nodes of one kind may match at a
// node. The first needs are shallow: they say nothing of what is in the child. queries has one for each set
// of groups, NULL until it is needed.
typedef struct {
  uint32_t needs, shallow, groups;
  uint64_t first; // the set of the needs that are the first named child
  const cortex_need *need;
  const cortex_group *group;
  struct cortex_query **queries;
} cortex_filter;

// cortex_query is a query of some patterns of another one, and what its patterns and captures are there.
typedef struct cortex_query {
  TSQuery *query;
  uint32_t *patterns, *captures;
} cortex_query;

// cortex_part is a child of a flat pattern: with the captures of it.
typedef struct {
  cortex_need need;
  bool optional, named; // named: only a named node
  uint32_t captures;
  const uint32_t *capture;
} cortex_part;

// cortex_flat is a pattern that is a node with captures and children each of which is told by its field and kind
// alone. No cursor is needed for it.
typedef struct {
  uint32_t pattern, captures, parts;
  const uint32_t *capture;
  const cortex_part *part;
} cortex_flat;

// The flat patterns that begin at nodes of one kind have so many parts at most.
enum { CORTEX_MAX_PARTS = 32 };

typedef struct {
  uint32_t count;
  const cortex_flat *flat;
} cortex_flats;

// cortex_found is a child of a node that is a part of a flat pattern.
typedef struct { uint32_t part, start, end; } cortex_found;

// cortex_is reports whether a node of this kind and in this field is what is needed, whatever is in it.
bool cortex_is(const cortex_need *need, uint16_t field, const char *text, TSNode node, uint16_t symbol);

// cortex_plan says where a query's patterns begin.
typedef struct {
  const TSLanguage *language; // for which queries compile
  cortex_query all;
  const cortex_text *sources; // of each pattern
  uint32_t symbols;
  uint32_t *at;      // for each symbol, then for ERROR: what a node of it is
  cortex_filter *filters; // for each symbol that is a root
  cortex_flats *flats;    // for each symbol
  uint32_t *singles; // number of patterns, then for each of them: pattern, n, then n captures of the node
} cortex_plan;

// cortex_filtered is the query to run at node, or NULL if no pattern can match. It uses the cursor.
const cortex_query *cortex_filtered(const cortex_plan *plan, const cortex_filter *filter, TSTreeCursor *cursor,
                                    const char *text, TSNode node);

// cortex_result is what a file's tree says.
typedef struct {
  uint32_t errors;        // ERROR and MISSING nodes
  uint32_t depth;
  bool dropped;           // matches were dropped
  bool held;              // nothing is known: the tree is held
  uint64_t parse_steps, query_steps;
  cortex_words captures;  // per match: pattern, n, then n times: capture, start, end
  cortex_words breaks;    // per break: row, depth
} cortex_result;

// cortex_language is a grammar as its binding gives it, one of which the scanner cannot
// do harm, and one for which queries compile fast. Languages live as long as the process.
typedef struct {
  const TSLanguage *original, *guarded, *outline;
  bool words;        // the scanner takes the letters of a word for the word: "in" of "in1"
  uint32_t recovery; // external tokens, a bit each, that it must not look for in error recovery
} cortex_language;

cortex_language *cortex_language_new(const TSLanguage *language);

typedef struct cortex_guard cortex_guard;

// cortex_worker is what it takes to parse one file at a time.
typedef struct {
  TSParser *parser;
  TSQueryCursor *cursor;
  cortex_guard *guard;
  cortex_result result; // of the last file
  TSTree *held;         // or NULL
  bool cursors;         // there are
  TSTreeCursor place, probe;
  cortex_words found;   // of one node
} cortex_worker;

cortex_worker *cortex_worker_new(void);
void cortex_worker_delete(cortex_worker *w);

// cortex_run parses text and runs the query of plan (unless that is NULL) over its tree.
// The arrays of the result are valid until the next call. With hold, a tree with errors is held
// instead: a better one may be had.
int cortex_run(cortex_worker *w, const cortex_language *language, const cortex_plan *plan,
               const char *text, uint32_t length, const cortex_limits *limits, bool hold);

// cortex_resume runs the query (unless plan is NULL) over the tree that is held, which is that of text.
int cortex_resume(cortex_worker *w, const cortex_language *language, const cortex_plan *plan,
                  const char *text, uint32_t length, const cortex_limits *limits);

// cortex_drop gives up the tree that is held, if there is one. It must come before another is.
void cortex_drop(cortex_worker *w);

// cortex_guarded calls run, in which w parses length bytes. A scanner that breaks down sets
// *exceeded, at which the parser shall stop, or makes the call end with CORTEX_BROKEN.
int cortex_guarded(cortex_worker *w, const cortex_language *language, uint32_t length, bool *exceeded,
                   int (*run)(cortex_worker *, void *), void *data);

#endif
