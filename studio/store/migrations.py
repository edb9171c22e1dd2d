"""The database's history: each step is applied once, in order, and never edited after release."""

from __future__ import annotations

from studio.store.light_import import Database, Migrations

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

_CARE = (
    "CREATE TABLE removed (id TEXT PRIMARY KEY, kind TEXT NOT NULL, at TEXT NOT NULL)",
    """CREATE TABLE project_acts (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, verb TEXT NOT NULL, kind TEXT NOT NULL,
        target_id TEXT NOT NULL, words TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL,
        undoes INTEGER REFERENCES project_acts(seq))""",
    # Which file a deck had, from which answer, score and verdict on: numbers of rows, since clocks go wrong.
    """CREATE TABLE deck_files (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, deck_id TEXT NOT NULL REFERENCES decks(id), asset TEXT,
        after_answer INTEGER NOT NULL, after_score INTEGER NOT NULL, after_verdict INTEGER NOT NULL,
        at TEXT NOT NULL)""",
    "CREATE INDEX deck_files_deck ON deck_files (deck_id, seq)",
    "INSERT INTO deck_files (deck_id, asset, after_answer, after_score, after_verdict, at) "
    "SELECT id, asset, 0, 0, 0, '' FROM decks",
    *(
        f"""CREATE TRIGGER deck_files_{verb} AFTER {when} BEGIN
        INSERT INTO deck_files (deck_id, asset, after_answer, after_score, after_verdict, at) VALUES (NEW.id, NEW.asset,
            (SELECT coalesce(max(seq), 0) FROM answer_events), (SELECT coalesce(max(id), 0) FROM scores),
            (SELECT coalesce(max(id), 0) FROM verdicts), strftime('%Y-%m-%dT%H:%M:%fZ', 'now')); END"""
        for verb, when in (
            ("insert", "INSERT ON decks"),
            ("update", "UPDATE OF asset ON decks WHEN NEW.asset IS NOT OLD.asset"),
        )
    ),
    """CREATE VIEW visible_decks AS SELECT * FROM decks WHERE id NOT IN (SELECT id FROM removed)
        AND instance_id NOT IN (SELECT id FROM removed) AND system_id NOT IN (SELECT id FROM removed)""",
    "CREATE VIEW hidden_decks AS SELECT id FROM decks EXCEPT SELECT id FROM visible_decks",
    "CREATE VIEW changed_decks AS SELECT deck_id FROM deck_files GROUP BY deck_id HAVING count(*) > 1",
    # A run that began before the file changed measured the earlier one, whenever its scores came.
    """CREATE VIEW stale_scores AS SELECT s.id AS id, s.deck_id AS deck_id FROM scores s
        JOIN decks d ON d.id = s.deck_id LEFT JOIN runs r ON r.id = s.run_id
        WHERE s.deck_id IN (SELECT deck_id FROM changed_decks) AND d.asset IS NOT (
            SELECT f.asset FROM deck_files f WHERE f.deck_id = s.deck_id AND (
                (f.after_score < s.id AND (r.started_at IS NULL OR f.at <= r.started_at))
                OR f.seq = (SELECT min(seq) FROM deck_files WHERE deck_id = s.deck_id))
            ORDER BY f.seq DESC LIMIT 1)""",
    """CREATE VIEW stale_verdicts AS SELECT v.id AS id, v.deck_id AS deck_id FROM verdicts v
        JOIN decks d ON d.id = v.deck_id WHERE v.deck_id IN (SELECT deck_id FROM changed_decks) AND d.asset IS NOT (
            SELECT f.asset FROM deck_files f WHERE f.deck_id = v.deck_id AND (f.after_verdict < v.id
                OR f.seq = (SELECT min(seq) FROM deck_files WHERE deck_id = v.deck_id))
            ORDER BY f.seq DESC LIMIT 1)""",
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


@migrations()
def m0005_care(db: Database) -> None:
    """Make room for what was removed, for acts that can be undone, and for the files that a deck has had."""
    for statement in _CARE:
        db.execute(statement)
    for table in ("project_acts", "deck_files"):
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


_STUDIES = (
    """CREATE TABLE studies (
        id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, rules TEXT NOT NULL,
        is_closed INTEGER NOT NULL, at TEXT NOT NULL)""",
    """CREATE TABLE assignments (
        study_id TEXT NOT NULL REFERENCES studies(id), annotator_id TEXT NOT NULL REFERENCES annotators(id),
        instance_id TEXT NOT NULL REFERENCES instances(id), deck_id TEXT NOT NULL, item_key TEXT NOT NULL,
        repeat INTEGER NOT NULL, deck_ids TEXT NOT NULL, position INTEGER NOT NULL, purpose TEXT NOT NULL,
        is_withdrawn INTEGER NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (study_id, annotator_id, instance_id, deck_id, item_key, repeat)) WITHOUT ROWID""",
    "CREATE INDEX assignments_instance ON assignments (study_id, instance_id)",
    """CREATE TABLE profiles (
        annotator_id TEXT PRIMARY KEY REFERENCES annotators(id), qualification TEXT NOT NULL, note TEXT NOT NULL,
        is_active INTEGER NOT NULL, at TEXT NOT NULL)""",
    """CREATE TABLE guidelines (
        version TEXT PRIMARY KEY, text TEXT NOT NULL, examples TEXT NOT NULL, at TEXT NOT NULL)""",
    """CREATE TABLE guideline_reads (
        annotator_id TEXT NOT NULL REFERENCES annotators(id), version TEXT NOT NULL REFERENCES guidelines(version),
        at TEXT NOT NULL)""",
    """CREATE TABLE training_items (
        id TEXT PRIMARY KEY, study_id TEXT NOT NULL, position INTEGER NOT NULL, question TEXT NOT NULL,
        options TEXT NOT NULL, answer TEXT NOT NULL, explanation TEXT NOT NULL, examples TEXT NOT NULL)""",
    """CREATE TABLE training_tries (
        uid TEXT PRIMARY KEY, study_id TEXT NOT NULL, annotator_id TEXT NOT NULL REFERENCES annotators(id),
        item_id TEXT NOT NULL, answer TEXT NOT NULL, is_correct INTEGER NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX training_tries_person ON training_tries (study_id, annotator_id)",
    """CREATE TABLE probes (
        study_id TEXT NOT NULL, instance_id TEXT NOT NULL REFERENCES instances(id), deck_id TEXT NOT NULL,
        item_key TEXT NOT NULL, purpose TEXT NOT NULL, expected TEXT NOT NULL, note TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (study_id, instance_id, deck_id, item_key))""",
    """CREATE TABLE views (
        uid TEXT PRIMARY KEY, study_id TEXT NOT NULL, instance_id TEXT NOT NULL REFERENCES instances(id),
        annotator_id TEXT NOT NULL REFERENCES annotators(id), deck_id TEXT NOT NULL, slide INTEGER,
        seen_s REAL NOT NULL, source_opened_s REAL NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX views_unit ON views (instance_id, annotator_id, study_id)",
    "ALTER TABLE answer_events ADD COLUMN study_id TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE answer_events ADD COLUMN repeat INTEGER NOT NULL DEFAULT 0",
    # Worked out when it is asked for, and kept in the index below, so that counters read no answer.
    "ALTER TABLE answer_events ADD COLUMN status TEXT GENERATED ALWAYS AS (json_extract(state, '$.status')) VIRTUAL",
    """CREATE INDEX answer_events_progress ON answer_events
        (kind, study_id, annotator_id, instance_id, deck_id, item_key, repeat, seq, verb, status)""",
)

_CHECKLISTS = (
    """CREATE TABLE checklist_acts (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, author TEXT NOT NULL, verb TEXT NOT NULL,
        words TEXT NOT NULL, undoes INTEGER REFERENCES checklist_acts(seq))""",
    """CREATE TABLE checklist_records (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, act INTEGER NOT NULL REFERENCES checklist_acts(seq),
        kind TEXT NOT NULL, key TEXT NOT NULL, scope TEXT NOT NULL, state TEXT NOT NULL)""",
    "CREATE INDEX checklist_records_key ON checklist_records (kind, key, seq)",
    "CREATE INDEX checklist_records_scope ON checklist_records (scope, kind)",
    "CREATE INDEX checklist_records_act ON checklist_records (act)",
    """CREATE TABLE checklist_sign_offs (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, content_hash TEXT NOT NULL, person TEXT NOT NULL,
        at TEXT NOT NULL, note TEXT NOT NULL)""",
    """CREATE TABLE checklist_releases (
        number INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, at TEXT NOT NULL, author TEXT NOT NULL,
        content_hash TEXT NOT NULL, note TEXT NOT NULL, content TEXT NOT NULL)""",
)

_CHECKLIST_REPLIES = (
    # What an answer rests on: the verdicts table has the verdict alone.
    """CREATE TABLE checklist_replies (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL REFERENCES runs(id), deck_id TEXT NOT NULL,
        item_id TEXT NOT NULL, repeat INTEGER NOT NULL, place TEXT NOT NULL, answer TEXT, explanation TEXT,
        log TEXT)""",
    "CREATE INDEX checklist_replies_run ON checklist_replies (run_id, deck_id)",
    """CREATE TABLE failed_generations (
        deck_id TEXT NOT NULL REFERENCES decks(id), file TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (deck_id, file))""",
)


_JUDGING = (
    # A reply is looked up by what was asked; a newer one under the same key stands in place of the older.
    """CREATE TABLE replies (
        id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, run_id TEXT REFERENCES runs(id),
        unit_key TEXT NOT NULL, judge_id TEXT NOT NULL, judge_version TEXT NOT NULL, request TEXT NOT NULL,
        text TEXT NOT NULL, ending TEXT NOT NULL, why_blocked TEXT NOT NULL, raw TEXT NOT NULL,
        input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cached_input_tokens INTEGER NOT NULL,
        thinking_tokens INTEGER NOT NULL, cost REAL NOT NULL, latency_s REAL NOT NULL, model TEXT NOT NULL,
        tokens TEXT NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX replies_key ON replies (key, id)",
    "CREATE INDEX replies_unit ON replies (unit_key)",
    "CREATE INDEX replies_judge ON replies (judge_version)",
    # Long words of requests, once each: sources and instructions are the same in hundreds of them.
    "CREATE TABLE request_texts (sha256 TEXT PRIMARY KEY, text TEXT NOT NULL)",
    """CREATE TABLE verdict_details (
        verdict_id INTEGER PRIMARY KEY REFERENCES verdicts(id), unit_key TEXT NOT NULL, protocol TEXT NOT NULL,
        judge_version TEXT NOT NULL, dimension TEXT NOT NULL, slide INTEGER, against TEXT NOT NULL,
        scale TEXT NOT NULL, parse TEXT NOT NULL, reason TEXT NOT NULL, evidence TEXT NOT NULL,
        detail TEXT NOT NULL, reply_keys TEXT NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX verdict_details_unit ON verdict_details (unit_key)",
    """CREATE TABLE unit_calls (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL REFERENCES runs(id), unit_key TEXT NOT NULL,
        calls INTEGER NOT NULL, reused INTEGER NOT NULL, faults TEXT NOT NULL, input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL, cost REAL NOT NULL)""",
    "CREATE INDEX unit_calls_run ON unit_calls (run_id)",
    """CREATE TABLE saved_judges (
        name TEXT PRIMARY KEY, provider TEXT NOT NULL, model TEXT NOT NULL, base_url TEXT NOT NULL,
        settings TEXT NOT NULL, at TEXT NOT NULL)""",
)


_QUIZ_BANKS = (
    """CREATE TABLE quiz_acts (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, author TEXT NOT NULL, verb TEXT NOT NULL,
        words TEXT NOT NULL, undoes INTEGER REFERENCES quiz_acts(seq))""",
    """CREATE TABLE quiz_records (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, act INTEGER NOT NULL REFERENCES quiz_acts(seq),
        kind TEXT NOT NULL, key TEXT NOT NULL, scope TEXT NOT NULL, state TEXT NOT NULL)""",
    "CREATE INDEX quiz_records_key ON quiz_records (kind, key, seq)",
    "CREATE INDEX quiz_records_scope ON quiz_records (scope, kind)",
    "CREATE INDEX quiz_records_act ON quiz_records (act)",
)

_QUIZ_ANSWERS = (
    """CREATE TABLE quiz_answers (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, unit_key TEXT NOT NULL, bank_id TEXT NOT NULL,
        bank_version INTEGER NOT NULL, question_id TEXT NOT NULL, question_key TEXT NOT NULL, type TEXT NOT NULL,
        instance_id TEXT NOT NULL, deck_id TEXT NOT NULL, asset TEXT NOT NULL, reader TEXT NOT NULL,
        condition TEXT NOT NULL, text_from TEXT NOT NULL, answer TEXT NOT NULL, key TEXT NOT NULL, cited TEXT NOT NULL,
        reason TEXT NOT NULL, presort TEXT NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX quiz_answers_current ON quiz_answers (reader, condition, text_from, deck_id, question_id, id)",
    "CREATE INDEX quiz_answers_question ON quiz_answers (question_id)",
    """CREATE TABLE quiz_slide_texts (
        id INTEGER PRIMARY KEY AUTOINCREMENT, unit_key TEXT NOT NULL, deck_id TEXT NOT NULL, text_from TEXT NOT NULL,
        markdown TEXT NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX quiz_slide_texts_deck ON quiz_slide_texts (deck_id, text_from, id)",
    """CREATE TABLE quiz_audits (
        id INTEGER PRIMARY KEY AUTOINCREMENT, deck_id TEXT NOT NULL, bank_id TEXT NOT NULL, question_id TEXT NOT NULL,
        reader TEXT NOT NULL, error_type TEXT NOT NULL, topic TEXT NOT NULL, note TEXT NOT NULL,
        audited_by TEXT NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX quiz_audits_answer ON quiz_audits (deck_id, question_id, reader, id)",
)


@migrations()
def m0008_studies(db: Database) -> None:
    """Make room for studies, who answers what in them, guidelines, training, known answers and what was looked at."""
    for statement in _STUDIES:
        db.execute(statement)
    for table in ("guidelines", "guideline_reads", "training_tries", "views"):
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


@migrations()
def m0009_packs(db: Database) -> None:
    """Keep which files of answers were merged, and which answers were more than was asked for."""
    db.execute(
        """CREATE TABLE pack_merges (
            seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, file TEXT NOT NULL, annotator_id TEXT NOT NULL,
            report TEXT NOT NULL, over_quota TEXT NOT NULL)"""
    )


@migrations()
def m0010_checklists(db: Database) -> None:
    """Make room for checklists: records that are only added to, the acts behind them, sign-offs and releases."""
    for statement in _CHECKLISTS:
        db.execute(statement)
    for table in ("checklist_acts", "checklist_records", "checklist_sign_offs", "checklist_releases"):
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


@migrations()
def m0011_checklist_replies(db: Database) -> None:
    """Make room for the words behind imported checklist verdicts, and for failures that came as zero scores."""
    for statement in _CHECKLIST_REPLIES:
        db.execute(statement)


@migrations()
def m0012_judging(db: Database) -> None:
    """Make room for raw replies, for what verdicts rest on, for counts of calls, and for judges with names."""
    for statement in _JUDGING:
        db.execute(statement)
    for table in ("replies", "request_texts", "verdict_details", "unit_calls"):
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


_REVIEWS = (
    """CREATE TABLE review_acts (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, reviewer_id TEXT NOT NULL REFERENCES annotators(id),
        verb TEXT NOT NULL, words TEXT NOT NULL, undoes INTEGER REFERENCES review_acts(seq))""",
    """CREATE TABLE review_records (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, act INTEGER NOT NULL REFERENCES review_acts(seq),
        case_id TEXT NOT NULL, state TEXT NOT NULL)""",
    "CREATE INDEX review_records_case ON review_records (case_id, seq)",
    "CREATE INDEX review_records_act ON review_records (act)",
    "CREATE INDEX review_acts_reviewer ON review_acts (reviewer_id, seq)",
)


@migrations()
def m0020_reviews(db: Database) -> None:
    """Make room for what reviewers decide: states that are only added to, and the acts behind them."""
    _add_append_only(db, _REVIEWS, ("review_acts", "review_records"))


@migrations()
def m0022_quiz_banks(db: Database) -> None:
    """Make room for question banks: records that are only added to, and the acts behind them."""
    _add_append_only(db, _QUIZ_BANKS, ("quiz_acts", "quiz_records"))


@migrations()
def m0023_quiz_answers(db: Database) -> None:
    """Make room for readers' answers, the texts of slides that they read, and what people said of wrong ones."""
    _add_append_only(db, _QUIZ_ANSWERS, ("quiz_answers", "quiz_slide_texts", "quiz_audits"))


def _add_append_only(db: Database, statements: tuple[str, ...], tables: tuple[str, ...]) -> None:
    for statement in statements:
        db.execute(statement)
    for table in tables:
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


@migrations()
def m0021_snapshots(db: Database) -> None:
    """Make room for dated snapshots of a benchmark."""
    db.execute(
        """CREATE TABLE snapshots (
            number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, at TEXT NOT NULL,
            author TEXT NOT NULL, note TEXT NOT NULL, content_hash TEXT NOT NULL, content TEXT NOT NULL)"""
    )
    for verb in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER snapshots_no_{verb.lower()} BEFORE {verb} ON snapshots "
            "BEGIN SELECT RAISE(ABORT, 'snapshots is append-only'); END"
        )


def known_steps() -> frozenset[str]:
    """Return the names of all steps that this program can apply."""
    nowhere = Database(memory=True, execute_plugins=False)
    try:
        return frozenset(step.name for step in migrations.pending(nowhere))
    finally:
        nowhere.conn.close()
