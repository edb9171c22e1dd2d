"""Demo Web: an HTML deck of static sections with its own style sheet and drawings, and no other file."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from html import escape
from pathlib import Path

from podium_demo.charts import number
from podium_demo.outline import Chart, ChartKind, DemoInstance, Flaw, Section, Table, Take, with_swaps
from podium_demo.pictures import Paint, picture_png


@dataclass(frozen=True, kw_only=True)
class Press:
    """The look of a deck."""

    ground: str
    text: str
    muted: str
    main: str
    second: str
    panel: str
    heading_font: str
    body_font: str


_PALETTES = {
    "ink": Press(
        ground="#ffffff",
        text="#1b2440",
        muted="#5b6583",
        main="#2f4bd8",
        second="#e4572e",
        panel="#eef1fb",
        heading_font="Carlito, 'Noto Sans CJK SC', sans-serif",
        body_font="Carlito, 'Noto Sans CJK SC', sans-serif",
    ),
    "paper": Press(
        ground="#faf5ea",
        text="#2b2620",
        muted="#786c5c",
        main="#a63d2f",
        second="#35605a",
        panel="#f0e6d2",
        heading_font="Caladea, 'Noto Serif CJK SC', serif",
        body_font="Carlito, 'Noto Sans CJK SC', sans-serif",
    ),
    "neon": Press(
        ground="#f6f000",
        text="#c2007a",
        muted="#00a5c8",
        main="#ff2a2a",
        second="#00c853",
        panel="#9df5ff",
        heading_font="'DejaVu Serif', serif",
        body_font="'Liberation Sans', sans-serif",
    ),
}

_STYLE = """
* { box-sizing: border-box; margin: 0; padding: 0; -webkit-print-color-adjust: exact;
  print-color-adjust: exact; }
@page { size: 1280px 720px; margin: 0; }
html, body { background: #d8d8d8; }
.slides > section { position: relative; width: 1280px; height: 720px; overflow: hidden;
  page-break-after: always;
  background: %(ground)s; color: %(text)s; font-family: %(body_font)s; font-size: 26px; line-height: 1.35;
  padding: 64px 80px; }
h1 { font-family: %(heading_font)s; font-size: 76px; line-height: 1.08; letter-spacing: -1px; }
h2 { font-family: %(heading_font)s; font-size: 44px; line-height: 1.15; margin-bottom: 36px;
  max-width: 1080px; }
.topic { color: %(main)s; font-size: 20px; font-weight: bold; letter-spacing: 2px; text-transform: uppercase;
  margin-bottom: 10px; }
.slides > section.cover { border-left: 28px solid %(main)s; }
.cover h1 { margin-top: 150px; max-width: 700px; }
.picture { position: absolute; right: 80px; top: 150px; width: 400px; height: 400px; }
.cover .lead { font-size: 32px; color: %(muted)s; margin-top: 28px; max-width: 640px; }
.byline { position: absolute; left: 80px; bottom: 34px; font-size: 17px; color: %(muted)s; }
.page { position: absolute; right: 80px; bottom: 34px; font-size: 17px; color: %(muted)s; }
.split { display: grid; grid-template-columns: 410px 1fr; gap: 56px; }
dl { display: block; } dt { color: %(main)s; font-weight: bold; font-size: 22px; }
dd { margin-bottom: 24px; }
.cards { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 24px; }
.card { background: %(panel)s; border-top: 6px solid %(main)s; padding: 28px 26px; min-height: 300px; }
.card:nth-child(even) { border-top-color: %(second)s; }
.card b { display: block; font-size: 28px; margin-bottom: 12px; }
.stats { display: flex; gap: 64px; margin-bottom: 40px; border-bottom: 2px solid %(panel)s;
  padding-bottom: 26px; }
.stats b { display: block; font-family: %(heading_font)s; font-size: 72px; line-height: 1; color: %(main)s; }
.stats span { color: %(muted)s; font-size: 22px; }
.row { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 36px; }
table { border-collapse: collapse; width: 100%%; font-size: 24px; }
th { text-align: left; border-bottom: 3px solid %(main)s; padding: 12px 14px; color: %(main)s; }
td { border-bottom: 1px solid %(panel)s; padding: 12px 14px; font-variant-numeric: tabular-nums; }
td:first-child { font-weight: bold; } tr:nth-child(even) td { background: %(panel)s; }
.slides > section.closing { background: %(main)s; color: %(ground)s; }
.closing ol { list-style: none; counter-reset: n; margin-top: 10px; }
.closing li { counter-increment: n; font-size: 34px; padding: 20px 0 20px 74px; position: relative;
  border-bottom: 1px solid rgba(255,255,255,.35); }
.closing li::before { content: counter(n); position: absolute; left: 0; font-family: %(heading_font)s;
  font-size: 44px;
  top: 12px; opacity: .75; }
.closing .topic, .closing .byline, .closing .page { color: %(ground)s; }
svg { overflow: visible; }
svg text { font-family: %(body_font)s; }
"""


class _Deck:
    """Collects the sections of one deck."""

    def __init__(self, instance: DemoInstance, take: Take) -> None:
        self._instance = instance
        self._take = take
        self.press = _PALETTES[take.palette or "ink"]
        self._sections: list[str] = []

    def say(self, text: str) -> str:
        return escape(with_swaps(text, self._take))

    def _add(self, kind: str, inner: str) -> None:
        number_of_page = len(self._sections) + 1
        self._sections.append(
            f'<section class="{kind}">\n{inner}\n<p'
            f' class="byline">{escape(self._instance.outline.byline)}</p>'
            f'<p class="page">{number_of_page}</p>\n</section>'
        )

    def cover(self) -> None:
        outline = self._instance.outline
        words = f'<h1>{self.say(outline.title)}</h1><p class="lead">{self.say(outline.subtitle)}</p>'
        self._add("cover", words if Flaw.THIN in self._take.flaws else words + self._picture())

    def _picture(self) -> str:
        press = self.press
        paint = Paint(dark=press.text, main=press.main, light=press.panel, spark=press.second)
        data = base64.b64encode(picture_png(self._instance.subject, paint, 480)).decode("ascii")
        return f'<img class="picture" alt="" src="data:image/png;base64,{data}">'

    def section(self, section: Section) -> None:
        head = f'<p class="topic">{self.say(section.topic)}</p><h2>{self.say(section.claim)}</h2>'
        outline = self._instance.outline
        if Flaw.THIN in self._take.flaws:
            body = "".join(f"<dt>{self.say(p.label)}</dt>" for p in section.points)
            self._add("content", f'{head}<dl style="font-size:34px;line-height:2">{body}</dl>')
        elif section.table:
            self._add("content", head + self._table(outline.tables[section.table]))
        elif section.chart:
            chart = _chart_svg(outline.charts[section.chart], self.press)
            self._add("content", f'{head}<div class="split"><dl>{self._points(section)}</dl>{chart}</div>')
        elif section.stats:
            stats = "".join(f"<p><b>{self.say(s.value)}</b><span>{self.say(s.label)}</span></p>" for s in section.stats)
            row = "".join(
                f"<div><dl><dt>{self.say(p.label)}</dt><dd>{self.say(p.full)}</dd></dl></div>" for p in section.points
            )
            self._add("content", f'{head}<div class="stats">{stats}</div><div class="row">{row}</div>')
        else:
            cards = "".join(
                f'<div class="card"><b>{self.say(p.label)}</b>{self.say(p.full)}</div>' for p in section.points
            )
            self._add("content", f'{head}<div class="cards">{cards}</div>')

    def _points(self, section: Section) -> str:
        return "".join(f"<dt>{self.say(p.label)}</dt><dd>{self.say(p.brief)}</dd>" for p in section.points)

    def _table(self, table: Table) -> str:
        head = "".join(f"<th>{self.say(c)}</th>" for c in table.header)
        rows = "".join("<tr>" + "".join(f"<td>{self.say(c)}</td>" for c in row) + "</tr>" for row in table.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def closing(self) -> None:
        outline = self._instance.outline
        items = "".join(f"<li>{self.say(line)}</li>" for line in outline.takeaways)
        self._add("closing", f"<h2>{self.say(outline.summary)}</h2><ol>{items}</ol>")

    def page(self) -> str:
        style = _STYLE % vars(self.press)
        body = "\n".join(self._sections)
        return (
            f'<!doctype html>\n<html lang="{self._instance.language}">\n<head>\n<meta charset="utf-8">\n'
            f"<title>{escape(self._instance.outline.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
            f'<div class="reveal"><div class="slides">\n{body}\n</div></div>\n</body>\n</html>\n'
        )


def _chart_svg(chart: Chart, press: Press) -> str:
    wide, high, foot = 640.0, 400.0, 350.0
    parts = [f'<svg width="{wide:g}" height="{high:g}" viewBox="0 0 {wide:g} {high:g}" role="img">']
    colours = (press.main, press.second, press.muted, press.text)
    highest = max(v for s in chart.series for v in s.values)
    step = wide / len(chart.categories)
    small = 15 if len(chart.categories) > 8 else 19
    for k, series in enumerate(chart.series):
        points = [(step * (i + 0.5), foot - (foot - 70) * v / highest) for i, v in enumerate(series.values)]
        if chart.kind is ChartKind.LINE:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colours[k]}" stroke-width="4"/>')
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{colours[k]}"/>' for x, y in points]
        else:
            thick = step * 0.7 / len(chart.series)
            for x, y in points:
                left = x - step * 0.35 + k * thick
                parts.append(
                    f'<rect x="{left:.1f}" y="{y:.1f}" width="{thick - 3:.1f}" height="{foot - y:.1f}"'
                    f' fill="{colours[k]}"/>'
                )
        for i, (x, y) in enumerate(points):
            is_peak = series.values[i] == max(series.values)
            if chart.kind is not ChartKind.LINE or is_peak:
                shift = 0.0
                if chart.kind is not ChartKind.LINE:
                    shift = (k + 0.5) * step * 0.7 / len(chart.series) - step * 0.35
                label = number(series.values[i], chart.unit)
                parts.append(
                    f'<text x="{x + shift:.1f}" y="{y - 12:.1f}" font-size="{small}" text-anchor="middle" '
                    f'fill="{press.text}">{escape(label)}</text>'
                )
        if len(chart.series) > 1:
            parts.append(f'<rect x="{20 + k * 200}" y="6" width="16" height="16" fill="{colours[k]}"/>')
            parts.append(
                f'<text x="{44 + k * 200}" y="21" font-size="19" fill="{press.text}">{escape(series.name)}</text>'
            )
    parts.append(f'<line x1="0" y1="{foot:g}" x2="{wide:g}" y2="{foot:g}" stroke="{press.muted}" stroke-width="2"/>')
    for i, name in enumerate(chart.categories):
        parts.append(
            f'<text x="{step * (i + 0.5):.1f}" y="{foot + 28:g}" font-size="{small}" text-anchor="middle" '
            f'fill="{press.muted}">{escape(name)}</text>'
        )
    return "".join(parts) + "</svg>"


def build(instance: DemoInstance, take: Take, target: Path) -> None:
    """Write the instance's deck in this style to the HTML file `target`."""
    deck = _Deck(instance, take)
    deck.cover()
    for index in take.sections:
        deck.section(instance.outline.sections[index])
    deck.closing()
    target.write_text(deck.page(), encoding="utf-8", newline="\n")
