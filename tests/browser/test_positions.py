"""The lesson on positions in a real browser: shuffling, and the table as a picture."""

from tests.browser.harness import in_the_address, open_lesson, picture, settle


def test_shuffling_changes_the_order_and_nothing_without_positions(server, page):
    open_lesson(page, f"{server}/positions?shown=positions_guess"
                "&words=the+big+dog+saw+the+old+man")
    bars = picture(page, "without positions")
    before = bars.get_attribute("aria-label")
    page.get_by_role("button", name="Shuffle").click()
    in_the_address(page, "order=1")
    settle(page)
    after = bars.get_attribute("aria-label")
    assert before != after
    for said in (before, after):
        assert said.count("without positions under 0.1%") == 7
    assert page.errors == []


def test_the_table_is_drawn_as_a_picture_that_can_be_pointed_at(server, page):
    open_lesson(page, f"{server}/positions?table=waves")
    waves = picture(page, "Positions, waves:")
    assert waves.locator(".mark-rect.role-mark path").count() == 64 * 64
