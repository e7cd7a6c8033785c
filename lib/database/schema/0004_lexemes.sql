-- A lexeme that no chunk of a tree has any more goes, with its postings: so the index of lexemes alone says which there are.

DELETE FROM cortex.postings p USING cortex.lexemes l WHERE l.chunks <= 0 AND p.tree_id = l.tree_id AND p.lexeme = l.lexeme;
DELETE FROM cortex.lexemes WHERE chunks <= 0;
