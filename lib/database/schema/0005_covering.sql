-- The indexes of words hold all that a question asks of them. So the rows of one word in many trees stand next to each other, in whatever order trees were written.
--
-- A row of an index has room for 2,700 bytes: longer data is divided. The numbers and times of chunks are varints, as are the places that follow in their order:
-- an odd one is followed by another.

DO $$
DECLARE
    r      record;
    data   bytea;
    places bytea;
    at     integer; -- in data
    place  integer; -- in places
    begun  integer; -- the posting at hand, in data
    start  integer; -- of the row at hand, in data, after its first number
    spot   integer; -- of the row at hand, in places
    first  integer; -- of the row at hand
    head   bytea;   -- its first number, where another row is before it
    number integer;
    times  bigint;
    x      bigint;
    n      bigint;
    shift  integer;
    b      integer;
BEGIN
    FOR r IN SELECT * FROM cortex.postings p WHERE length(p.data) > 1100 LOOP
        DELETE FROM cortex.postings p WHERE p.lexeme = r.lexeme AND p.tree_id = r.tree_id AND p.first = r.first;
        data := r.data || ''::bytea; -- both stand in memory from here on
        places := r.places || ''::bytea;
        at := 0; place := 0; start := 0; spot := 0; first := r.first; head := ''; number := r.first;
        WHILE at < length(data) LOOP
            begun := at; x := 0; shift := 0;
            LOOP
                b := get_byte(data, at); at := at + 1;
                x := x | ((b & 127)::bigint << shift); shift := shift + 7;
                EXIT WHEN b < 128;
            END LOOP;
            number := number + (x >> 1)::integer;
            IF begun - start >= 1000 THEN
                INSERT INTO cortex.postings (tree_id, lexeme, first, data, places) VALUES (r.tree_id, r.lexeme, first,
                    head || substr(data, start + 1, begun - start), substr(places, spot + 1, place - spot));
                first := number; head := set_byte('\x00', 0, (x & 1)::integer); start := at; spot := place;
            END IF;
            times := 1;
            IF x & 1 = 1 THEN
                n := 0; shift := 0;
                LOOP
                    b := get_byte(data, at); at := at + 1;
                    n := n | ((b & 127)::bigint << shift); shift := shift + 7;
                    EXIT WHEN b < 128;
                END LOOP;
                times := n + 2;
            END IF;
            IF places IS NOT NULL THEN
                WHILE times > 0 LOOP
                    b := get_byte(places, place) & 1;
                    WHILE get_byte(places, place) >= 128 LOOP
                        place := place + 1;
                    END LOOP;
                    place := place + 1;
                    IF b = 1 THEN
                        WHILE get_byte(places, place) >= 128 LOOP
                            place := place + 1;
                        END LOOP;
                        place := place + 1;
                    END IF;
                    times := times - 1;
                END LOOP;
            END IF;
        END LOOP;
        INSERT INTO cortex.postings (tree_id, lexeme, first, data, places) VALUES (r.tree_id, r.lexeme, first,
            head || substr(data, start + 1), substr(places, spot + 1));
    END LOOP;
END
$$;

-- What was deleted here would still come into the index if the table was not written anew.
ALTER TABLE cortex.postings DROP CONSTRAINT postings_pkey;
ALTER TABLE cortex.postings ALTER COLUMN data TYPE bytea USING data || ''::bytea;
ALTER TABLE cortex.postings ADD CONSTRAINT postings_pkey PRIMARY KEY (lexeme, tree_id, first) INCLUDE (data);
ALTER TABLE cortex.lexemes DROP CONSTRAINT lexemes_pkey;
ALTER TABLE cortex.lexemes ADD CONSTRAINT lexemes_pkey PRIMARY KEY (lexeme, tree_id) INCLUDE (chunks);
