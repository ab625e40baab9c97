"""The browser's Back button: the address, the screen and the story agree."""

from tests.browser.harness import in_the_address, open_lesson, settle


def test_back_leads_to_the_lesson_before_just_as_it_was_left(server, new_page):
    page = new_page()
    open_lesson(page, server + "/next_token?start=the")
    entries = page.evaluate("history.length")
    for number in (1, 2):
        page.get_by_role("button", name="Next word", exact=True).click()
        in_the_address(page, f"written={number}")
        settle(page)
    left, told = page.url, page.get_by_test_id("stMain").inner_text()
    title = page.locator("h1").inner_text()
    assert page.evaluate("history.length") == entries, "one entry for the lesson"
    page.get_by_role("link", name="Next:").click()
    page.wait_for_url(lambda url: "/next_token" not in url)
    settle(page)
    page.go_back()
    page.wait_for_url("**/next_token**")
    # The address changes at once, the lesson a moment later.
    page.locator("h1", has_text=title).wait_for()
    settle(page)
    assert page.url == left
    assert page.get_by_test_id("stMain").inner_text() == told
    page.go_forward()
    page.wait_for_url(lambda url: "/next_token" not in url)
    settle(page)
    assert page.errors == []


def test_the_link_to_this_screen_opens_it_again(server, page, new_page):
    open_lesson(page, server + "/next_token?start=the&written=3&embed=true")
    page.get_by_role("button", name="Link to this screen").click()
    link = page.get_by_test_id("stPopoverBody").locator("code").inner_text()
    assert "start=the" in link and "written=3" in link
    other = open_lesson(new_page(), link)
    assert "written=3" in other.url and "start=the" in other.url
