"""The database's history: each step is applied once, in order, and never edited after release."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("podium-studio")

_FIRST = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE instances (
        id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL, instruction TEXT NOT NULL,
        scenario TEXT NOT NULL, domain TEXT NOT NULL, language TEXT NOT NULL, difficulty TEXT NOT NULL,
        position INTEGER NOT NULL)""",
    """CREATE TABLE sources (
        id TEXT PRIMARY KEY, instance_id TEXT NOT NULL REFERENCES instances(id), name TEXT NOT NULL,
        format TEXT NOT NULL, asset TEXT NOT NULL, extension TEXT NOT NULL, size_bytes INTEGER NOT NULL,
        UNIQUE (instance_id, name))""",
    """CREATE TABLE systems (
        id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, version TEXT NOT NULL, paradigm TEXT NOT NULL,
        access_date TEXT NOT NULL, settings TEXT NOT NULL, adaptation TEXT NOT NULL)""",
    """CREATE TABLE decks (
        id TEXT PRIMARY KEY, instance_id TEXT NOT NULL REFERENCES instances(id),
        system_id TEXT NOT NULL REFERENCES systems(id), status TEXT NOT NULL, reason TEXT NOT NULL,
        failure_kind TEXT NOT NULL, format TEXT, asset TEXT, extension TEXT NOT NULL,
        original_name TEXT NOT NULL, size_bytes INTEGER NOT NULL, slides INTEGER NOT NULL,
        hidden_slides INTEGER NOT NULL, warnings TEXT NOT NULL, facts TEXT NOT NULL,
        UNIQUE (instance_id, system_id))""",
    """CREATE TABLE renders (
        deck_id TEXT PRIMARY KEY REFERENCES decks(id), asset TEXT NOT NULL, state TEXT NOT NULL,
        reason TEXT NOT NULL, renderer TEXT NOT NULL, pages INTEGER NOT NULL, width_px INTEGER NOT NULL,
        height_px INTEGER NOT NULL, missing_fonts TEXT NOT NULL, warnings TEXT NOT NULL, folder TEXT NOT NULL,
        seconds REAL NOT NULL, at TEXT NOT NULL)""",
    """CREATE TABLE slides (
        deck_id TEXT NOT NULL REFERENCES decks(id), number INTEGER NOT NULL, page INTEGER,
        is_hidden INTEGER NOT NULL, text TEXT NOT NULL, notes TEXT NOT NULL, boxes TEXT,
        width_px INTEGER NOT NULL, height_px INTEGER NOT NULL, PRIMARY KEY (deck_id, number))""",
    """CREATE TABLE annotators (
        id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, grp TEXT NOT NULL, role TEXT NOT NULL,
        is_sample INTEGER NOT NULL)""",
    """CREATE TABLE answer_events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
        instance_id TEXT NOT NULL REFERENCES instances(id),
        annotator_id TEXT NOT NULL REFERENCES annotators(id), deck_id TEXT, item_key TEXT NOT NULL,
        verb TEXT NOT NULL, state TEXT NOT NULL, at TEXT NOT NULL, active_s REAL NOT NULL, wall_s REAL NOT NULL,
        target INTEGER, display TEXT NOT NULL, revision INTEGER NOT NULL, guidelines_version TEXT NOT NULL,
        app_version TEXT NOT NULL)""",
    "CREATE INDEX answer_events_unit ON answer_events (kind, instance_id, annotator_id, deck_id, item_key)",
    """CREATE TABLE runs (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, spec TEXT NOT NULL, state TEXT NOT NULL,
        started_at TEXT NOT NULL, ended_at TEXT NOT NULL, total INTEGER NOT NULL, cached INTEGER NOT NULL,
        counts TEXT NOT NULL, reason TEXT NOT NULL)""",
    """CREATE TABLE run_units (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL REFERENCES runs(id), key TEXT NOT NULL,
        deck_id TEXT NOT NULL, instance_id TEXT NOT NULL, label TEXT NOT NULL, status TEXT NOT NULL,
        failure_kind TEXT NOT NULL, message TEXT NOT NULL, seconds REAL NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX run_units_run ON run_units (run_id)",
    "CREATE INDEX run_units_key ON run_units (key, status)",
    """CREATE TABLE scores (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT REFERENCES runs(id), unit_key TEXT NOT NULL,
        metric TEXT NOT NULL, metric_version INTEGER NOT NULL, preset TEXT NOT NULL, deck_id TEXT NOT NULL,
        instance_id TEXT NOT NULL, slide INTEGER, value REAL, undefined_reason TEXT, width_px INTEGER,
        height_px INTEGER, flags TEXT NOT NULL, detail TEXT NOT NULL, at TEXT NOT NULL,
        CHECK ((value IS NULL) <> (undefined_reason IS NULL)))""",
    "CREATE INDEX scores_current ON scores (metric, preset, deck_id, slide)",
    "CREATE INDEX scores_deck ON scores (deck_id, slide)",
    "CREATE INDEX scores_unit ON scores (unit_key)",
    """CREATE TABLE verdicts (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT REFERENCES runs(id), judge_id TEXT NOT NULL,
        model TEXT NOT NULL, prompt_version TEXT NOT NULL, instance_id TEXT NOT NULL, deck_id TEXT NOT NULL,
        item_id TEXT NOT NULL, verdict TEXT NOT NULL, score REAL, status TEXT NOT NULL,
        order_index INTEGER NOT NULL, repeat INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL, cost REAL NOT NULL, cached INTEGER NOT NULL, latency_s REAL NOT NULL)""",
    "CREATE INDEX verdicts_unit ON verdicts (judge_id, instance_id, deck_id, item_id)",
)

_PICTURE_TEXT = (
    """CREATE TABLE picture_texts (
        picture TEXT NOT NULL, detector TEXT NOT NULL, reader TEXT NOT NULL, width_px INTEGER NOT NULL,
        height_px INTEGER NOT NULL, regions TEXT NOT NULL, seconds REAL NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (picture, detector))""",
    """CREATE TABLE slide_pictures (
        deck_id TEXT NOT NULL REFERENCES decks(id), number INTEGER NOT NULL, picture TEXT NOT NULL,
        detector TEXT NOT NULL, rendered_at TEXT NOT NULL, PRIMARY KEY (deck_id, number))""",
    """CREATE TABLE imported_regions (
        deck_id TEXT NOT NULL REFERENCES decks(id), number INTEGER NOT NULL, asset TEXT NOT NULL,
        source TEXT NOT NULL, width_px INTEGER NOT NULL, height_px INTEGER NOT NULL, regions TEXT NOT NULL,
        at TEXT NOT NULL, PRIMARY KEY (deck_id, number))""",
)

APPEND_ONLY = ("answer_events", "scores", "verdicts")
"""Tables whose rows are never changed and never removed; triggers hold to it."""


@migrations()
def m0001_first(db: Database) -> None:
    """Make the tables of the first release."""
    for statement in _FIRST:
        db.execute(statement)
    for table in APPEND_ONLY:
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


@migrations()
def m0002_picture_text(db: Database) -> None:
    """Make room for text that was found on pictures, apart from what the decks' own files say."""
    for statement in _PICTURE_TEXT:
        db.execute(statement)


@migrations()
def m0003_slide_fonts(db: Database) -> None:
    """Keep with each slide which fonts it asks for and which of them were not there."""
    for column in ("fonts", "missing_fonts"):
        db.execute(f"ALTER TABLE slides ADD COLUMN {column} TEXT NOT NULL DEFAULT '[]'")


_PRESETS_AND_REFERENCES = (
    """CREATE TABLE presets (
        name TEXT PRIMARY KEY, parameters TEXT NOT NULL, provenance TEXT NOT NULL, at TEXT NOT NULL)""",
    """CREATE TABLE metric_references (
        name TEXT PRIMARY KEY, content TEXT NOT NULL, provenance TEXT NOT NULL, at TEXT NOT NULL)""",
)


@migrations()
def m0004_presets_and_references(db: Database) -> None:
    """Make room for named parameters of metrics and for corpora that decks are compared with."""
    for statement in _PRESETS_AND_REFERENCES:
        db.execute(statement)


def known_steps() -> frozenset[str]:
    """Return the names of all steps that this program can apply."""
    nowhere = Database(memory=True, execute_plugins=False)
    try:
        return frozenset(step.name for step in migrations.pending(nowhere))
    finally:
        nowhere.conn.close()
