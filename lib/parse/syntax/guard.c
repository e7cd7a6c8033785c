// Grammars bring scanners in C of mixed quality: some write more state than tree-sitter
// has room for, some never leave a loop at the end of the file, some assert that what they
// read is what they wrote. Here every scanner is wrapped so that a file at which it breaks
// down costs no more than that file.

#include "language.h"
#include "sitter.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  // state_room is what tree-sitter has room for, state_space what a scanner is given; a
  // scanner that misreads its state finds zeros behind it.
  state_room = 1024,
  state_space = 64 << 10,
  // A scanner may read each character of a file chars_factor times, and chars_base more. It
  // reads again what it looked at ahead of a token.
  chars_factor = 50,
  chars_base = 10 << 20,
  // column_share is the part of its column that asking for it counts as characters.
  column_share = 8,
  // calls_at_end is how often a scanner may go on after the end of the file before it is
  // taken to be in an endless loop.
  calls_at_end = 100000,
};

struct cortex_guard {
  jmp_buf escape;
  const language_14 *language; // the original
  const cortex_language *care;
  bool *exceeded;
  bool failed;
  uint64_t chars; // left
  uint32_t at_end;
  bool words, after_letter, hides;
  int32_t hidden; // the character in the place of which the scanner sees a letter, if it hides one
  lexer original;     // the functions that are replaced during a scan
  unsigned read_size; // of what is in read before the zeros
  char read[state_space], written[state_space];
};

// The guard of the file that this thread parses, or NULL.
static _Thread_local cortex_guard *guard;

// fail makes the parser stop at the next step.
static void fail(void) {
  guard->failed = true;
  guard->chars = 0;
  *guard->exceeded = true;
}

// give_up leaves the scanner and the parser where they are.
static _Noreturn void give_up(void) { longjmp(guard->escape, 1); }

static void spend(uint64_t chars) {
  guard->chars -= chars < guard->chars ? chars : guard->chars;
  if (guard->chars == 0) fail();
}

static bool is_letter(int32_t c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }

// show makes what continues a word look like a letter to a scanner that knows words by letters.
static void show(cortex_guard *g, lexer *l) {
  int32_t c = l->lookahead;
  bool continues = c == '_' || ('0' <= c && c <= '9');
  g->hides = continues && g->after_letter;
  if (g->hides) {
    g->hidden = c;
    l->lookahead = 'a';
  }
  g->after_letter = is_letter(c) || continues;
}

// After a failure the scanner sees the end of the file.
static void guarded_advance(lexer *l, bool skip) {
  cortex_guard *g = guard;
  if (g->chars > 1) {
    g->chars--;
    g->original.advance(l, skip);
    if (g->words) show(g, l);
    if (l->lookahead != 0 || !g->original.eof(l)) return;
  } else {
    fail();
  }
  l->lookahead = 0;
  if (++g->at_end > calls_at_end) give_up();
}

static bool guarded_eof(const lexer *l) {
  if (!guard->failed && !guard->original.eof(l)) return false;
  if (++guard->at_end > calls_at_end) give_up();
  return true;
}

// Finding out the column may take reading the line again.
static uint32_t guarded_get_column(lexer *l) {
  uint32_t column = guard->original.get_column(l);
  spend(column / column_share);
  return column;
}

// careful hides from the scanner the tokens of care->recovery where all tokens are valid, as they are in
// error recovery alone, and says whether words are to be shown. Such a token is the text of a string:
// it would take all that follows, and it has no words.
static const bool *careful(cortex_guard *g, const bool *valid, bool *copy) {
  uint32_t n = g->language->external_token_count;
  g->words = g->care->words;
  g->after_letter = g->hides = false;
  if (!g->care->recovery || n > 32) return valid;
  bool all = true;
  for (uint32_t i = 0; i < n; i++) all = all && valid[i];
  for (uint32_t i = 0; i < n; i++) {
    bool text = g->care->recovery >> i & 1;
    copy[i] = valid[i] && !(all && text);
    if (copy[i] && text) g->words = false;
  }
  return copy;
}

static bool guarded_scan(void *payload, lexer *l, const bool *valid) {
  cortex_guard *g = guard;
  if (g->failed) return false;
  bool copy[32];
  valid = careful(g, valid, copy);
  if (g->words) show(g, l);
  g->at_end = 0;
  g->original = *l;
  l->advance = guarded_advance;
  l->eof = guarded_eof;
  l->get_column = guarded_get_column;
  bool found = g->language->scanner.scan(payload, l, valid);
  if (g->hides) l->lookahead = g->hidden;
  l->advance = g->original.advance;
  l->eof = g->original.eof;
  l->get_column = g->original.get_column;
  return found && !g->failed;
}

static unsigned guarded_serialize(void *payload, char *buffer) {
  cortex_guard *g = guard;
  unsigned size = g->language->scanner.serialize(payload, g->written);
  if (size > state_room) {
    fail();
    return 0;
  }
  memcpy(buffer, g->written, size);
  return size;
}

static void guarded_deserialize(void *payload, const char *buffer, unsigned size) {
  cortex_guard *g = guard;
  if (size > 0) memcpy(g->read, buffer, size);
  if (size < g->read_size) memset(g->read + size, 0, g->read_size - size);
  g->read_size = size;
  g->language->scanner.deserialize(payload, size > 0 ? g->read : NULL, size);
}

void cortex_guard_scanner(language_14 *language) {
  if (!language->scanner.states || !language->scanner.scan) return;
  language->scanner.scan = guarded_scan;
  language->scanner.serialize = guarded_serialize;
  language->scanner.deserialize = guarded_deserialize;
}

int cortex_guarded(cortex_worker *w, const cortex_language *language, uint32_t length, bool *exceeded,
                   int (*run)(cortex_worker *, void *), void *data) {
  cortex_guard *g = w->guard;
  if (!g) g = w->guard = calloc(1, sizeof *g);
  if (!g) return CORTEX_NO_MEMORY;
  g->language = (const void *)language->original;
  g->care = language;
  g->exceeded = exceeded;
  g->failed = false;
  g->chars = chars_base + (uint64_t)length * chars_factor;
  int rc;
  guard = g;
  if (setjmp(g->escape) == 0) {
    rc = run(w, data);
    if (g->failed) rc = CORTEX_SCANNER_LIMIT;
  } else {
    // What the parser and the cursor held is lost: they cannot be trusted any more.
    rc = CORTEX_BROKEN;
    w->parser = ts_parser_new();
    w->cursor = ts_query_cursor_new();
    w->cursors = false;
  }
  guard = NULL;
  return rc;
}

// A failed assertion of the library or a scanner ends here and not in abort, whether
// they were compiled with NDEBUG or not.
#if defined(__APPLE__)
_Noreturn void __assert_rtn(const char *function, const char *file, int line, const char *assertion) {
#else
_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
#endif
  if (guard) give_up();
  fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, (unsigned)line, function ? function : "", assertion);
  abort();
}
