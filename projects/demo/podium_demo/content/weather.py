"""Instance 3: a product page of an invented pocket weather station."""

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
    "storms": Chart(
        title="47 storms in the field test",
        kind=ChartKind.SHARE,
        categories=("Announced", "Missed"),
        series=(Series(name="Storms", values=(41, 6)),),
        unit="",
    ),
    "prices": Chart(
        title="Price of the sets",
        kind=ChartKind.BAR,
        categories=("Go", "Go Field", "Go Class"),
        series=(Series(name="Price", values=(129, 169, 690)),),
        unit="€",
    ),
}

_TABLES = {
    "ranges": Table(
        title="What it measures",
        header=("Quantity", "Range", "Accuracy", "Every"),
        rows=(
            ("Temperature", "−30 to 60 °C", "±0.2 °C", "10 s"),
            ("Humidity", "0 to 100 %", "±2 %", "10 s"),
            ("Pressure", "300 to 1100 hPa", "±0.5 hPa", "10 s"),
            ("Wind", "0.4 to 40 m/s", "±4 %", "1 s"),
            ("Sunlight", "0 to 120,000 lux", "±5 %", "60 s"),
        ),
    ),
    "rivals": Table(
        title="Compared",
        header=("", "Nimbra Go", "Phone app", "Garden station"),
        rows=(
            ("Where you stand", "yes", "no", "in one place"),
            ("Without a network", "yes", "no", "in part"),
            ("Gusts", "yes", "no", "yes"),
            ("Weight", "118 g", "–", "about 1.5 kg"),
            ("Battery", "42 days", "–", "12 months"),
        ),
    ),
}

_SECTIONS = (
    Section(
        topic="Why",
        heading="Why another",
        claim="A forecast speaks for kilometres, you stand on one spot",
        points=(
            Point(
                "Gardeners",
                "Frost warning by 21:00",
                "Dew point and evening cooling give farmers and gardeners a frost warning by 21:00.",
            ),
            Point(
                "Sailors",
                "Gusts, not only mean wind",
                "Sailors and paddlers get gusts, measured every second.",
            ),
            Point(
                "Hikers",
                "The storm before you see it",
                "Hikers learn of a storm up to three hours ahead, without a network.",
            ),
            Point("Schools", "Own data as plain CSV", "Pupils work with data that they measured themselves."),
        ),
        notes="A ridge, a lake or a street makes its own weather.",
    ),
    Section(
        topic="The device",
        heading="Battery",
        claim="The size of a bar of soap, and it floats",
        points=(
            Point("Light", "118 g, tight to IP67", "It weighs 118 g, floats and is tight to IP67."),
            Point(
                "Enduring",
                "42 days on one charge",
                "The cell of 1,900 mAh lasts 42 days; the solar back charges 8 % in a sunny hour.",
            ),
            Point(
                "Repairable",
                "Four screws, parts for ten years",
                "Battery, wind cup and screen are exchanged by hand; spare parts are kept for ten years.",
            ),
        ),
        stats=(Stat("118 g", "weight"), Stat("42", "days per charge"), Stat("IP67", "dust and water")),
        notes="Show the device here.",
    ),
    Section(
        topic="What it measures",
        heading="How the storm",
        claim="Five quantities, up to once a second",
        points=(
            Point("Temperature", "±0.2 °C", "Temperature from −30 to 60 °C, ±0.2 °C, every ten seconds."),
            Point("Pressure", "±0.5 hPa", "Pressure from 300 to 1100 hPa, ±0.5 hPa."),
            Point("Wind", "0.4 to 40 m/s", "Wind from 0.4 to 40 m/s, ±4 %, every second."),
        ),
        table="ranges",
        notes="It does not measure rain.",
    ),
    Section(
        topic="Storm warning",
        heading="How the storm",
        claim="41 of 47 storms announced, 96 minutes ahead on average",
        points=(
            Point(
                "Pressure",
                "Twelve hours, corrected for climbing",
                "The device keeps twelve hours of pressure and takes off the change that comes from walking uphill.",
            ),
            Point(
                "Amber",
                "More than 2 hPa in three hours",
                "A fall of more than 2 hPa in three hours raises the amber sign.",
            ),
            Point(
                "Red",
                "More than 4 hPa in three hours",
                "A fall of more than 4 hPa in three hours raises the red sign.",
            ),
            Point(
                "Honest",
                "Nine false alarms",
                "In 18 weeks with 30 devices nine alarms were false; official warnings still come first.",
            ),
        ),
        stats=(Stat("41 / 47", "storms announced"), Stat("96 min", "mean lead time")),
        chart="storms",
        notes="Own field test: 30 devices, 18 weeks.",
    ),
    Section(
        topic="Your data",
        heading="Data stay",
        claim="No account: data stay with you",
        points=(
            Point("Local", "Bluetooth or USB-C", "It talks to a phone over Bluetooth or a computer by USB-C."),
            Point("Open", "CSV, 400 days of memory", "It writes CSV and keeps 400 days in its memory."),
            Point("Sharing", "Off until you switch it on", "Sharing is off until you switch it on."),
        ),
        notes="The phone shows up to eight stations.",
    ),
    Section(
        topic="Compared",
        heading="Questions",
        claim="Where you stand, without a network, in 118 grams",
        points=(
            Point("Phone app", "Neither local nor offline", "A phone app needs a network and knows no gusts."),
            Point("Garden station", "Good, but stays at home", "A garden station weighs about 1.5 kg."),
            Point("Trade-off", "42 days, not 12 months", "A garden station's battery lasts 12 months."),
        ),
        table="rivals",
        notes="Say openly where the garden station wins.",
    ),
    Section(
        topic="Prices",
        heading="Prices",
        claim="Three sets from 129 euros",
        points=(
            Point("Go", "129 €: station, cable, strap", "Go: station, USB-C cable and strap for 129 euros."),
            Point("Go Field", "169 €: with tripod", "Go Field adds a tripod and a spare wind cup, 169 euros."),
            Point("Go Class", "690 €: six for a class", "Go Class: six stations, case, worksheets, 690 euros."),
        ),
        stats=(Stat("129 €", "Go"), Stat("169 €", "Go Field"), Stat("690 €", "Go Class")),
        chart="prices",
        notes="A new wind cup costs 9 euros.",
    ),
)

OUTLINE = Outline(
    title="Nimbra Go",
    short_title="Nimbra Go",
    subtitle="The pocket weather station that knows what the sky does where you stand",
    byline="An invented product · Podium Studio demo",
    agenda="Overview",
    summary="Why Nimbra Go",
    takeaways=(
        "Measures where you stand, without a network",
        "Storm warning up to three hours ahead",
        "42 days on one charge, 118 g, repairable",
        "From 129 euros, and your data stay yours",
    ),
    sections=_SECTIONS,
    charts=_CHARTS,
    tables=_TABLES,
)

INSTANCE = DemoInstance(
    name="weather-station-product",
    title="Nimbra Go, a pocket weather station (product page)",
    scenario="product launch",
    domain="marketing",
    language="en",
    difficulty="easy",
    instruction=(
        "# Task\n\nMake a sales deck for shops from the product page in `sources/`.\n\n"
        "- 6 to 10 slides, English\n- Begin with the benefit, show prices and the comparison\n"
        "- Little text, strong pictures\n- Do not promise what the page does not promise\n"
    ),
    text="weather.md",
    source="nimbra-go.html",
    outline=OUTLINE,
    takes={
        "Demo Template": Take(sections=(0, 1, 2, 3, 5, 6), flaws=frozenset({Flaw.LEFTOVER}), palette="harbour"),
        "Demo Minimal": Take(sections=(0, 1, 2, 3, 4, 6), flaws=frozenset({Flaw.CROWDED, Flaw.PALE}), palette="sky"),
        "Demo Vector": Take(sections=(0, 1, 3, 5, 6), palette="aqua"),
        "Demo Web": Take(sections=(0, 1, 2, 3, 4, 5, 6), palette="neon", flaws=frozenset({Flaw.CLASHING})),
        "Demo Canvas": Take(sections=(1, 0, 3, 4, 6), palette="sky"),
    },
)
