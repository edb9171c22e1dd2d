from __future__ import annotations

from studio.exchange.files import read_table


def test_that_headers_are_told_whatever_their_capitals(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("Metric,Instance_ID,System,VALUE\r\nmine,one,Alpha,2.5\r\n", encoding="utf-8")
    found = read_table(path)
    assert found.header == ("metric", "instance_id", "system", "value")
    assert found.rows == [(2, {"metric": "mine", "instance_id": "one", "system": "Alpha", "value": "2.5"})]
