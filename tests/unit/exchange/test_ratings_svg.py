"""Ratings as a picture: where the marks are, and what is said of a missing one."""

from __future__ import annotations

from xml.etree import ElementTree

from studio.exchange.ratings_svg import Rating, RatingRow, ratings_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_that_marks_stand_where_their_points_are():
    rows = [
        RatingRow(title="a <judge>", ratings=(Rating(mean=1.0, low=1.0, high=2.0, n=3),)),
        RatingRow(title="人", ratings=(Rating(mean=5.0, low=None, high=None, n=1),)),
        RatingRow(title="nobody", ratings=(Rating(mean=None, low=None, high=None, n=0, reason="never rated"),)),
    ]
    found = ElementTree.fromstring(ratings_svg(["All"], rows, words="Mean", low=1, high=5))
    dots = [float(each.get("cx")) for each in found.iter(f"{SVG}circle")]
    ticks = {each.text: float(each.get("x")) for each in found.iter(f"{SVG}text") if each.text in ("1", "5")}
    assert dots == [ticks["1"], ticks["5"]]
    titles = [each.text for each in found.iter(f"{SVG}title")]
    assert "1.00, n = 3, 95 % 1.00 to 2.00" in titles
    assert "never rated" in titles
    assert "a <judge>" in [each.text for each in found.iter(f"{SVG}text")]
