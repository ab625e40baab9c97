// Keeps what a student has done in this browser, and nowhere else.
//
// The server sends the record (data.record) after each run. What the browser holds is
// sent to the server once, when the tab is opened, so that guesses and answers stand
// where they stood. Nothing is asked of any other host.

const PLACE = "transformer-course";

// Whether this tab has handed on, or begun, what the browser holds.
let mine = false;

function stored() {
  try {
    return localStorage.getItem(PLACE) || "";
  } catch {
    return ""; // a browser may forbid it; then nothing is kept
  }
}

function store(text) {
  try {
    if (text) localStorage.setItem(PLACE, text);
    else localStorage.removeItem(PLACE);
  } catch {
    // full, or forbidden: the course goes on without
  }
}

// Another tab may have added something: what only the browser has stays.
function merged(record) {
  let held = {};
  try {
    held = JSON.parse(stored()) || {};
  } catch {
    held = {};
  }
  const both = { ...record };
  for (const [section, entries] of Object.entries(record)) {
    const there = held[section];
    if (entries && typeof entries === "object" && there && typeof there === "object") {
      both[section] = { ...there, ...entries };
    }
  }
  return both;
}

export default function ({ data, setStateValue }) {
  if (!data) return;
  if (data.forgotten) {
    mine = true;
    store("");
    return;
  }
  const held = stored();
  if (!mine && !data.loaded && held) {
    mine = true;
    setStateValue("stored", held);
    return;
  }
  if (!data.record) return;
  mine = true;
  const text = JSON.stringify(merged(JSON.parse(data.record)));
  if (text !== held) store(text);
}
