"""Short sources and slides for the tests of question banks."""

from __future__ import annotations

import re

from studio.model.decks import SourcePage
from studio.model.quiz import Question, QuestionType, SlideText
from studio.quiz.quotes import NamedPages

STATIONS = """The regional network grew to 1,240 stations in 2021, up from 980 in 2016. Operators spent $3.2 million on
sensors and €450,000 on training. About 42% of the stations report every 10 minutes, and 17.5 % report hourly.

Average downtime fell from 14.6 hours to 6.1 hours per month. The largest basin covers 12,400 km2. Each sensor weighs
2.3 kg and draws 4.5 W. A further 36 percent of sites are solar powered. The archive holds 18 TB of readings, of which
5 TB were digitised from paper. In 2019 the agency hired 85 engineers. The oldest record dates from 1887."""

HOUSEHOLDS = (
    "2023年全国共有1.2亿户家庭使用该服务，比上年增长8.5%。平均每户每月用电三百二十度，电费约为180元。"
    "项目总投资3500万元，占全部预算的百分之三十五。最大的水库容量为45亿立方米，覆盖面积为1200平方公里。"
    "系统的响应时间为0.8秒，比旧系统快3倍。共有256名工程师参与，历时18个月。设备重量为75公斤，功率为2.5千瓦。"
)


def source(text: str, name: str = "report.md") -> list[NamedPages]:
    """Return a source of one page."""
    return [NamedPages(name=name, pages=(SourcePage(number=1, text=text),))]


def as_slide(text: str) -> list[SlideText]:
    """Return a slide with every sentence of a text as a bullet."""
    lines = [line for line in re.split(r"(?<=。)|(?<=\.)\s+", text) if line.strip()]
    return [SlideText(number=1, markdown="# Overview\n" + "\n".join(f"- {' '.join(line.split())}" for line in lines))]


def asked(words: str, options: list[str], answer: str, type: QuestionType = QuestionType.DATA, **more: str) -> Question:
    """Return a question whose options have the letters A to D."""
    return Question(
        id=f"q {words}", type=type, question=words, options=dict(zip("ABCD", options, strict=True)), answer=answer,
        **more,  # type: ignore[arg-type]  # texts of the question
    )  # fmt: skip
