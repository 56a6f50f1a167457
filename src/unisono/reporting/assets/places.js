// The list of places: filters, the visible part of the list, and the selected place.
//
// The data as Python writes it: `documents`, each with `rows` of [number, size, parts, cells, name]. A cell is 0, or
// [begin, end, the number of a label for each feature]; -1 is no label. Rows of items are [number, size, the number of
// each annotator's label, name (0 if it is called by its number), text, how many items it stands for].

const ROW = 54, SPARE = 6, MOST_CHOICES = 300, MOST_LISTED = 12;

function startPlaces() {
  const block = document.getElementById("places-data");
  if (!block) return;
  const data = JSON.parse(block.textContent);
  const state = { data, rows: unpacked(data), shown: [], at: -1, row: null, address: 0, column: -1, met: null };
  document.getElementById("viewer").hidden = false;
  fillFilters(data);
  listen(state);
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
  const ofPlace = ([number, size, parts, cells, name]) => ({ number, size, parts, cells, name: name ?? "" });
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
  return { items: "label", words: "form" }[data.sort] ?? "unit";
}

function isPlaced(data) {
  return data.sort === "units" || data.sort === "texts";
}

function fillFilters(data) {
  const add = (id, value, text) => {
    const option = document.createElement("option");
    option.value = value;
    option.textContent = text;
    byId(id).append(option);
  };
  data.documents.forEach((scene, index) => add("filter-document", index, scene.name));
  data.annotators.forEach((name, index) => {
    if (data.annotators.length > 2) add("filter-annotator", `alone ${index}`, `${name} disagrees with all others`);
    add("filter-annotator", `none ${index}`, `${name} has no ${thing(data)}`);
  });
  (data.labels[0] ?? []).slice(0, MOST_CHOICES).forEach((label, index) => add("filter-label", index, label));
  data.kinds.forEach((kind, index) => add("filter-kind", index, kind));
  for (const id of ["filter-document", "filter-label", "filter-kind"]) {
    byId(id).closest("label").hidden = byId(id).options.length < 3; // nothing to choose
  }
}

function filter(state) {
  const { data } = state;
  const value = (id) => byId(id).value;
  const scene = value("filter-document") === "" ? null : data.documents[value("filter-document")];
  const [how, who] = value("filter-annotator").split(" ");
  const label = value("filter-label"), kind = value("filter-kind");
  const least = Number(value("filter-size")) || 0;
  state.shown = state.rows.filter((row) => {
    if (scene && row.scene !== scene) return false;
    if (row.size < least - 1e-9) return false;
    if (kind !== "" && !(row.parts[kind] > 0)) return false;
    if (state.met && !meets(row, state.met)) return false;
    if (label !== "" && !row.cells.some((cell) => cell && cell[2] === Number(label))) return false;
    return !how || standsOut(row, how, Number(who));
  });
  sortRows(state, value("order"));
  if (data.sort === "items") sayMet(state);
  const [some, all] = [state.shown.length, state.rows.length].map((n) => n.toLocaleString("en"));
  byId("found").textContent = (some === all ? all : `${some} of ${all}`) + (data.sort === "items" ? " items" : " places");
  byId("list-all").style.height = `${state.shown.length * rowHeight(state)}px`;
  state.at = state.shown.indexOf(state.row);
  byId("list").scrollTop = state.at < 0 ? 0 : Math.max((state.at - 1) * rowHeight(state), 0);
  if (state.at < 0 && state.shown.length) choose(state, 0, { hash: false });
  else if (state.at < 0) lookAtNothing(state, `No ${data.sort === "items" ? "item" : "place"} matches the filters`);
  else {
    renderList(state);
    step(state);
  }
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

// Whether an annotator has no unit here, or one whose labels nobody else gave.
function standsOut(row, how, who) {
  const track = row.scene.who.indexOf(who);
  if (track < 0) return false;
  const own = row.cells[track];
  if (how === "none" || !own) return how === "none" && !own;
  const labels = String(own.slice(2));
  return row.cells.every((cell, other) => other === track || !cell || String(cell.slice(2)) !== labels);
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
  const excerpt = element("span", { class: "excerpt" }, excerptOf(state.data, row));
  const about = element("span", { class: "about" }, [nameOf(row), kindsOf(state.data, row), labelSet(state.data, row)].filter(Boolean).join(" · "));
  box.append(size, excerpt, about);
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

function kindsOf(data, row) {
  const kinds = data.kinds.map((kind, k) => [row.parts[k], kind]).filter(([part]) => part > 0);
  return alone(data, row) || kinds.sort((a, b) => b[0] - a[0]).map(([, kind]) => kind).join(", ") || "all agree";
}

// What to say if there are not two annotators to compare; empty if there are.
function alone(data, row) {
  const n = row.cells.filter(Boolean).length;
  return isPlaced(data) || n > 1 ? "" : `${n ? "only one" : "no"} ${thing(data)}`;
}

function labelSet(data, row) {
  if (!data.features.length) return "";
  return [...new Set(row.cells.filter(Boolean).map((cell) => labelsOf(data, cell)))].join(" / ");
}

function excerptOf(data, row) {
  if (row.name) return row.name;
  if (!isPlaced(data)) return nameOf(row);
  const track = row.cells.findIndex(Boolean);
  const [begin, end] = row.scene.texts.length > 1 ? row.cells[track] : row.extent;
  return textOf(row.scene, track, begin, end, 80) || `${written(begin)}–${written(end)}`;
}

function listen(state) {
  const again = () => filter(state);
  byId("filters").addEventListener("input", again);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").querySelector("[type=reset]").addEventListener("click", () => setTimeout(() => { state.met = null; filter(state); }));
  byId("previous").addEventListener("click", () => choose(state, state.at - 1));
  byId("next").addEventListener("click", () => choose(state, state.at + 1));
  let waiting = false;
  byId("list").addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; renderList(state); });
  });
  byId("viewer").addEventListener("keydown", (event) => onKey(state, event));
  addEventListener("hashchange", () => goToHash(state));
  addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#in/"]');
    if (link?.hash === location.hash) goToHash(state); // following a link again does not change the address
  });
  let timer = 0;
  addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { renderList(state); if (state.row) look(state); }, 120);
  });
}

function onKey(state, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  if (state.data.sort === "items" && event.target.id === "list" && goAlong(state, event)) return;
  const page = Math.max(Math.floor(byId("list").clientHeight / rowHeight(state)) - 1, 1);
  const last = state.shown.length - 1;
  const everywhere = { j: state.at + 1, k: state.at - 1 };
  const inList = { ArrowDown: state.at + 1, ArrowUp: state.at - 1, PageDown: state.at + page, PageUp: state.at - page, Home: 0, End: last };
  const target = everywhere[event.key] ?? (event.target.id === "list" ? inList[event.key] : undefined);
  if (target === undefined) return;
  event.preventDefault();
  choose(state, Math.min(Math.max(target, 0), last));
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
  state.address = setTimeout(() => history.replaceState(null, "", hashOf(state.row)), 150);
}

// Show a place even if the filters hide it.
function chooseRow(state, row) {
  if (!state.shown.includes(row)) {
    resetFilters(state);
    filter(state);
  }
  choose(state, state.shown.indexOf(row));
}

function resetFilters(state) {
  byId("filters").reset();
  state.met = null;
}

function hashOf(row) {
  return `#at/${encodeURIComponent(row.scene.name)}/${row.number}`;
}

function goToHash(state) {
  const [what, name, number] = location.hash.slice(1).split("/").map(decoded);
  clearTimeout(state.address);
  if (!location.hash) {
    resetFilters(state);
    filter(state);
  }
  if (!name || (what !== "at" && what !== "in")) return;
  const index = state.data.documents.findIndex((scene) => scene.name === name);
  const scene = state.data.documents[index];
  const row = scene?.rows.find((one) => one.number === Number(number));
  resetFilters(state);
  if (what === "in" && scene) byId("filter-document").value = index;
  filter(state);
  if (what === "at" && row) choose(state, state.shown.indexOf(row), { hash: false });
  else if (what === "in" && scene) choose(state, 0, { hash: false });
  else {
    const lost = what === "at" && scene ? `Place ${number} of ${name}` : `Document ${name}`;
    lookAtNothing(state, `${lost} is not on this page`);
    byId("found").textContent = `${lost} is not on this page. ${byId("found").textContent}`;
  }
  byId("places").scrollIntoView();
}

function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
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
  byId("place-link").hidden = false;
  byId("place-said").textContent = saidOf(data, row);
  const stage = byId("stage");
  if (data.sort === "units") drawStage(stage, data, row, (other) => chooseRow(state, other));
  else if (data.sort === "texts") stage.replaceChildren(neighbourhood(state));
  else stage.replaceChildren();
  if (data.sort === "items") showText(row);
  byId("place-units").replaceChildren(unitsTable(data, row));
}

function saidOf(data, row) {
  if (alone(data, row)) return `${alone(data, row)}: nothing to compare`.replace(/^./, (first) => first.toUpperCase());
  const parts = data.kinds.map((kind, k) => [row.parts[k], kind]).filter(([part]) => part > 0).sort((a, b) => b[0] - a[0]);
  const size = `${isPlaced(data) ? "Disorder" : "Disagreement"} ${row.size.toFixed(2)}`;
  if (!isPlaced(data)) return row.size > 0 ? size : `${size}: all labels are the same`;
  return parts.length ? `${size}: ${parts.map(([part, kind]) => `${kind} ${part.toFixed(2)}`).join(", ")}` : `${size}, all agree`;
}

// What each annotator has here.
function unitsTable(data, row) {
  const placed = isPlaced(data), withText = placed && row.scene.texts.length > 0;
  const heads = ["annotator", ...(data.features.length ? data.features : placed ? [] : ["label"]), ...(placed ? ["from", "to"] : []), ...(withText ? ["text"] : [])];
  const all = row.cells.map((_, track) => track), given = all.filter((track) => row.cells[track]);
  const folded = data.sort === "items" && all.length > MOST_LISTED && given.length < all.length - 1;
  const tracks = folded ? given : all;
  const lines = tracks.map((track) => {
    const cell = row.cells[track], who = row.scene.who[track];
    if (!cell) return [data.annotators[who], `no ${thing(data)}`];
    const labels = data.features.map((_, k) => (cell[2 + k] < 0 ? "–" : data.labels[k][cell[2 + k]]));
    const where = placed ? [written(cell[0]), written(cell[1])] : [];
    return [data.annotators[who], ...labels, ...where, ...(withText ? [textOf(row.scene, track, cell[0], cell[1], 240)] : [])];
  });
  if (folded) lines.push([`${all.length - given.length} others`, "no label"]);
  const made = tableOf(data.sort === "items" ? "Labels of this item" : "What each annotator has here", heads, lines);
  made.querySelectorAll("tbody tr").forEach((line, index) => {
    const code = row.cells[tracks[index]]?.[2];
    if (code >= 0) line.cells[1].prepend(data.sort === "items" ? cellSwatch(data, code) : swatch(code));
  });
  return made;
}

function swatch(code) {
  const svg = svgElement("svg", { class: "dot", viewBox: "0 0 10 10", "aria-hidden": "true" });
  svg.append(svgElement("rect", { class: `c${code % COLOURS}`, width: 10, height: 10, rx: 3 }));
  return svg;
}

// Texts that differ have no common line to draw on: the neighbouring places as rows of a table.
function neighbourhood(state) {
  const { data, row } = state;
  const all = row.scene.rows, at = all.indexOf(row);
  const some = all.slice(Math.max(at - 4, 0), at + 5);
  const show = (other, cell, track) => {
    if (!cell) return "–";
    const text = textOf(other.scene, track, cell[0], cell[1], 120) ?? `${written(cell[0])}–${written(cell[1])}`;
    const labels = data.features.length ? labelsOf(data, cell) : "";
    return labels && labels !== "no label" ? `${text} (${labels})` : text;
  };
  const lines = some.map((other) => [String(other.number), ...other.cells.map((cell, track) => show(other, cell, track))]);
  const made = tableOf("Neighbouring places", ["no.", ...row.scene.who.map((who) => data.annotators[who])], lines);
  made.tBodies[0].rows[some.indexOf(row)].classList.add("now");
  return made;
}

function tableOf(caption, heads, lines) {
  const table = element("table", { class: "plain" });
  table.append(element("caption", {}, caption));
  const head = table.createTHead().insertRow();
  for (const name of heads) head.append(element("th", { scope: "col" }, name));
  const body = table.createTBody();
  for (const [name, ...cells] of lines) {
    const line = body.insertRow();
    line.append(element("th", { scope: "row" }, name));
    cells.forEach((text, k) => {
      const cell = element("td", {}, text);
      if (cells.length === 1 && heads.length > 2) cell.colSpan = heads.length - 1;
      else if (["from", "to"].includes(heads[k + 1])) cell.className = "number";
      line.append(cell);
    });
  }
  return table;
}

startPlaces();
