-- Who may read and who may write. A reader sees the trees of which trees.readers is NULL or names a role that the reader is a member of, and nothing of others.

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'cortex_read') THEN
        CREATE ROLE cortex_read NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'cortex_write') THEN
        CREATE ROLE cortex_write NOLOGIN;
    END IF;
EXCEPTION
    WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL; -- the owner alone reads and writes, or another database has made them at the same time
END
$$;

CREATE FUNCTION cortex.roles() RETURNS name[] LANGUAGE sql STABLE AS
    $$ SELECT coalesce(array_agg(rolname), '{}') FROM pg_catalog.pg_roles WHERE pg_catalog.pg_has_role(current_user, oid, 'member') $$;

-- index_model makes the index of the vectors of a model, which only the owner of the table can.
CREATE FUNCTION cortex.index_model(model integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    dims integer;
BEGIN
    SELECT dimensions INTO STRICT dims FROM cortex.models WHERE id = model;
    IF dims <= 4000 THEN
        EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON cortex.embeddings USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops) WHERE model_id = %s',
            'embeddings_model_' || model, dims, model);
    END IF;
END
$$;
REVOKE ALL ON FUNCTION cortex.index_model(integer) FROM public;

DO $$
DECLARE
    part text;
BEGIN
    ALTER TABLE cortex.trees ENABLE ROW LEVEL SECURITY;
    FOREACH part IN ARRAY ARRAY['files', 'chunks', 'embeddings', 'lexemes', 'postings'] LOOP
        EXECUTE format('ALTER TABLE cortex.%I ENABLE ROW LEVEL SECURITY', part);
    END LOOP;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'cortex_read') THEN
        GRANT USAGE ON SCHEMA cortex TO cortex_read;
        GRANT SELECT ON cortex.migrations, cortex.models, cortex.trees, cortex.files, cortex.chunks, cortex.embeddings, cortex.lexemes, cortex.postings TO cortex_read;
        CREATE POLICY cortex_read ON cortex.trees FOR SELECT TO cortex_read USING (readers IS NULL OR readers && (SELECT cortex.roles()));
        FOREACH part IN ARRAY ARRAY['files', 'chunks', 'embeddings', 'lexemes', 'postings'] LOOP
            EXECUTE format('CREATE POLICY cortex_read ON cortex.%I FOR SELECT TO cortex_read USING (tree_id IN (SELECT id FROM cortex.trees))', part);
        END LOOP;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'cortex_write') THEN
        GRANT USAGE ON SCHEMA cortex TO cortex_write;
        GRANT SELECT ON cortex.migrations TO cortex_write;
        GRANT SELECT, INSERT, UPDATE, DELETE ON cortex.models, cortex.trees, cortex.files, cortex.chunks, cortex.embeddings, cortex.lexemes, cortex.postings TO cortex_write;
        GRANT EXECUTE ON FUNCTION cortex.index_model(integer) TO cortex_write;
        FOREACH part IN ARRAY ARRAY['trees', 'files', 'chunks', 'embeddings', 'lexemes', 'postings'] LOOP
            EXECUTE format('CREATE POLICY cortex_write ON cortex.%I TO cortex_write USING (true) WITH CHECK (true)', part);
        END LOOP;
    END IF;
END
$$;
