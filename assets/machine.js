// The machine: draws what Python computed, and computes no number itself. A cell is where
// a row crosses a word, a link is one head at one word. What has a `data-step` is faint
// until the player has come to it.

const CELL = 24, STACK_GAP = 9, LINK_GAP = 42, MOST_NARROW = 40, ROOMY = 58;
const NARROW_SCREEN = 560; // pixels; below, the picture becomes a list of layers
const PACE = 1300; // milliseconds a step while it plays
const MOVES = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const machines = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const machine = machines.get(parentElement) ?? started(parentElement);
  machine.send = setTriggerValue;
  if (data) arrive(machine, data);
  return () => {
    stop(machine);
    machine.observer.disconnect();
    machines.delete(parentElement);
  };
}

function started(parent) {
  const root = parent.querySelector(".machine");
  const find = (name) => root.querySelector("." + name);
  const machine = { root, stage: find("stage"), said: find("said"), waiting: null,
    pointed: find("pointed"),
    buttons: { back: find("back"), play: find("play"), step: find("step") } };
  const { stage, buttons } = machine;
  buttons.back.onclick = () => { pause(machine); back(machine); };
  buttons.step.onclick = () => { pause(machine); forward(machine); };
  buttons.play.onclick = () => (machine.timer ? pause(machine) : play(machine));
  stage.onpointerover = (event) => point(machine, event.target);
  stage.onpointerleave = () => point(machine, null);
  stage.addEventListener("focusin", (event) => point(machine, event.target));
  stage.addEventListener("focusout", () => point(machine, null));
  stage.onclick = (event) => open(machine, event.target);
  stage.onkeydown = (event) => walk(machine, event);
  machine.observer = new ResizeObserver(() => {
    if (machine.data && machine.width !== stage.clientWidth) draw(machine);
  });
  machine.observer.observe(stage);
  machines.set(parent, machine);
  return machine;
}

// New numbers, other lines, or only something opened.
function arrive(machine, data) {
  const anew = machine.data?.id !== data.id;
  const redrawn = anew || machine.data.lines !== data.lines;
  machine.data = data;
  const last = data.steps.length - 1;
  if (anew) {
    machine.step = machine.waiting === "forward" ? 0 : last;
    machine.played = machine.waiting === "forward";
    if (machine.waiting === null) stop(machine);
    machine.waiting = null;
    machine.token = data.words.length - 1;
  }
  for (const [name, colour] of Object.entries(data.colours)) {
    machine.root.style.setProperty("--" + name, colour);
  }
  machine.root.setAttribute("aria-label", data.alt);
  (redrawn ? draw : show)(machine);
}

function play(machine) {
  machine.timer = setInterval(() => forward(machine), PACE);
  forward(machine);
  show(machine);
}

function stop(machine) {
  clearInterval(machine.timer);
  machine.timer = null;
}

function pause(machine) {
  stop(machine);
  show(machine);
}

function forward(machine) {
  if (machine.waiting) return;
  const last = machine.data.steps.length - 1;
  if (machine.step < last) machine.step += 1;
  else if (!machine.played) machine.step = 0;
  else if (machine.data.ended) return pause(machine);
  else return wait(machine, "forward", machine.data.written + 1);
  machine.played = true;
  show(machine);
}

function wait(machine, way, written) {
  if (machine.waiting) return;
  machine.waiting = way;
  machine.send("write", written);
}

function back(machine) {
  machine.played = true;
  if (machine.step === 0) return wait(machine, "back", machine.data.written - 1);
  machine.step -= 1;
  show(machine);
}

function make(tag, parent, attributes = {}, text) {
  const space = ["svg", "path", "g"].includes(tag) ? "2000/svg" : "1999/xhtml";
  const element = document.createElementNS("http://www.w3.org/" + space, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(name, value);
  }
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

function draw(machine) {
  const { stage, data } = machine;
  const focused = stage.getRootNode().activeElement?.dataset?.at;
  machine.width = stage.clientWidth;
  machine.narrow = machine.width < NARROW_SCREEN;
  machine.root.classList.toggle("narrow", machine.narrow);
  stage.replaceChildren();
  const top = data.rows.length;
  const head = make("div", stage, { class: "top" });
  drawBars(make("div", head, { class: "bars", "data-step": top + 1 }), data);
  const legend = make("div", head, { class: "legend" });
  for (const [kind, name] of data.legend) make("span", legend, { class: kind }, name);
  drawDraw(make("div", stage, { class: "draw", "data-step": top + 2 }), data);
  (machine.narrow ? drawList : drawColumns)(machine);
  show(machine);
  const again = focused && stage.querySelector(`[data-at="${focused}"]`);
  if (again) again.focus({ preventScroll: true });
}

function drawBars(parent, data) {
  data.bars.forEach((bar, number) => {
    const row = make("button", parent, { class: "bar", type: "button", tabindex: -1,
      "data-at": `bar-${number}`, "aria-label": bar.told });
    make("span", row, { class: "name" }, bar.word);
    const track = make("span", row, { class: "track" });
    make("i", track, { class: "fill", style: `width: ${bar.model * 100}%` });
    const tick = { class: "tick", style: `left: ${bar.truth * 100}%` };
    if (bar.truth !== null) make("i", track, tick);
    const figures = make("span", row, { class: "figures" });
    make("b", figures, {}, bar.figure);
    make("em", figures, {}, bar.exact);
  });
}

function drawDraw(parent, data) {
  const line = make("div", parent, { class: "line" });
  for (const part of data.draw.parts) {
    make("span", line, { class: "stretch" + (part.hit ? " hit" : ""),
      "data-word": part.word, style: `left: ${part.from * 100}%; right: ${part.rest}%`,
    }, part.name);
  }
  make("i", line, { class: "marker", style: `--u: ${data.draw.u * 100}%` });
  make("span", parent, { class: "drawn" }, data.draw.told);
}

function drawColumns(machine) {
  const { data, stage } = machine;
  const body = make("div", stage, { class: "body" });
  const gutter = make("div", body, { class: "gutter" });
  const scroll = make("div", body, { class: "scroll" });
  const grid = make("div", scroll, { class: "grid" });
  const columns = data.words.length + 1;
  const wide = Math.max(MOST_NARROW, scroll.clientWidth / columns);
  machine.wide = wide;
  const across = (token) => (token + 0.5) * wide;
  const { heights, height } = rowHeights(data.rows);
  grid.style.width = `${columns * wide}px`;
  grid.style.height = gutter.style.height = `${height}px`;
  const svg = make("svg", grid, { width: columns * wide, height, "aria-hidden": true });
  data.words.forEach((_, t) => make("path", svg, { class: "stream",
    d: `M${across(t)} ${heights.at(-1)}V${height - CELL}` }));
  drawPath(svg, data, across, heights, height);
  machine.links = data.links.map((link, number) =>
    drawLink(svg, link, number, data, across, heights));
  data.rows.forEach((row, r) => {
    make("span", gutter, { class: "row " + row.kind, "data-step": r + 1,
      style: `top: ${heights[r]}px` }, row.name);
    data.words.forEach((_, t) =>
      put(drawCell(grid, machine, r, t), across(t), heights[r], wide));
  });
  for (let r = 1; r < data.rows.length; r += 2) {
    const box = `top: ${heights[r + 1]}px; height: ${heights[r] + CELL - heights[r + 1]}px`;
    make("span", gutter, { class: "block", "data-step": r + 1, style: box },
      data.rows[r].block);
  }
  make("span", gutter, { class: "row words", style: `top: ${height - CELL}px` },
    data.labels.words);
  data.words.forEach((_, t) =>
    put(drawWord(grid, machine, t), across(t), height - CELL, wide));
  machine.next = make("span", grid, { class: "next" }, "?");
  put(machine.next, across(data.words.length), height - CELL, wide);
  scroll.scrollLeft = scroll.scrollWidth;
}

function rowHeights(rows) {
  const gaps = rows.map(({ kind }) => (kind === "attention" ? LINK_GAP : STACK_GAP));
  const height = CELL + gaps.reduce((sum, gap) => sum + gap + CELL, 0) + 8;
  let at = height - CELL;
  const heights = gaps.map((gap) => (at -= gap + CELL));
  return { heights, height };
}

function put(element, middle, top, wide) {
  const box = { left: middle - wide / 2 + 2, top, width: wide - 4 };
  for (const side in box) element.style[side] = `${box[side]}px`;
}

function drawPath(svg, data, across, heights, height) {
  data.path.forEach((token, block) => {
    const x = across(token), next = data.path[block + 1], r = 2 * block;
    const bottom = block === 0 ? height - CELL : heights[r - 1] + CELL;
    const top = next === undefined ? 0 : heights[r];
    make("path", svg, { class: "way", "data-step": r + 1, d: `M${x} ${bottom}V${top}` });
    if (next === undefined) return;
    make("path", svg, { class: "way", "data-step": r + 2,
      d: curve(x, top, across(next), heights[r + 1] + CELL) });
  });
}

function curve(x1, y1, x2, y2) {
  const middle = (y1 + y2) / 2;
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
}

function drawLink(svg, link, number, data, across, heights) {
  const r = 2 * link.layer, aside = (link.head - (data.heads - 1) / 2) * 2.6;
  const d = curve(across(link.key) + aside, heights[r],
    across(link.query) + aside, heights[r + 1] + CELL);
  const group = make("g", svg, { "data-step": r + 2, "data-link": number,
    class: "link" + (link.against ? " against" : "") + (link.strong ? " strong" : "") });
  make("path", group, { class: "seen", d, "stroke-width": 0.6 + 4.4 * link.size });
  make("path", group, { class: "felt", d });
  return group;
}

function drawCell(parent, machine, r, t) {
  const { data } = machine;
  const cell = data.cells[r][t];
  const button = make("button", parent, { class: "cell" + (cell.path ? " path" : ""),
    type: "button", tabindex: -1, "data-step": r + 1, "data-at": `${r}-${t}`,
    "aria-label": cell.told });
  make("i", button, { class: "fill", style: `width: ${cell.sure * 100}%` });
  make("span", button, { class: size(machine, cell.said) }, cell.said);
  return button;
}

const size = ({ wide }, { length }) =>
  wide > ROOMY || length < 6 ? null : length > 6 ? "longest" : "long";
function drawWord(parent, machine, t) {
  const { data } = machine;
  const button = make("button", parent, {
    class: "word" + (data.path[0] === t ? " path" : ""), type: "button", tabindex: -1,
    "data-step": 0, "data-at": `word-${t}`, "aria-label": data.told[t],
    style: `--gives: ${data.gives[t]}` });
  make("span", button, { class: size(machine, data.words[t]) }, data.words[t]);
  return button;
}

// On a telephone: the layers of one word as a list, and all words to choose from.
function drawList(machine) {
  const { data, stage } = machine;
  const list = make("div", stage, { class: "list" });
  machine.wide = machine.width;
  machine.links = [];
  for (let r = data.rows.length - 1; r >= 0; r -= 1) {
    const { kind, name, block } = data.rows[r];
    const row = make("div", list, { class: "layer", "data-step": r + 1 });
    make("span", row, { class: "row " + kind }, block ? `${block}: ${name}` : name);
    drawCell(row, machine, r, machine.token);
    make("span", row, { class: "figure" }, data.cells[r][machine.token].figure);
    data.links.filter((link) => 2 * link.layer + 1 === r && link.query === machine.token)
      .slice(0, 3).forEach((link) =>
        make("span", list, { class: "into", "data-step": r + 1 }, link.told));
  }
  const words = make("div", stage, { class: "chips" });
  data.words.forEach((_, t) => {
    const word = drawWord(words, machine, t);
    word.setAttribute("aria-pressed", t === machine.token);
    word.tabIndex = 0;
  });
  machine.next = make("span", words, { class: "next" }, "?");
}

function show(machine) {
  const { data, stage, step, buttons } = machine;
  const last = data.steps.length - 1;
  for (const element of stage.querySelectorAll("[data-step]")) {
    const own = Number(element.dataset.step);
    element.classList.toggle("later", own > step);
    element.classList.toggle("now", own === step && step < last);
  }
  stage.classList.toggle("falls", step === last);
  if (machine.next) machine.next.textContent = step === last ? data.next : "?";
  for (const element of stage.querySelectorAll("[data-at]")) {
    element.classList.toggle("open", element.dataset.at === data.open);
    if (!machine.narrow) element.tabIndex = -1;
  }
  const top = `${data.rows.length - 1}-${data.words.length - 1}`;
  const door = (name) => stage.querySelector(`[data-at="${name}"]`);
  (door(data.open) ?? door(top)).tabIndex = 0;
  if (!machine.target) machine.pointed.textContent = data.labels.hint;
  machine.said.textContent = `${step + 1}/${last + 1} · ${data.steps[step]}`;
  buttons.play.textContent = machine.timer ? data.labels.pause : data.labels.play;
  for (const name of ["step", "back"]) buttons[name].textContent = data.labels[name];
  buttons.back.disabled = step === 0 && !data.written;
  const over = step === last && machine.played && data.ended;
  buttons.step.disabled = buttons.play.disabled = over;
}

// Pointing: everything that belongs lights up, in the browser

function belonging(data, target) {
  const cells = new Set(), links = new Set();
  const take = (number) => {
    const { layer, query, key } = data.links[number];
    links.add(number);
    cells.add(`${2 * layer}-${key}`).add(`${2 * layer + 1}-${query}`);
    cells.add(`word-${key}`).add(`word-${query}`);
  };
  if (target.dataset.link) take(Number(target.dataset.link));
  const [kind, at] = (target.dataset.at ?? "-").split("-");
  const place = Number(at);
  if (kind === "bar") {
    data.cells.forEach((row, r) => row.forEach((cell, t) => {
      if (cell.said === data.bars[place].word) cells.add(`${r}-${t}`);
    }));
  } else if (kind === "word") {
    data.rows.forEach((_, r) => cells.add(`${r}-${place}`));
    data.links.forEach((link, number) => link.key === place && take(number));
  } else if (kind) {
    const r = Number(kind);
    cells.add(`word-${place}`).add(`${r - 1}-${place}`);
    data.links.forEach((link, number) => {
      const comes = 2 * link.layer + 1 === r && link.query === place;
      const leaves = 2 * link.layer === r && link.key === place;
      if (comes || leaves) take(number);
    });
  }
  return { cells, links };
}

function point(machine, element) {
  const target = element?.closest?.("[data-at], [data-link]");
  const { stage, data } = machine;
  if (!data || target === machine.target) return;
  machine.target = target ?? null;
  stage.classList.toggle("pointing", Boolean(target));
  for (const lit of stage.querySelectorAll(".lit")) lit.classList.remove("lit");
  machine.pointed.textContent = data.links[target?.dataset.link]?.told
    ?? target?.getAttribute("aria-label") ?? data.labels.hint;
  if (!target) return;
  target.classList.add("lit");
  const { cells, links } = belonging(data, target);
  for (const number of links) machine.links[number]?.classList.add("lit");
  const word = target.dataset.at?.startsWith("bar") && data.bars[token(target)].word;
  for (const other of stage.querySelectorAll("[data-at], .stretch")) {
    const belongs = cells.has(other.dataset.at) || (word && other.dataset.word === word);
    if (belongs) other.classList.add("lit");
  }
}

const token = (target) => Number(target.dataset.at.split("-")[1]);
function open(machine, element) {
  const target = element.closest("[data-at], [data-link]");
  if (!target) return;
  if (machine.narrow && target.dataset.at.startsWith("word")) {
    machine.token = token(target);
    return draw(machine);
  }
  const link = machine.data.links[target.dataset.link];
  machine.send("open", link
    ? { row: 2 * link.layer + 1, token: link.query, head: link.head, key: link.key }
    : { at: target.dataset.at });
}

function walk(machine, event) {
  const at = event.target.dataset?.at;
  const move = MOVES[event.key];
  if (!at || !move || machine.narrow) return;
  event.preventDefault();
  const { rows, words, bars } = machine.data;
  const [kind, number] = at.split("-");
  // Rows counted from the words: -1, the layers from 0, then the bars from below.
  const highest = rows.length + bars.length - 1;
  const row = kind === "word" ? -1 : kind === "bar" ? highest - number : Number(kind);
  const column = kind === "bar" ? words.length - 1 : Number(number);
  const r = Math.min(Math.max(row + move[0], -1), highest);
  const t = Math.min(Math.max(column + move[1], 0), words.length - 1);
  const name = r < 0 ? `word-${t}` : r < rows.length ? `${r}-${t}` : `bar-${highest - r}`;
  const next = machine.stage.querySelector(`[data-at="${name}"]`);
  [event.target.tabIndex, next.tabIndex] = [-1, 0];
  next.focus();
}
