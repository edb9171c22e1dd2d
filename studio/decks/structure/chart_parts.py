"""Charts with their series and workbook, and SmartArt with its points, read from their own parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from studio.decks.limits import Limits
from studio.decks.structure.charts import ChartData, chart_data
from studio.decks.structure.package import A, Element, Package, PartFault, R
from studio.decks.structure.workbook import is_filled, read_workbook
from studio.model.structure import Chart, ChartAxis, Series, SmartArt, Workbook, WorkbookState

_T = TypeVar("_T")
_NODE_TYPES = frozenset({"node", "asst"})


def broken_chart(reason: str) -> Chart:
    """Return a chart whose own part is not there."""
    return Chart(part="", types=(), title="", series=(), workbook=Workbook(state=WorkbookState.BROKEN, reason=reason))


def read_chart(package: Package, part: str, limits: Limits) -> Chart:
    """Return the chart of a part; whatever is wrong with it or its workbook stands in the workbook's reason."""
    try:
        root = package.xml(part)
    except PartFault as fault:
        return replace(broken_chart(f"a chart cannot be read: {fault}"), part=part)
    is_extended = root.tag.startswith("{http://schemas.microsoft.com/office/drawing/2014/chartex}")
    series = _extended_series(root) if is_extended else _series(root)
    types = _extended_types(root) if is_extended else _types(root)
    return Chart(
        part=part,
        types=types,
        title=_title(root),
        series=series,
        workbook=_workbook(package, part, series, limits),
        axes=_extended_axes(root) if is_extended else _axes(root),
        has_legend=any(_local(node) == "legend" for node in root.iter("{*}legend")),
        names_points=_says(root, "showSerName", "showCatName") or _says_extended(root),
        shows_shares=_says(root, "showPercent"),
        has_data_table=next(root.iter("{*}dTable"), None) is not None,
    )


_AXES = {"catAx": "category", "valAx": "value", "dateAx": "date", "serAx": "series"}


def _axes(root: Element) -> tuple[ChartAxis, ...]:
    """Return the axes that are not switched off."""
    found = []
    for area in root.iter("{*}plotArea"):
        for node in area:
            kind = _AXES.get(_local(node))
            off = node.find("{*}delete")
            # An empty element means that it is switched off.
            if kind is None or (off is not None and off.get("val", "1") in {"1", "true"}):
                continue
            number_format = node.find("{*}numFmt")
            title = node.find("{*}title")
            found.append(
                ChartAxis(
                    kind=kind, has_title=title is not None, title=_letters(title),
                    number_format=str(number_format.get("formatCode", "")) if number_format is not None else "",
                )
            )  # fmt: skip
    return tuple(found)


def _extended_axes(root: Element) -> tuple[ChartAxis, ...]:
    found = []
    for node in root.iter("{*}axis"):
        if node.get("hidden") in {"1", "true"}:
            continue
        number_format = node.find("{*}numFmt")
        title = node.find("{*}title")
        found.append(
            ChartAxis(
                kind="value" if node.find("{*}valScaling") is not None else "category",
                has_title=title is not None, title=_letters(title),
                number_format=str(number_format.get("formatCode", "")) if number_format is not None else "",
            )
        )  # fmt: skip
    return tuple(found)


def _letters(title: Element | None) -> str:
    if title is None:
        return ""
    own = "".join(text.text or "" for text in title.iter(f"{A}t"))
    return " ".join((own or "".join(text.text or "" for text in title.iter("{*}v"))).split())


def _says(root: Element, *names: str) -> bool:
    return any(node.get("val", "1") in {"1", "true"} for name in names for node in root.iter(f"{{*}}{name}"))


def _says_extended(root: Element) -> bool:
    names = ("seriesName", "categoryName")
    return any(node.get(name) in {"1", "true"} for node in root.iter("{*}visibility") for name in names)


def _workbook(package: Package, part: str, series: tuple[Series, ...], limits: Limits) -> Workbook:
    state, reason = chart_data(package, part)
    target = _workbook_target(package, part)
    if state is not ChartData.EMBEDDED:
        return Workbook(state=WorkbookState(state.value), reason=reason, part=target)
    try:
        cells = read_workbook(package.data(target), limits)
    except PartFault as fault:
        reason = f"the workbook of the chart {part} cannot be opened: {fault}"
        return Workbook(state=WorkbookState.BROKEN, reason=reason, part=target)
    missing: tuple[str, ...] = ()
    if cells.is_readable:
        missing = tuple(
            each.values_ref or f"the values of {each.name or 'a series'} are typed in, not taken from cells"
            for each in series
            if not each.values_ref or not is_filled(each.values_ref, cells)
        )
    reason = f"the chart {part} refers to cells that are not filled: {'; '.join(missing)}" if missing else ""
    return Workbook(
        state=WorkbookState.EMBEDDED, reason=reason, part=target, sheets=cells.sheets,
        is_readable=cells.is_readable, missing_refs=missing,
    )  # fmt: skip


def _workbook_target(package: Package, part: str) -> str:
    data = next(package.xml(part).iter("{*}externalData"), None)
    relation = package.relations(part).get(str(data.get(f"{R}id"))) if data is not None else None
    return relation.target if relation is not None else ""


def _types(root: Element) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for area in root.iter("{*}plotArea"):
        for node in area:
            name = _local(node)
            if name.endswith("Chart"):
                found[name] = None
    return tuple(found)


def _series(root: Element) -> tuple[Series, ...]:
    found = []
    for node in root.iter("{*}ser"):
        name, name_ref = _strings(node.find("{*}tx"))
        categories, categories_ref = _strings(_first(node, "cat", "xVal"))
        values, values_ref = _points(_first(node, "val", "yVal"), _number)
        found.append(
            Series(
                name=" ".join(name), name_ref=name_ref, categories=tuple(categories), categories_ref=categories_ref,
                values=tuple(values), values_ref=values_ref,
            )
        )  # fmt: skip
    return tuple(found)


def _first(node: Element, *names: str) -> Element | None:
    return next((found for name in names if (found := node.find(f"{{*}}{name}")) is not None), None)


def _strings(node: Element | None) -> tuple[list[str], str]:
    points, reference = _points(node, str)
    texts = [text or "" for text in points]
    if node is not None and not texts and not reference:
        texts = [text.text or "" for text in node.iter("{*}v")]
    return texts, reference


def _points(node: Element | None, read: Callable[[str], _T | None]) -> tuple[list[_T | None], str]:
    """Return the cached points in their places, gaps as None, and the reference they were taken from."""
    if node is None:
        return [], ""
    reference = node.findtext(".//{*}f") or ""
    cached: dict[int, _T | None] = {}
    # Of a reference over several levels the first level is the innermost, next to the points.
    level = next(node.iter("{*}lvl"), node)
    for point in level.iter("{*}pt"):
        text = point.findtext("{*}v")
        index = str(point.get("idx", ""))
        if text is not None and index.isdecimal() and int(index) < 100_000:
            cached[int(index)] = read(text)
    return [cached.get(index) for index in range(max(cached, default=-1) + 1)], reference.strip()


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _extended_types(root: Element) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(node.get("layoutId", "")) for node in root.iter("{*}series")))


def _extended_series(root: Element) -> tuple[Series, ...]:
    found = []
    data = {str(node.get("id")): node for node in root.iter("{*}data")}
    for node in root.iter("{*}series"):
        link = node.find("{*}dataId")
        source = data.get(str(link.get("val"))) if link is not None else None
        text = node.find("{*}tx")
        found.append(
            Series(
                name=(text.findtext(".//{*}v") or "") if text is not None else "",
                name_ref=(text.findtext(".//{*}f") or "") if text is not None else "",
                **_dimensions(source),
            )
        )
    return tuple(found)


def _dimensions(source: Element | None) -> dict[str, Any]:
    if source is None:
        return {}
    found: dict[str, Any] = {}
    texts, numbers = source.find("{*}strDim"), source.find("{*}numDim")
    if texts is not None:
        found["categories"] = tuple(point.text or "" for point in texts.iter("{*}pt"))
        found["categories_ref"] = (texts.findtext("{*}f") or "").strip()
    if numbers is not None:
        found["values"] = tuple(_number(point.text or "") for point in numbers.iter("{*}pt"))
        found["values_ref"] = (numbers.findtext("{*}f") or "").strip()
    return found


def _title(root: Element) -> str:
    title = next(root.iter("{*}title"), None)
    if title is None or _local(title.getparent()) != "chart":
        return ""
    return " ".join("".join(text.text or "" for text in title.iter(f"{A}t")).split())


def _local(node: Element | None) -> str:
    return node.tag.rpartition("}")[2] if node is not None and isinstance(node.tag, str) else ""


def read_smartart(package: Package, part: str) -> SmartArt:
    """Return the SmartArt whose data are in `part`.

    Raises:
        PartFault: if the part is missing or damaged.
    """
    root = package.xml(part)
    texts = []
    for point in root.iter("{*}pt"):
        if point.get("type", "node") in _NODE_TYPES:
            lines = ("".join(run.text or "" for run in line.iter(f"{A}t")) for line in point.iter(f"{A}p"))
            text = "\n".join(line for line in lines if line.strip())
            if text:
                texts.append(text)
    connections = sum(node.get("type", "parOf") == "parOf" for node in root.iter("{*}cxn"))
    return SmartArt(part=part, texts=tuple(texts), connections=connections)
