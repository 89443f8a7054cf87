-- Pictures that were uploaded for a combat, as the service encoded them. Forks share a content.
CREATE TABLE picture_contents (
    hash bytea PRIMARY KEY,
    data bytea NOT NULL
);
ALTER TABLE picture_contents ALTER COLUMN data SET STORAGE EXTERNAL;

-- `hash`: SHA-256 of the plain content. `size`: its bytes.
CREATE TABLE pictures (
    combat_id uuid NOT NULL,
    picture text NOT NULL,
    hash bytea NOT NULL REFERENCES picture_contents,
    size int NOT NULL,
    PRIMARY KEY (combat_id, picture)
);
CREATE INDEX pictures_of_content ON pictures (hash);
