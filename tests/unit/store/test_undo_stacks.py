from studio.model.acts import Act, stacks


def act(seq, verb="edit", author="Ann", undoes=None):
    return Act(seq=seq, at="2026-01-01T00:00:00Z", author=author, verb=verb, words=verb, undoes=undoes)


def seqs(acts):
    done, undone = stacks(acts)
    return [each.seq for each in done], [each.seq for each in undone]


def test_that_an_undo_moves_the_act_that_it_names_and_a_redo_brings_it_back():
    acts = [act(1), act(2), act(3, "undo", undoes=2)]
    assert seqs(acts) == ([1], [2])
    assert seqs([*acts, act(4, "redo", undoes=2)]) == ([1, 2], [])


def test_that_a_new_act_ends_what_could_be_brought_back():
    assert seqs([act(1), act(2, "undo", undoes=1), act(3)]) == ([3], [])


def test_that_what_was_undone_first_is_brought_back_last():
    assert seqs([act(1), act(2), act(3, "undo", undoes=2), act(4, "undo", undoes=1)]) == ([], [2, 1])


def test_that_an_undo_of_an_act_that_is_not_among_them_changes_nothing():
    assert seqs([act(1), act(5, "undo", author="Ben", undoes=4)]) == ([1], [])


def test_that_an_empty_journal_has_nothing_to_undo():
    assert seqs([]) == ([], [])
