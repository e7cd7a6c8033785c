DO $$ BEGIN CREATE TYPE kind AS ENUM (1); END $$;
CREATE TABLE ${schema}.books (id int);
CREATE TABLE shelves (id int);
