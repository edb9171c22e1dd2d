from __future__ import annotations

from studio.cli.output import print_table


def test_that_a_name_neither_breaks_a_row_nor_commands_the_terminal(capsys):
    print_table(("name", "n"), [("two\nlines\x1b[31m\x00\u2028end", 1)])
    printed = capsys.readouterr().out
    assert "two lines [31m end" in printed
    assert len(printed.splitlines()) == 2
