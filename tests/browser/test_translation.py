"""A page that the browser translates stays true, and model words stay as they are."""

import pytest

from tests.browser.harness import open_lesson, settle

# As translators in browsers do it: each text, those that come later too, is replaced by
# an element with other words in it.
TRANSLATOR = """() => {
  const marked = new WeakSet();
  const wrap = (text) => {
    const parent = text.parentElement;
    if (!parent || !text.data.trim() || marked.has(text)
        || parent.closest("script, style, textarea, [translate='no'], font")) return;
    marked.add(text);
    const outer = document.createElement("font"), inner = outer.cloneNode();
    inner.textContent = "«" + text.data + "»";
    outer.append(inner);
    text.replaceWith(outer);
    window.translated = (window.translated ?? 0) + 1;
  };
  const walk = (part) => {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT), all = [];
    while (texts.nextNode()) all.push(texts.currentNode);
    all.forEach(wrap);
  };
  walk(document.body);
  new MutationObserver((changes) => setTimeout(() => changes.forEach((change) =>
    change.addedNodes.forEach((one) => {
      marked.delete(one);
      if (one.nodeType === Node.TEXT_NODE && one.isConnected) wrap(one);
      else if (one.nodeType === Node.ELEMENT_NODE && one.nodeName !== "FONT") walk(one);
    })), 80)).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.fixture
def translated(page, server):
    """A function that opens a lesson and has it translated."""

    def open_it(address):
        open_lesson(page, server + address)
        page.evaluate(TRANSLATOR)
        page.wait_for_function("() => window.translated > 10")
        return page

    return open_it


def test_what_changes_is_seen_although_it_was_translated(translated):
    page = translated("/?start=the+cat+sat+on+the&written=1")
    sentence = page.locator("[class*='st-key-model_words']").first
    before = sentence.inner_text()
    assert "«" not in before and "the cat sat on the" in before
    page.get_by_role("button", name="Next word").click()
    page.wait_for_function("() => location.search.includes('written=2')")
    settle(page)
    after = sentence.inner_text()
    assert after != before and len(after.split()) > len(before.split()) - 1
    title = page.get_by_role("heading", level=1)
    assert title.inner_text().startswith("«")
    assert page.errors == []


def test_sentences_with_figures_in_them_are_those_of_now(translated):
    page = translated("/heads?head=1.1&shown=guess_cut&cut=true")
    main = page.get_by_test_id("stMain")
    for head in ("2.3", "3.1"):
        page.get_by_test_id("stButtonGroup").get_by_text(head, exact=True).click()
        page.wait_for_function(f"() => location.search.includes('head={head}')")
        settle(page)
        page.wait_for_function(
            f"() => document.querySelector('[data-testid=stMain]').innerText"
            f".includes('{head}')")
        switch = page.get_by_text(f"Cut out head {head}").first
        assert switch.is_visible(), "the label is that of now"
    assert main.is_visible() and page.errors == []


@pytest.mark.parametrize("address", ["/next_token", "/machine", "/look_inside"])
def test_no_model_word_is_translated(address, translated):
    page = translated(address)
    for part in ("svg.marks text", "code", ".machine", "[class*='_words'] button"):
        for text in page.locator(part).all_text_contents()[:30]:
            assert "«" not in text, (part, text)
    assert page.errors == []
