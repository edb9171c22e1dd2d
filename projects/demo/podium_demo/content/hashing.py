"""Instance 4: a lecture chapter about hash tables."""

from __future__ import annotations

from podium_demo.outline import (
    Chart,
    ChartKind,
    DemoInstance,
    Flaw,
    Outline,
    Point,
    Section,
    Series,
    Stat,
    Table,
    Take,
)

_CHARTS = {
    "probes": Chart(
        title="Expected probes, linear probing",
        kind=ChartKind.LINE,
        categories=("0.25", "0.50", "0.75", "0.90"),
        series=(
            Series(name="Found", values=(1.17, 1.5, 2.5, 5.5)),
            Series(name="Not found", values=(1.39, 2.5, 8.5, 50.5)),
        ),
        unit="",
    ),
}

_TABLES = {
    "probes": Table(
        title="Steps by load factor",
        header=("Load factor", "Chaining, failed", "Probing, found", "Probing, failed"),
        rows=(
            ("0.25", "0.25", "1.17", "1.39"),
            ("0.50", "0.50", "1.50", "2.50"),
            ("0.75", "0.75", "2.50", "8.50"),
            ("0.90", "0.90", "5.50", "50.50"),
        ),
    ),
    "costs": Table(
        title="Costs",
        header=("Operation", "Hash, average", "Hash, worst", "Balanced tree"),
        rows=(
            ("search", "O(1)", "O(n)", "O(log n)"),
            ("insert", "O(1) amortised", "O(n)", "O(log n)"),
            ("remove", "O(1)", "O(n)", "O(log n)"),
            ("next larger key", "O(n)", "O(n)", "O(log n)"),
        ),
    ),
}

_SECTIONS = (
    Section(
        topic="The idea",
        claim="Compute the place instead of searching for it",
        points=(
            Point(
                "Hash",
                "A function makes a number from any key",
                "A hash function maps a key to a number; the remainder modulo m names the slot.",
            ),
            Point(
                "Slot",
                "slot = h(key) mod m",
                "slot = h(key) mod m: looking up means computing the number again and looking there.",
            ),
            Point(
                "Load factor",
                "α = n / m decides the speed",
                "With n entries in m slots the load factor α = n / m decides how fast the table is.",
            ),
        ),
        stats=(Stat("20", "steps: binary search, a million keys"), Stat("O(1)", "hash table, on average")),
        notes="Compare with binary search: log2 of a million is about twenty.",
    ),
    Section(
        topic="Collisions",
        claim="Collisions are certain, not bad luck",
        points=(
            Point(
                "Birthday",
                "23 people: 50.7 %",
                "Among 23 people two share a birthday with a probability of 50.7 %.",
            ),
            Point(
                "Rule",
                "First one after about √(πm/2) entries",
                "The first collision is to be expected after roughly √(πm/2) insertions.",
            ),
            Point(
                "Example",
                "A million slots: about 1,250",
                "In a table with a million slots that is after about 1,250 entries.",
            ),
        ),
        stats=(Stat("23", "people for even odds"), Stat("1,250", "entries in a million slots")),
        notes="Ask the audience for birthdays.",
    ),
    Section(
        topic="Separate chaining",
        claim="Each slot holds a short list",
        points=(
            Point("Search", "α steps if it fails", "A failed search looks at α entries on average."),
            Point("Success", "About 1 + α/2", "A successful search looks at about 1 + α/2 entries."),
            Point("For", "Simple; removing is easy", "Simple, easy to remove from, α may exceed 1."),
            Point("Against", "Pointers and cache misses", "It costs a pointer per entry and cache misses."),
        ),
        notes="Draw three slots with lists on the board.",
    ),
    Section(
        topic="Open addressing",
        claim="Linear probing is quick until three quarters full",
        points=(
            Point(
                "Probe",
                "Taken? Try the next slot",
                "If the slot is taken, linear probing tries the next until a free one appears.",
            ),
            Point(
                "Cluster",
                "Runs grow together",
                "Occupied runs grow together (primary clustering) and probes rise steeply.",
            ),
            Point(
                "Limit",
                "α = 0.9: 50.5 probes for a miss",
                "At α = 0.75 a failed search takes 8.5 probes, at 0.9 it takes 50.5.",
            ),
        ),
        chart="probes",
        table="probes",
        notes="Knuth: ½(1 + 1/(1 − α)) and ½(1 + 1/(1 − α)²).",
    ),
    Section(
        topic="Growing",
        claim="Doubling costs less than two moves per entry",
        points=(
            Point(
                "Rebuild",
                "Twice the slots, all entries again",
                "When α passes a limit the table is built anew with twice as many slots.",
            ),
            Point(
                "Amortised",
                "Fewer than 2n moves in total",
                "After n insertions with doubling fewer than 2n entries have been moved: amortised constant.",
            ),
            Point(
                "Pause",
                "Incremental tables avoid it",
                "A single rebuild takes time proportional to n; incremental tables spread it out.",
            ),
        ),
        stats=(Stat("< 2n", "moves in total"),),
        notes="Geometric series 1 + 2 + 4 + …",
    ),
    Section(
        topic="Good hash functions",
        claim="Fast, thorough, and secret where strangers choose the keys",
        points=(
            Point("Fast", "Runs on every operation", "It runs on every operation, so it must be fast."),
            Point("Thorough", "Uses the whole key", "Leaving out a part makes keys collide."),
            Point("Avalanche", "Similar keys, unrelated numbers", "Similar keys get unrelated numbers."),
            Point(
                "Secret",
                "Random seed against flooding, since 2011",
                "Keys that all collide can halt a server; since 2011 many languages mix in a random secret.",
            ),
        ),
        notes="Python: random by default since 3.3, SipHash since 3.4.",
    ),
    Section(
        topic="When not to use one",
        claim="No order, no guarantees: then take a tree",
        points=(
            Point("Order", "No smallest, no next key", "A hash table knows no order."),
            Point("Ranges", "Between two bounds: a tree", "For ranges a balanced tree is right."),
            Point("Average", "Good times are no promise", "The worst case is O(n)."),
        ),
        table="costs",
        notes="Trees: log n for everything.",
    ),
)

OUTLINE = Outline(
    title="Hash Tables",
    short_title="Hash tables",
    subtitle="Chapter 7: constant time on average, and what it costs",
    byline="Lecture · Podium Studio demo",
    agenda="Today",
    summary="Remember",
    takeaways=(
        "slot = h(key) mod m; α = n / m decides",
        "Collisions come early: chain or probe",
        "Keep linear probing below three quarters full",
        "No order: use a balanced tree for ranges",
    ),
    sections=_SECTIONS,
    charts=_CHARTS,
    tables=_TABLES,
)

INSTANCE = DemoInstance(
    name="hash-tables-lecture",
    title="Hash tables (lecture chapter)",
    scenario="teaching",
    domain="computer science",
    language="en",
    difficulty="hard",
    instruction=(
        "# Task\n\nMake lecture slides for second-year students from the chapter in `sources/`.\n\n"
        "- 8 to 12 slides, English\n- One idea per slide, with an example or a number\n"
        "- Show how the number of probes grows with the load factor\n- End with what to remember\n"
    ),
    text="hashing.md",
    source="chapter-7.md",
    outline=OUTLINE,
    takes={
        "Demo Template": Take(sections=(0, 1, 2, 3, 4, 5, 6), palette="plum"),
        "Demo Minimal": Take(sections=(0, 1, 2, 3, 4, 5, 6), palette="white"),
        "Demo Vector": Take(
            sections=(0, 1, 3, 4, 6),
            flaws=frozenset({Flaw.PALE}),
            palette="ember",
            swaps=(("50.7 %", "57.0 %"), ("fewer than 2n", "fewer than n")),
        ),
        "Demo Web": Take(sections=(0, 1, 2, 3, 4, 5, 6), palette="ink"),
        "Demo Canvas": Take(sections=(0, 1, 3, 5), flaws=frozenset({Flaw.THIN, Flaw.CLASHING}), palette="candy"),
    },
)
