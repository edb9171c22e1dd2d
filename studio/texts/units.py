"""Units and words for large numbers, as symbols, in English and in Chinese."""

from __future__ import annotations

from typing import NamedTuple


class UnitOf(NamedTuple):
    """What a unit measures, and how many of the base unit one of it is."""

    dimension: str
    factor: float


def _from(dimension: str, listed: dict[str, float]) -> dict[str, UnitOf]:
    return {name: UnitOf(dimension, factor) for names, factor in listed.items() for name in names.split()}


# fmt: off
UNITS: dict[str, UnitOf] = (
    _from("time", {
        "s sec secs second seconds 秒 秒钟": 1.0, "ms msec millisecond milliseconds 毫秒": 1e-3,
        "μs us microsecond microseconds 微秒": 1e-6, "ns nanosecond nanoseconds 纳秒": 1e-9,
        "min mins minute minutes 分钟": 60.0, "h hr hrs hour hours 小时": 3600.0, "d day days 天": 86400.0,
        "week weeks 周": 604800.0,
    })
    | _from("month", {"month months 个月": 1.0})
    | _from("month", {"year years yr yrs": 12.0})
    | _from("length", {
        "m metre metres meter meters 米": 1.0, "km kilometre kilometres kilometer kilometers 千米 公里": 1e3,
        "cm centimetre centimetres centimeter centimeters 厘米": 1e-2,
        "mm millimetre millimetres millimeter millimeters 毫米": 1e-3, "μm um micron microns 微米": 1e-6,
        "nm nanometre nanometres nanometer nanometers 纳米": 1e-9, "mi mile miles 英里": 1609.344,
        "ft foot feet 英尺": 0.3048, "inch inches 英寸": 0.0254,
    })
    | _from("mass", {
        "g gram grams 克": 1.0, "kg kilogram kilograms 千克 公斤": 1e3, "mg milligram milligrams 毫克": 1e-3,
        "t tonne tonnes 吨": 1e6, "lb lbs pound-mass 磅": 453.59237,
    })
    | _from("data", {
        "B byte bytes 字节": 1.0, "kB KB kilobyte kilobytes": 1e3, "MB megabyte megabytes": 1e6,
        "GB gigabyte gigabytes": 1e9, "TB terabyte terabytes": 1e12, "PB petabyte petabytes": 1e15,
        "KiB": 1024.0, "MiB": 1024.0**2, "GiB": 1024.0**3, "TiB": 1024.0**4,
        "bit bits": 0.125, "kbit kb": 125.0, "Mbit Mb": 125e3, "Gbit Gb": 125e6,
    })
    | _from("data/time", {"bps": 0.125, "kbps Kbps": 125.0, "Mbps": 125e3, "Gbps": 125e6})
    | _from("1/time", {"Hz 赫兹 fps": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9})
    | _from("power", {
        "W watt watts 瓦": 1.0, "mW": 1e-3, "kW kilowatt kilowatts 千瓦": 1e3, "MW megawatt megawatts 兆瓦": 1e6,
        "GW gigawatt gigawatts": 1e9, "TW": 1e12,
    })
    | _from("energy", {
        "J joule joules 焦耳": 1.0, "kJ": 1e3, "MJ": 1e6, "Wh": 3600.0, "kWh 千瓦时 度电": 3.6e6, "MWh": 3.6e9,
        "GWh": 3.6e12, "TWh": 3.6e15, "cal": 4.184, "kcal": 4184.0,
    })
    | _from("voltage", {"V volt volts 伏": 1.0, "mV": 1e-3, "kV": 1e3})
    | _from("current", {"A ampere amperes 安": 1.0, "mA": 1e-3})
    | _from("celsius", {"°C": 1.0}) | _from("fahrenheit", {"°F": 1.0}) | _from("angle", {"°": 1.0})
    | _from("area", {
        "m^2 m2 sqm 平方米": 1.0, "km^2 km2 平方公里 平方千米": 1e6, "ha hectare hectares 公顷": 1e4,
        "cm^2": 1e-4, "mm^2": 1e-6,
    })
    | _from("volume", {
        "L l litre litres liter liters 升": 1.0, "mL ml millilitre millilitres milliliter milliliters 毫升": 1e-3,
        "m^3 m3 立方米": 1e3, "cm^3": 1e-3,
    })
    | _from("pressure", {"Pa": 1.0, "hPa mbar": 1e2, "kPa": 1e3, "MPa": 1e6, "bar": 1e5})
    | _from("%", {"% percent pct": 1.0, "‰": 0.1})
    | _from("points", {"pp 个百分点 百分点": 1.0})
    | _from("times", {"x × times 倍 fold": 1.0})
    | _from("USD", {"$ US$ USD dollar dollars 美元": 1.0, "cent cents": 0.01})
    | _from("EUR", {"€ EUR euro euros 欧元": 1.0}) | _from("GBP", {"£ GBP pounds 英镑": 1.0})
    | _from("CNY", {"CNY RMB yuan 元 人民币 块": 1.0}) | _from("JPY", {"JPY yen 日元": 1.0})
    | _from("INR", {"₹ INR rupees": 1.0}) | _from("CHF", {"CHF": 1.0}) | _from("HKD", {"HK$ HKD 港元": 1.0})
)
"""Unit → what it measures. Capitals count; a word that is in no other way known is looked up in small letters."""

ALSO: dict[str, tuple[UnitOf, ...]] = {"¥": (UnitOf("CNY", 1.0), UnitOf("JPY", 1.0))}
"""Signs with several meanings."""

MAGNITUDES: dict[str, float] = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "millions": 1e6, "mio": 1e6, "mn": 1e6, "mln": 1e6,
    "mil": 1e6, "billion": 1e9, "billions": 1e9, "bn": 1e9, "mrd": 1e9, "trillion": 1e12, "tn": 1e12,
    "k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6, "b": 1e9, "B": 1e9, "T": 1e12,
    "百": 1e2, "千": 1e3, "万": 1e4, "萬": 1e4, "十万": 1e5, "百万": 1e6, "千万": 1e7, "亿": 1e8, "億": 1e8,
    "十亿": 1e9, "百亿": 1e10, "千亿": 1e11, "万亿": 1e12, "兆": 1e12,
}
"""Word behind a number → what it multiplies by."""

PREFIXES: dict[str, str] = {
    "us$": "USD", "hk$": "HKD", "$": "$", "€": "€", "£": "£", "¥": "¥", "₹": "₹", "usd": "USD", "eur": "EUR",
    "gbp": "GBP", "cny": "CNY", "rmb": "RMB", "jpy": "JPY", "chf": "CHF", "inr": "INR",
}
"""What may stand before a number, in small letters → unit."""
# fmt: on


def meanings(symbol: str) -> tuple[UnitOf, ...]:
    """Return what a unit may mean; empty if it is none."""
    if symbol in ALSO:
        return ALSO[symbol]
    if symbol in UNITS:
        return (UNITS[symbol],)
    # "Seconds" at the head of a line; but "MW" is never "mW".
    lower = symbol.lower()
    return (UNITS[lower],) if len(symbol) > 2 and lower in UNITS else ()
