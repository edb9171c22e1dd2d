"""Instance 1: a paper about white roofs of bus shelters (invented data)."""

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
    "hours": Chart(
        title="Roof underside by hour",
        kind=ChartKind.LINE,
        categories=("8:00", "10:00", "12:00", "14:00", "16:00", "18:00", "20:00"),
        series=(
            Series(name="Dark roof", values=(27.4, 35.9, 44.2, 47.6, 45.1, 38.3, 30.2)),
            Series(name="White roof", values=(25.1, 29.6, 34.4, 36.8, 35.7, 32.4, 28.0)),
        ),
        unit="°C",
    ),
    "soiling": Chart(
        title="Solar reflectance",
        kind=ChartKind.BAR,
        categories=("Dark", "White, new", "After 60 days", "Rinsed"),
        series=(Series(name="Reflectance", values=(0.14, 0.82, 0.74, 0.80)),),
        unit="",
    ),
    "votes": Chart(
        title="Passengers who feel hot or very hot",
        kind=ChartKind.BAR,
        categories=("Dark roof", "White roof"),
        series=(Series(name="Share", values=(64, 41)),),
        unit="%",
    ),
}

_TABLES = {
    "effects": Table(
        title="Values at 14:00",
        header=("Measure", "Dark", "White", "Difference"),
        rows=(
            ("Roof underside, °C", "47.6", "36.8", "−10.8"),
            ("Globe at 1.1 m, °C", "42.3", "38.9", "−3.4"),
            ("Air at 1.1 m, °C", "34.9", "33.8", "−1.1"),
            ("Mean vote, −3 to +3", "1.9", "1.3", "−0.6"),
            ("Hot or very hot, %", "64", "41", "−23"),
        ),
    ),
}

_SECTIONS = (
    Section(
        topic="The problem",
        heading="1 Introduction",
        claim="A steel shelter keeps off the rain and stores the sun",
        points=(
            Point(
                "Who waits",
                "Older people, families and shoppers cannot choose the hour",
                "People who wait do not choose the place or the hour; many are older, carry shopping or "
                "travel with children.",
            ),
            Point(
                "Why it is hot",
                "The roof radiates from one metre above the head",
                "A dark steel roof may get hotter than asphalt and warms people by radiation, even when the "
                "air is bearable.",
            ),
            Point(
                "What is open",
                "Cool coatings are known from insulated flat roofs only",
                "Shelters are thin, without insulation and open to the wind; what counts is how people feel, "
                "not energy.",
            ),
        ),
        notes="Start with the situation of waiting people before any physics.",
    ),
    Section(
        topic="Method",
        heading="2.1 Shelters",
        claim="Six identical shelters, three of them white, for 21 days in July",
        points=(
            Point(
                "Design",
                "Three of six roofs drawn by lot and coated",
                "One model on one avenue; three shelters were drawn by lot and got two coats of white "
                "elastomeric paint.",
            ),
            Point(
                "Loggers",
                "Roof, globe and air, every ten minutes",
                "Contact sensor at the roof, grey globe and shielded air sensor at 1.1 m; of 36,288 records "
                "2.1 % were lost.",
            ),
            Point(
                "Passengers",
                "212 of 240 people asked gave a vote",
                "On nine dry afternoons people voted on the seven-point scale from −3 to +3; the roofs were "
                "not mentioned.",
            ),
            Point(
                "Analysis",
                "95 % intervals, plan written in advance",
                "Daily values at 14:00 per group, bootstrap over days, plan fixed before the first reading.",
            ),
        ),
        stats=(Stat("6", "shelters"), Stat("21", "days"), Stat("36,288", "records"), Stat("212", "votes")),
        notes="Reflectance measured on site: 0.82 white, 0.14 dark.",
    ),
    Section(
        topic="Roof temperature",
        heading="3.1 Temperatures",
        claim="At 14:00 the white roof is 10.8 K cooler",
        points=(
            Point(
                "Peak",
                "47.6 °C dark against 36.8 °C white",
                "Dark roofs reach 47.6 °C at 14:00 and white ones 36.8 °C, a difference of 10.8 K.",
            ),
            Point(
                "All day",
                "Lower at every hour of daylight",
                "The white roof is cooler at every hour of daylight; after 22:00 the difference is below 0.5 K.",
            ),
            Point(
                "Certainty",
                "95 % interval from −12.1 to −9.5 K",
                "The 95 % interval of the difference runs from −12.1 to −9.5 K.",
            ),
        ),
        chart="hours",
        notes="The curves meet after sunset: no effect in the evening.",
    ),
    Section(
        topic="Under the roof",
        heading="4 Discussion",
        claim="The effect shrinks from the steel to the air",
        points=(
            Point(
                "Globe",
                "3.4 K lower at head height",
                "The globe, which sums up radiation and air as a body does, is 3.4 K lower.",
            ),
            Point(
                "Air",
                "Only 1.1 K, because wind replaces it",
                "The air gains only 1.1 K: even a light wind replaces it several times a minute.",
            ),
            Point(
                "Reading",
                "Radiation, not air, makes the difference",
                "What people feel follows the globe rather than the air temperature.",
            ),
        ),
        table="effects",
        notes="All intervals exclude zero.",
    ),
    Section(
        topic="What people say",
        heading="3.2 What",
        claim="Fewer passengers feel hot: 41 % instead of 64 %",
        points=(
            Point(
                "Share",
                "23 points fewer feel hot or very hot",
                "Under dark roofs 70 of 109 voted +2 or +3, under white ones 42 of 103.",
            ),
            Point(
                "Seated",
                "Largest among people who sit",
                "The difference is largest among seated people, who stay in the shade for the whole wait.",
            ),
            Point(
                "Glare",
                "Four complaints from upper decks",
                "Nobody saw the colour from below; four people complained about glare from upper decks.",
            ),
        ),
        stats=(Stat("64 %", "hot under dark roofs"), Stat("41 %", "hot under white roofs")),
        chart="votes",
        notes="Interval of the difference: −36 to −10 points.",
    ),
    Section(
        topic="Cost and upkeep",
        heading="3.3 Soiling",
        claim="426 euros per shelter, and a rinse twice a summer",
        points=(
            Point(
                "Price",
                "186 € paint and 240 € work",
                "Paint for 6.7 m² costs 186 euros, half a day of work by two people 240 euros.",
            ),
            Point(
                "Soiling",
                "0.82 falls to 0.74 in 60 days",
                "Reflectance falls from 0.82 to 0.74 within 60 days; rinsing brings back 0.80.",
            ),
            Point(
                "Care",
                "Twenty minutes with water",
                "A rinse takes twenty minutes and can be joined with the cleaning of the glass.",
            ),
        ),
        stats=(Stat("426 €", "per shelter"), Stat("8 years", "promised life")),
        chart="soiling",
        notes="For the price of a bench one shelter can be coated.",
    ),
    Section(
        topic="Limits",
        heading="5 Conclusion",
        claim="One avenue, one July: promising, not final",
        points=(
            Point(
                "Sample",
                "Six shelters on one avenue",
                "Six shelters on one avenue are a small sample; intervals describe days, not cities.",
            ),
            Point(
                "Selection",
                "People were not assigned to stops",
                "Those who suffer most from heat may have stayed at home.",
            ),
            Point(
                "Open",
                "Glare was not measured",
                "A matt or light grey coating of reflectance 0.6 may be a fair compromise.",
            ),
        ),
        notes="Trees remain better where there is room.",
    ),
)

OUTLINE = Outline(
    title="White Roofs over Waiting People",
    short_title="White roofs",
    subtitle="Cool coating of six bus shelters: what it does to roof, air and passengers",
    byline="Invented sample data · Podium Studio demo",
    agenda="Contents",
    summary="What to take home",
    takeaways=(
        "Roof 10.8 K cooler, globe 3.4 K lower, air 1.1 K lower",
        "23 percentage points fewer passengers feel hot",
        "426 euros per shelter; rinse in June and August",
        "Coat the stops with the longest waits first",
    ),
    sections=_SECTIONS,
    charts=_CHARTS,
    tables=_TABLES,
)

INSTANCE = DemoInstance(
    name="white-roofs-paper",
    title="White roofs over waiting people (paper)",
    scenario="academic talk",
    domain="science",
    language="en",
    difficulty="medium",
    instruction=(
        "# Task\n\nMake slides for a ten-minute conference talk about the paper in `sources/`.\n\n"
        "- 8 to 12 slides, English\n- Audience: city planners; explain the method in at most two slides\n"
        "- Show the hourly temperatures as a chart and the effects at 14:00 as a table or chart\n"
        "- Name the limits, and close with recommendations\n- Use only facts of the paper\n"
    ),
    text="shelters.md",
    source="white-roofs.pdf",
    outline=OUTLINE,
    takes={
        "Demo Template": Take(sections=(0, 1, 2, 3, 4, 5, 6), palette="harbour"),
        "Demo Minimal": Take(sections=(0, 1, 2, 3, 4, 5, 6), flaws=frozenset({Flaw.CROWDED})),
        "Demo Vector": Take(sections=(0, 1, 2, 3, 4, 5), palette="ember"),
        "Demo Web": Take(sections=(0, 2, 3, 4, 5, 6), palette="ink", swaps=(("10.8 K", "11.8 K"),)),
        "Demo Canvas": Take(sections=(0, 2, 4, 5), palette="sun"),
    },
)
