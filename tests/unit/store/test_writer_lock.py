import threading

from studio.store.project import Project


def test_that_a_project_opened_on_one_thread_and_closed_on_another_lets_others_write(tmp_path):
    made = []
    thread = threading.Thread(target=lambda: made.append(Project.create(tmp_path / "study")))
    thread.start()
    thread.join()
    made[0].close()
    with Project.open(tmp_path / "study") as project:
        assert not project.is_read_only
