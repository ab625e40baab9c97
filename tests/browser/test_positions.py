"""The lesson on positions in a real browser: shuffling, and the table as a picture."""

from tests.browser.harness import open_lesson, settle


def test_shuffling_changes_the_order_and_nothing_without_positions(server, page):
    open_lesson(page, f"{server}/positions?words=the+big+dog+saw+the+old+man")
    bars = page.locator("[role='graphics-document']").first
    before = bars.get_attribute("aria-label")
    page.get_by_role("button", name="Shuffle").click()
    settle(page)
    after = bars.get_attribute("aria-label")
    assert "order=1" in page.url
    assert before != after
    for said in (before, after):
        without = said.split("without positions")[1]
        assert without.count("under 0.1%") + without.count(" 0%") == 7
    assert page.errors == []


def test_the_table_is_drawn_as_a_picture_that_can_be_pointed_at(server, page):
    open_lesson(page, f"{server}/positions?table=waves")
    picture = page.locator("[role='graphics-document']").nth(1)
    assert "Sinusoidal positions" in picture.get_attribute("aria-label")
    assert picture.locator(".mark-rect.role-mark path").count() == 64 * 64
