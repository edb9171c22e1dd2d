"""Instance 2: a city library's year in numbers (invented data)."""

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
    "visits": Chart(
        title="Visits by month, thousands",
        kind=ChartKind.BAR,
        categories=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
        series=(
            Series(
                name="Visits",
                values=(50.1, 47.8, 58.9, 49.2, 48.0, 44.1, 41.7, 40.3, 51.6, 62.3, 63.4, 55.0),
            ),
        ),
        unit="",
    ),
    "loans": Chart(
        title="Loans by group, thousands",
        kind=ChartKind.BAR,
        categories=("Children", "Adults", "Digital", "Media"),
        series=(
            Series(name="2024", values=(342, 338, 321, 112)),
            Series(name="2025", values=(349, 325, 379, 90)),
        ),
        unit="",
    ),
    "budget": Chart(
        title="Budget of 6.3 million euros",
        kind=ChartKind.SHARE,
        categories=("Staff", "Buildings", "Media", "Technology and events"),
        series=(Series(name="Per cent", values=(58, 19, 14, 9)),),
        unit="%",
    ),
}

_TABLES = {
    "loans": Table(
        title="Loans by group",
        header=("Group", "2024", "2025", "Change"),
        rows=(
            ("Children's books", "342,000", "349,000", "+2 %"),
            ("Books for adults", "338,000", "325,000", "−4 %"),
            ("Digital", "321,000", "379,000", "+18 %"),
            ("Music, films, games", "112,000", "89,900", "−20 %"),
            ("Library of things", "–", "5,100", "new"),
        ),
    ),
}

_SECTIONS = (
    Section(
        topic="The year in brief",
        heading="The year",
        claim="More people than ever came to stay, learn and meet",
        points=(
            Point(
                "Visits",
                "612,400 visits, up 9 %",
                "The main library and five branches counted 612,400 visits, 9 % more than in 2024 and more "
                "than in 2019.",
            ),
            Point(
                "Loans",
                "1,148,000 loans, a third of them digital",
                "People borrowed 1,148,000 items, up 3 %; every third loan was digital.",
            ),
            Point(
                "Eastquay",
                "Reopened in March: half of the growth",
                "The branch Eastquay, closed since 2023, opened again in March and explains about half of the growth.",
            ),
        ),
        stats=(
            Stat("612,400", "visits"),
            Stat("1.15 m", "loans"),
            Stat("38,900", "active members"),
            Stat("1,460", "events"),
        ),
        notes="All numbers are invented sample data.",
    ),
    Section(
        topic="Visits",
        heading="Visits",
        claim="Two peaks a year, and new life in the early and late hours",
        points=(
            Point(
                "Peaks",
                "March, October and November",
                "Visits peak in March and in October and November, when pupils prepare for examinations.",
            ),
            Point(
                "Open doors",
                "One visit in eleven without staff",
                "Since April the main library opens from 7 to 9 and from 19 to 22 without staff; one visit "
                "in eleven falls into these hours.",
            ),
            Point(
                "Safety",
                "14 incidents, no theft",
                "There were 14 incidents, most of them false alarms at the exit gate, and no theft.",
            ),
        ),
        chart="visits",
        notes="Gates count entries and exits; the sum is halved.",
    ),
    Section(
        topic="Loans",
        heading="Loans",
        claim="Digital grows by 18 %, children's books hold",
        points=(
            Point(
                "Digital",
                "379,000 loans, up 18 %",
                "Digital loans grew from 321,000 to 379,000 and are now the largest group.",
            ),
            Point(
                "Print",
                "Adults −4 %, children +2 %",
                "Printed books for adults lost 4 %; children's books stayed the strongest printed group.",
            ),
            Point(
                "Things",
                "260 objects lent 5,100 times",
                "The library of things lent 260 objects 5,100 times; the carpet cleaner was out on 331 days.",
            ),
        ),
        chart="loans",
        table="loans",
        notes="Loans include renewals.",
    ),
    Section(
        topic="Learning and meeting",
        heading="Learning",
        claim="1,460 events reached 41,200 people",
        points=(
            Point(
                "Story time",
                "520 mornings, mostly full",
                "Story time for small children filled 520 mornings and was full on most of them.",
            ),
            Point(
                "Homework help",
                "7,800 hours by 46 volunteers",
                "46 volunteers gave 7,800 hours of homework help.",
            ),
            Point(
                "Repair evenings",
                "412 of 640 things repaired",
                "Of 640 broken things 412 left the house in working order, which is 64 %.",
            ),
            Point(
                "Language cafés",
                "210 people a week",
                "Language cafés in four languages drew 210 people a week.",
            ),
        ),
        stats=(Stat("7,800 h", "homework help"), Stat("64 %", "of things repaired")),
        notes="Repair evenings were new in 2025.",
    ),
    Section(
        topic="Seats",
        heading="Learning",
        claim="Seats are the scarcest good",
        points=(
            Point(
                "Full",
                "96 % of 310 seats taken at three o'clock",
                "From October to December 96 % of the 310 seats were taken at three in the afternoon.",
            ),
            Point(
                "Turned away",
                "38 % left at least once",
                "In the November survey 38 % of 1,020 people said that they had left because no place was free.",
            ),
            Point(
                "Plan",
                "60 more seats by September 2026",
                "Moving the magazine stacks to the cellar makes room for 60 more places.",
            ),
        ),
        stats=(Stat("96 %", "of seats taken"), Stat("38 %", "left for want of a seat")),
        notes="Survey: 1,020 people at the exits.",
    ),
    Section(
        topic="People and money",
        heading="People",
        claim="A visit costs the city 10.30 euros, 60 cents less than before",
        points=(
            Point(
                "Staff",
                "64 people in 51.5 posts",
                "The library employs 64 people in 51.5 full-time posts; staff is 58 % of the budget.",
            ),
            Point(
                "Income",
                "410,000 € from fees and rents",
                "Own income was 410,000 euros.",
            ),
            Point(
                "Fines",
                "Abolished for children in May",
                "Fines for children ended in May at a cost of 22,000 euros; returns on time did not change.",
            ),
        ),
        chart="budget",
        notes="Budget: 6.3 million euros.",
    ),
    Section(
        topic="What comes next",
        heading="What comes",
        claim="2026: seats, open doors, shorter waits, a card for every child",
        points=(
            Point("Seats", "60 more by September", "60 more places in the main library by September 2026."),
            Point(
                "Open doors",
                "Two branches from May",
                "Hours without staff in Eastquay and Millfield from May 2026.",
            ),
            Point(
                "Digital",
                "E-book waits below three weeks",
                "Waiting times for popular e-books below three weeks; they were five in 2025.",
            ),
            Point(
                "Members",
                "42,000 active members",
                "A card for every child at school entry, with the aim of 42,000 active members.",
            ),
        ),
        notes="Decisions for the council are on seats and hours.",
    ),
)

OUTLINE = Outline(
    title="Lindenhafen City Library: 2025 in Numbers",
    short_title="Library 2025",
    subtitle="Annual report to the city council",
    byline="Invented sample data · Podium Studio demo",
    agenda="Agenda",
    summary="In short",
    takeaways=(
        "612,400 visits: more than in 2019",
        "Every third loan is digital",
        "Seats are full: 60 more are planned for 2026",
        "A visit costs 10.30 euros, less than in 2024",
    ),
    sections=_SECTIONS,
    charts=_CHARTS,
    tables=_TABLES,
)

INSTANCE = DemoInstance(
    name="library-year",
    title="A city library's year in numbers (report)",
    scenario="business report",
    domain="public sector",
    language="en",
    difficulty="easy",
    instruction=(
        "# Task\n\nTurn the annual report in `sources/` into slides for a meeting of the city council.\n\n"
        "- 7 to 10 slides, English\n- Lead with the result, use charts for visits, loans and budget\n"
        "- End with what the council should decide\n- No number that the report does not hold\n"
    ),
    text="library.md",
    source="library-2025.docx",
    outline=OUTLINE,
    takes={
        "Demo Template": Take(sections=(0, 1, 2, 3, 4, 5, 6), palette="moss"),
        "Demo Minimal": Take(sections=(0, 1, 2, 3, 5, 6), flaws=frozenset({Flaw.PALE, Flaw.REPEATED}), palette="sky"),
        "Demo Vector": Take(sections=(0, 1, 2, 4, 5, 6), palette="aqua"),
        "Demo Web": Take(sections=(0, 1, 2, 3, 4, 5, 6), palette="paper"),
        "Demo Canvas": Take(sections=(0, 1, 3, 4, 6), flaws=frozenset({Flaw.CROWDED, Flaw.BLURRED}), palette="haze"),
    },
)
