/*
 * The library: books, readers and loans.
 */
CREATE SCHEMA library;

CREATE EXTENSION IF NOT EXISTS pgcrypto;

-- What a copy of a book is up to.
CREATE TYPE library.state AS ENUM ('shelf', 'lent', 'lost');

CREATE TYPE library.money AS (amount numeric, currency text);

-- A number of pages.
CREATE DOMAIN library.pages AS integer CHECK (VALUE > 0);

CREATE SEQUENCE library.book_id START 100;

-- Books, each of which
-- stands in the library once.
CREATE TABLE IF NOT EXISTS library.book (
    id bigint PRIMARY KEY DEFAULT nextval('library.book_id'),
    title text NOT NULL, -- as on the cover
    author_id bigint REFERENCES library.author (id),
    pages library.pages
);

CREATE TABLE "Loan" (
    book_id bigint,
    since date NOT NULL DEFAULT current_date
);

CREATE TEMPORARY TABLE recent AS SELECT * FROM "Loan";

ALTER TABLE library.book ADD COLUMN isbn text;

CREATE UNIQUE INDEX CONCURRENTLY book_title ON library.book (title);

/* Who has what. */
CREATE OR REPLACE VIEW library.lent AS
    SELECT b.title, l.since FROM library.book b JOIN "Loan" l ON l.book_id = b.id;

CREATE MATERIALIZED VIEW library.counts AS SELECT author_id, count(*) FROM library.book GROUP BY 1;

-- Counts the loans of a reader.
CREATE OR REPLACE FUNCTION library.count_loans(reader_id bigint, OUT total int) RETURNS int AS $$
    SELECT count(*) FROM "Loan";
$$ LANGUAGE sql STABLE;

CREATE FUNCTION library.stamp() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
    now timestamptz := clock_timestamp();
BEGIN
    IF NEW.since IS NULL THEN
        NEW.since := now;
    END IF;
    RETURN NEW;
END;
$body$;

CREATE TRIGGER stamp BEFORE INSERT ON "Loan" FOR EACH ROW EXECUTE FUNCTION library.stamp();

CREATE PROCEDURE library.close_all()
LANGUAGE SQL
AS $$ DELETE FROM "Loan"; $$;

DO $$
BEGIN
    RAISE NOTICE 'done';
END
$$;

CREATE POLICY mine ON library.book USING (true);

CREATE ROLE librarian;

INSERT INTO library.book (title) VALUES ('CREATE TABLE not_this (id int);');

CREATE TABLE after_all (id int);
