-- trees.written names what a tree holds: each commit gives another one, also where a database is restored from a copy and goes on in another way.
-- So readers may keep on disk what they made of a tree.

ALTER TABLE cortex.trees ADD COLUMN written uuid NOT NULL DEFAULT gen_random_uuid();
