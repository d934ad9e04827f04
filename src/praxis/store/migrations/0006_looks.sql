ALTER TABLE source ADD COLUMN look TEXT; -- what Praxis looks at by itself, other than health
