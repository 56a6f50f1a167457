// The list of places: filters, the visible part of the list, and the selected place.
//
// The data as Python writes it: `documents`, each with `rows` of [number, size, parts, cells, name]. A cell is 0, or
// [begin, end, the number of a label for each feature]; -1 is no label. Where units have several anchors, a row also has
// those of each cell, [role, begin, end] each. Rows of items are [number, size, the number of
// each annotator's label, name (0 if it is called by its number), text, how many items it stands for].

const ROW = 54, SPARE = 6, MOST_CHOICES = 300, MOST_LISTED = 12, MOST_WORST = 3, AROUND = 28;

function startPlaces() {
  const block = document.getElementById("places-data");
  if (!block) return;
  const data = JSON.parse(block.textContent);
  const state = { data, rows: unpacked(data), shown: [], at: -1, row: null, address: 0, column: -1, choice: {}, view: null, drawn: null };
  byId("viewer").hidden = false;
  fillFilters(data);
  listen(state);
  showWorst(state);
  if (data.sort === "items") startItems(state);
  filter(state);
  goToHash(state);
}

function byId(id) {
  return document.getElementById(id);
}

function unpacked(data) {
  const rows = [];
  const labels = data.sort === "items" ? data.labels[0].map((_, code) => [0, 0, code]) : [];
  const ofItem = ([number, size, codes, name, text, times]) => {
    const cells = codes.map((code) => labels[code] ?? 0);
    const missing = cells.filter((cell) => !cell).length / cells.length;
    return { number, size, parts: [size, missing], cells, name: name || (name === 0 ? String(number) : ""), text: text ?? "", times: times ?? 1 };
  };
  const ofPlace = ([number, size, parts, cells, name, ends]) => {
    ends?.forEach((own, track) => { if (own.length) cells[track].ends = own; });
    return { number, size, parts, cells, name: name ?? "" };
  };
  for (const [at, scene] of data.documents.entries()) {
    scene.at = at;
    scene.rows = scene.rows.map((given) => {
      const row = { scene, ...(data.sort === "items" ? ofItem : ofPlace)(given) };
      row.extent = extent(row);
      return row;
    });
    rows.push(...scene.rows);
  }
  rows.forEach((row, index) => { row.order = index; });
  return rows;
}

// What an annotator has at a place.
function thing(data) {
  return { items: "label", words: "form", boundaries: "boundary" }[data.sort] ?? "unit";
}

function isPlaced(data) {
  return ["units", "texts", "boundaries"].includes(data.sort);
}

function filter(state) {
  const { data, choice } = state;
  state.shown = state.rows.filter(matcher(data, choice));
  sortRows(state, choice.order?.[0] ?? "worst");
  sayMet(state);
  byId("found").textContent = saidFound(state);
  byId("list-all").style.height = `${state.shown.length * rowHeight(state)}px`;
  state.at = state.shown.indexOf(state.row);
  byId("list").scrollTop = state.at < 0 ? 0 : Math.max((state.at - 1) * rowHeight(state), 0);
  if (state.at < 0 && state.shown.length) choose(state, 0, { hash: false });
  else if (state.at < 0) lookAtNothing(state, `No ${nameOfPlace(data)} matches the filters`);
  else {
    renderList(state);
    step(state);
  }
}

function nameOfPlace(data) {
  return data.sort === "items" ? "item" : "place";
}

// "55 of 69 places differ", or how many of these are shown.
function saidFound({ data, rows, shown, choice }) {
  const count = (n) => n.toLocaleString("en"), what = nameOfPlace(data);
  const disputed = rows.filter(differs(data)).length;
  const all = `${count(rows.length)} ${what}s`, filtered = Object.keys(choice).some((key) => key !== "all" && key !== "order");
  if (!filtered) return choice.all ? `${all}, ${count(disputed)} of which differ` : `${count(disputed)} of ${all} differ`;
  return `${count(shown.length)} of ${hasAll(choice) ? all : `${count(disputed)} ${what}s that differ`}`;
}

// The worst places beside the answer, with what differs there in words.
function showWorst({ data, rows }) {
  const box = byId("worst"), worst = [...rows].filter((row) => row.size > 0).sort((a, b) => b.size - a.size || a.order - b.order);
  if (!box || !worst.length) return;
  box.hidden = false;
  for (const row of worst.slice(0, MOST_WORST)) {
    const line = element("li", {}), link = element("a", { href: hashOf(row) });
    link.append(element("bdi", {}, difference(data, row)));
    line.append(link, element("small", {}, aboutOf(data, row)));
    box.querySelector("ol").append(line);
  }
}

// Conditions that no field shows.
function sayMet(state) {
  const said = saidChoice(state.choice);
  byId("met").hidden = !said;
  byId("met").querySelector("span").textContent = said;
}

function rowHeight(state) {
  return state.data.sort === "items" ? state.itemRow : ROW;
}

function sortRows(state, order) {
  const [how, who] = order.split(" ");
  const worst = (a, b) => b.size - a.size || a.order - b.order;
  const rank = (row) => (row.cells[who] ? row.cells[who][2] : Infinity); // missing labels come last
  if (how === "worst") state.shown.sort(worst);
  if (how === "document") state.shown.sort((a, b) => a.scene.at - b.scene.at || worst(a, b));
  if (how === "label") state.shown.sort((a, b) => (rank(a) === rank(b) ? worst(a, b) : rank(a) - rank(b)));
}

function renderList(state) {
  const list = byId("list"), height = rowHeight(state);
  const first = Math.max(Math.floor(list.scrollTop / height) - SPARE, 0);
  const last = Math.min(Math.ceil((list.scrollTop + list.clientHeight) / height) + SPARE, state.shown.length);
  if (state.data.sort === "items") return renderItems(state, first, last);
  const options = [];
  for (let index = first; index < last; index++) options.push(option(state, index));
  byId("list-all").replaceChildren(...options);
  if (state.at >= first && state.at < last) list.setAttribute("aria-activedescendant", `place-${state.at}`);
  else list.removeAttribute("aria-activedescendant");
}

function option(state, index) {
  const row = state.shown[index];
  const box = element("div", { id: `place-${index}`, role: "option", class: "option", "aria-selected": index === state.at });
  box.setAttribute("aria-posinset", index + 1);
  box.setAttribute("aria-setsize", state.shown.length);
  box.style.top = `${index * ROW}px`;
  const size = element("span", { class: `size d${level(row.size / state.data.worst)}` }, row.size.toFixed(2));
  const said = difference(state.data, row);
  const differing = element("bdi", { class: "differs", title: said }, said);
  box.append(size, differing, element("bdi", { class: "about" }, aboutOf(state.data, row)));
  box.addEventListener("click", () => choose(state, index));
  return box;
}

function element(name, attributes, text) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function nameOf(row) {
  return `${row.scene.name} ${row.number}`;
}

// Of items in one document, only their own names say something.
function manyDocuments(data) {
  return data.sort !== "items" || data.documents.length > 1;
}

// What to say if there are not two annotators to compare; empty if there are.
function alone(data, row) {
  const n = row.cells.filter(Boolean).length;
  return isPlaced(data) || n > 1 ? "" : `${n ? "only one" : "no"} ${thing(data)}`;
}

// Where a place is, and what is there.
function aboutOf(data, row) {
  const where = data.sort === "items" && row.name ? (manyDocuments(data) ? row.scene.name : "") : nameOf(row);
  return [excerptOf(data, row), where, row.text?.slice(0, 80)].filter(Boolean).join(" · ");
}

function excerptOf(data, row) {
  if (row.name) return row.name;
  if (!isPlaced(data)) return "";
  if (data.sort === "boundaries") return aroundBoundary(data, row);
  const track = row.cells.findIndex(Boolean), cell = row.cells[track];
  if (cell.ends) return quoted(row.scene, track, cell, 80) || located(data, cell);
  const [begin, end] = row.scene.texts.length > 1 ? cell : row.extent;
  return textOf(row.scene, track, begin, end, 80) || stretch(data, begin, end);
}

// The text before and after a boundary, or where it is.
function aroundBoundary(data, row) {
  const [at] = row.extent, [low, high] = row.scene.bounds;
  const text = (begin, end) => textOf(row.scene, 0, Math.max(begin, low), Math.min(end, high), AROUND);
  if (!row.scene.texts.length) return `at ${placed(data, at)}`;
  return `…${text(at - AROUND, at).trimStart()} | ${text(at, at + AROUND).trimEnd()}…`;
}

function listen(state) {
  const form = byId("filters");
  const again = () => { state.choice = readFields(state.choice); filter(state); };
  const told = () => history.pushState(null, "", hashOf(null, state.choice)); // so that Back undoes it
  form.addEventListener("input", again);
  form.addEventListener("change", told);
  form.addEventListener("submit", (event) => event.preventDefault());
  byId("filter-all").addEventListener("change", () => { again(); told(); });
  form.querySelector("[type=reset]").addEventListener("click", (event) => {
    event.preventDefault(); // the fields follow from the conditions
    choosePlaces(state, {});
    told();
  });
  byId("previous").addEventListener("click", () => choose(state, state.at - 1));
  byId("next").addEventListener("click", () => choose(state, state.at + 1));
  let waiting = false;
  byId("list").addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; renderList(state); });
  });
  addEventListener("keydown", (event) => onKey(state, event));
  addEventListener("hashchange", () => goToHash(state));
  addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#in/"], a[href^="#at/"], a[href^="#places"]');
    if (link?.getAttribute("href") === location.hash) goToHash(state); // following a link again does not change the address
  });
  let timer = 0;
  addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { renderList(state); if (state.row) look(state); }, 120);
  });
}

function choosePlaces(state, choice) {
  state.choice = choice;
  showChoice(choice);
  filter(state);
}

function onKey(state, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
  const list = byId("list");
  if (state.data.sort === "items" && event.target === list && goAlong(state, event)) return;
  const page = Math.max(Math.floor(list.clientHeight / rowHeight(state)) - 1, 1);
  const last = state.shown.length - 1;
  const everywhere = { j: state.at + 1, k: state.at - 1 };
  const inList = { ArrowDown: state.at + 1, ArrowUp: state.at - 1, PageDown: state.at + page, PageUp: state.at - page, Home: 0, End: last };
  const target = everywhere[event.key] ?? (event.target === list ? inList[event.key] : undefined);
  if (target === undefined) return;
  event.preventDefault();
  choose(state, Math.min(Math.max(target, 0), last));
  if (event.key in everywhere) bringIntoView(byId("looked-at"));
}

function isTyping(target) {
  return /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== "checkbox" || target.isContentEditable;
}

// Scroll only if the picture is not in view.
function bringIntoView(box) {
  const { top, bottom } = box.getBoundingClientRect();
  if (bottom < 120 || top > innerHeight - 120) box.scrollIntoView({ block: "nearest" });
}

function choose(state, index, { hash = true } = {}) {
  if (index < 0 || index >= state.shown.length) return;
  state.at = index;
  state.row = state.shown[index];
  const list = byId("list");
  const height = rowHeight(state), top = index * height, visible = list.clientHeight - headHeight(state);
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + height > list.scrollTop + visible) list.scrollTop = top + height - visible;
  renderList(state);
  look(state);
  if (hash) tellAddress(state);
}

// Browsers limit how often the address may change, and a key that is held down would change it more often.
function tellAddress(state) {
  clearTimeout(state.address);
  state.address = setTimeout(() => history.replaceState(null, "", hashOf(state.row, state.choice)), 150);
}

// Look at a place; one that the filters hide is not in the list, and the filters stay.
function chooseRow(state, row) {
  const index = state.shown.indexOf(row);
  if (index >= 0) return choose(state, index);
  state.row = row;
  renderList(state);
  look(state);
  tellAddress(state);
}

function goToHash(state) {
  const { what, name, number, choice } = readAddress(location.hash);
  clearTimeout(state.address);
  if (!location.hash) return choosePlaces(state, {});
  if (what !== "places" && !(name && (what === "at" || what === "in"))) return;
  const scene = state.data.documents.find((one) => one.name === name);
  const row = scene?.rows.find((one) => one.number === Number(number));
  if (what === "places" || scene) choosePlaces(state, choice);
  else choosePlaces(state, {});
  const lost = what === "at" && scene ? `Place ${number} of ${name}` : `Document ${name}`;
  if (what === "at" && row) chooseRow(state, row);
  else if (what === "in" && scene && state.shown.length) choose(state, 0, { hash: false });
  else if (what === "places" && location.hash.includes("?")) choose(state, 0, { hash: false });
  else if (what !== "places" && !(what === "in" && scene)) {
    lookAtNothing(state, `${lost} is not on this page`);
    byId("found").textContent = `${lost} is not on this page. ${byId("found").textContent}`;
  }
  byId("places").scrollIntoView();
}

// A disabled button would lose the keyboard focus.
function step(state) {
  byId("previous").setAttribute("aria-disabled", state.at <= 0);
  byId("next").setAttribute("aria-disabled", state.at >= state.shown.length - 1);
}

function lookAtNothing(state, said) {
  state.at = -1;
  state.row = null;
  byId("place-title").textContent = said;
  byId("place-link").hidden = true;
  byId("place-said").textContent = "";
  byId("stage").replaceChildren();
  drawOverview(state);
  byId("place-units").replaceChildren();
  if (state.data.sort === "items") showText(null);
  renderList(state);
  step(state);
}

function look(state) {
  const { data, row } = state;
  step(state);
  byId("place-title").textContent = row.name ? [...(manyDocuments(data) ? [row.scene.name] : []), row.name].join(": ") : nameOf(row);
  byId("place-link").href = hashOf(row);
  const desk = byId("place-desk");
  if (desk) desk.href = `${desk.dataset.desk}#at/${encodeURIComponent(row.scene.name)}/${row.number}`;
  byId("place-link").hidden = false;
  byId("place-said").textContent = saidOf(state, row);
  if (state.view) state.view = viewFor(state, row);
  state.seen = row.scene;
  drawPicture(state);
  if (data.sort === "items") showText(row);
  byId("place-units").replaceChildren(unitsTable(data, row));
}

function drawPicture(state) {
  const { data, row } = state, stage = byId("stage");
  if (data.sort === "units" || data.sort === "boundaries") state.drawn = drawStage(stage, data, row, (other) => chooseRow(state, other), state.view);
  else if (data.sort === "texts") stage.replaceChildren(neighbourhood(state));
  else stage.replaceChildren();
  drawOverview(state);
}

// The part of a document that somebody chose stays as long as it is; another place is moved into it.
function viewFor(state, row) {
  const [from, to] = state.view, [begin, end] = row.extent, [low, high] = row.scene.bounds;
  if (row.scene !== state.seen) return null;
  if (begin >= from && end <= to) return state.view;
  const length = to - from, middle = (begin + end) / 2;
  const first = Math.min(Math.max(middle - length / 2, low), Math.max(high - length, low));
  return end - begin > length ? null : [first, first + length];
}

function saidOf(state, row) {
  const { data } = state;
  const hidden = state.shown.includes(row) ? "" : " (not in the list: the filters leave it out)";
  if (alone(data, row)) return `${alone(data, row)}: nothing to compare`.replace(/^./, (first) => first.toUpperCase()) + hidden;
  const parts = data.kinds.map((kind, k) => [row.parts[k], kind]).filter(([part]) => part > 0).sort((a, b) => b[0] - a[0]);
  const size = `${isPlaced(data) && data.sort !== "boundaries" ? "Disorder" : "Disagreement"} ${row.size.toFixed(2)}`;
  if (!isPlaced(data)) return (differs(data)(row) ? size : `${size}: all labels are the same`) + hidden;
  return (parts.length ? `${size}: ${parts.map(([part, kind]) => `${kind} ${part.toFixed(2)}`).join(", ")}` : `${size}, all agree`) + hidden;
}

startPlaces();
