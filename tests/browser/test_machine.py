"""The machine in a real browser: pointing, choosing, playing, keys and a telephone."""

from playwright.sync_api import expect

from tests.browser.harness import in_the_address, open_lesson, settle

CAT = "/machine?start=the+cat+sat+on+the"


def at(page, name):
    """A cell, a word or a bar of the picture."""
    return page.locator(f"[data-at='{name}']")


def told(page):
    """What the player says now."""
    return page.locator(".machine .said")


def test_pointing_lights_up_what_belongs_and_sends_nothing(server, page, messages):
    open_lesson(page, server + CAT)
    before = len(messages)
    at(page, "5-5").hover()
    expect(page.locator(".pointed")).to_contain_text("Block 3: attention, at 5 the")
    lit = page.locator(".link.lit").count()
    assert 0 < lit < page.locator(".link").count()
    expect(page.locator(".cell.path.lit[data-at^='4-']")).to_have_count(1)
    at(page, "bar-0").hover()
    expect(at(page, "6-5")).to_have_class("cell path lit")
    assert len(messages) == before > 0


def test_what_is_chosen_opens_beside_the_picture_and_stands_in_the_address(
    server, page
):
    open_lesson(page, server + CAT)
    at(page, "5-5").click()
    in_the_address(page, "part=block+3%3A+attention")
    expect(page.locator(".st-key-machine_panel")).to_contain_text("lost if cut")
    page.reload()
    settle(page)
    expect(at(page, "5-5")).to_have_class("cell path open")


def test_the_keys_walk_through_the_picture(server, page):
    open_lesson(page, server + CAT)
    top = at(page, "6-5")
    top.focus()
    for key, name in (("ArrowDown", "5-5"), ("ArrowLeft", "5-4"), ("ArrowUp", "6-4"),
                      ("ArrowUp", "bar-5"), ("ArrowUp", "bar-4")):
        page.keyboard.press(key)
        expect(at(page, name)).to_be_focused()
    page.keyboard.press("Enter")
    in_the_address(page, "part=the+answer")


def test_the_player_steps_up_draws_the_word_and_takes_it_back(server, page):
    open_lesson(page, server + CAT)
    expect(told(page)).to_contain_text("10/10")
    step, back = page.locator(".step"), page.locator(".back")
    step.click()
    expect(told(page)).to_contain_text("1/10")
    expect(at(page, "0-0")).to_have_class("cell later")
    for number in range(2, 11):
        step.click()
        expect(told(page)).to_contain_text(f"{number}/10")
    assert page.locator(".later").count() == 0
    step.click()  # the drawn word is written, and the next begins from below
    in_the_address(page, "written=1")
    expect(at(page, "word-6")).to_have_text("mat")
    expect(told(page)).to_contain_text("1/10")
    back.click()
    expect(at(page, "word-6")).to_have_count(0)
    expect(told(page)).to_contain_text("10/10")


def test_it_plays_by_itself_until_it_is_paused(server, page):
    open_lesson(page, server + CAT)
    play = page.locator(".play")
    play.click()
    expect(play).to_have_text("Pause")
    expect(told(page)).to_contain_text("3/10")
    play.click()
    expect(play).to_have_text("Play")


def test_reduced_motion_changes_steps_without_movement(server, page):
    page.emulate_media(reduced_motion="reduce")
    open_lesson(page, server + CAT)
    for part in (".marker", ".link .seen", ".cell"):
        style = page.locator(part).first.evaluate(
            "e => getComputedStyle(e).transitionDuration"
        )
        assert style == "0s"


def test_the_whole_machine_stands_on_one_screen(server, new_page):
    page = open_lesson(new_page(width=1280, height=800), server + "/machine")
    box = page.locator(".machine .player").bounding_box()
    assert box["y"] + box["height"] <= 800
    assert page.locator(".machine .bars").bounding_box()["y"] >= 0


def test_a_telephone_gets_the_layers_of_one_word_as_a_list(server, new_page):
    page = open_lesson(new_page(width=390, height=800, theme="dark"), server + CAT)
    expect(page.locator(".layer")).to_have_count(7)
    expect(page.locator(".layer .cell").first).to_have_text("mat")
    at(page, "word-2").click()
    expect(page.locator(".layer .cell").first).to_have_text("didn't")
    at(page, "5-2").click()
    in_the_address(page, "word=2+cat")
