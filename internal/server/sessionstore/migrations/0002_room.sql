-- A disk that is full must refuse a claim rather than what comes of it: the token is spent by
-- then. So a row is kept whole in its page, up to 8 KB, and shares the page with no other: where
-- a claim found room, what is saved next finds it too. Rows are moved as they are renewed.
ALTER TABLE gatehouse.session SET (fillfactor = 10);
ALTER TABLE gatehouse.session ALTER COLUMN sealed SET STORAGE MAIN, ALTER COLUMN place SET STORAGE MAIN;
