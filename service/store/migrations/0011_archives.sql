-- Objects of archived combats. Their events are in the object, everything else stays here.
--
-- `object`: its name below the URL of AFFRAY_ARCHIVE. `state`:
--   uploading  the object may be incomplete, and the combat's events are here
--   archived   the events are in the object alone
--   restored   the events are here again; the object is as old as a backup may be
--   discarded  the object is to be deleted
-- `at`: when the object came into this state.
CREATE TABLE archives (
    object text PRIMARY KEY,
    combat_id uuid NOT NULL,
    state text NOT NULL CHECK (state IN ('uploading', 'archived', 'restored', 'discarded')),
    sha256 bytea,
    at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX archives_uploading ON archives (combat_id) WHERE state = 'uploading';
CREATE UNIQUE INDEX archives_archived ON archives (combat_id) WHERE state = 'archived';
CREATE INDEX archives_of_combat ON archives (combat_id);
CREATE INDEX archives_unfinished ON archives (at) WHERE state IN ('uploading', 'discarded');
