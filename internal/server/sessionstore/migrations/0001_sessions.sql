-- Sessions of visitors, sealed, and tickets of the support desk. All times are those of
-- the clock of the database.

CREATE TABLE gatehouse.session (
    id            bytea PRIMARY KEY CHECK (octet_length(id) = 32),
    generation    bigint NOT NULL CHECK (generation > 0),
    state         text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'claimed')),
    claim         text,
    claimed_by    text,
    claimed_until timestamptz,
    -- the claim of this generation that passed its deadline, and whose it was
    doubted       text,
    doubted_by    text,
    -- the claim that this generation was saved with
    finished      text,
    sealed        bytea NOT NULL CHECK (octet_length(sealed) BETWEEN 1 AND 1048576),
    place         bytea CHECK (octet_length(place) <= 1048576),
    refresh_ends  timestamptz,
    doubts        integer NOT NULL DEFAULT 0 CHECK (doubts >= 0),
    CHECK (num_nulls(claim, claimed_by, claimed_until) = CASE state WHEN 'ready' THEN 3 ELSE 0 END),
    CHECK (num_nulls(doubted, doubted_by) IN (0, 2))
) WITH (fillfactor = 70);
-- What is sealed cannot be compressed.
ALTER TABLE gatehouse.session ALTER COLUMN sealed SET STORAGE EXTERNAL, ALTER COLUMN place SET STORAGE EXTERNAL;
CREATE INDEX session_refresh_ends ON gatehouse.session (refresh_ends);

-- The ledger: each claim under which a token may be sent that may have been sent before.
-- Its row is there before the token is sent.
CREATE TABLE gatehouse.in_doubt (
    id         bytea NOT NULL,
    generation bigint NOT NULL,
    claim      text NOT NULL,
    claimed_by text NOT NULL,
    taken      text NOT NULL PRIMARY KEY,
    taken_by   text NOT NULL,
    at         timestamptz NOT NULL
);
CREATE INDEX in_doubt_at ON gatehouse.in_doubt (at);

CREATE TABLE gatehouse.ticket (
    id     bytea PRIMARY KEY CHECK (octet_length(id) = 32),
    sealed bytea NOT NULL CHECK (octet_length(sealed) <= 16777216),
    ends   timestamptz NOT NULL
);
CREATE INDEX ticket_ends ON gatehouse.ticket (ends);

CREATE TABLE gatehouse.attempt (
    subject bytea NOT NULL CHECK (octet_length(subject) = 32),
    at      timestamptz NOT NULL,
    ends    timestamptz NOT NULL
);
CREATE INDEX attempt_subject ON gatehouse.attempt (subject, at);
CREATE INDEX attempt_ends ON gatehouse.attempt (ends);
