// Items and their labels as a heat map, a row per item, and the labels that two annotators confuse.
//
// Only the rows and columns in view are elements of the page.

const ITEM_ROW = 46, LOW_ROW = 32, HEAD_ROW = 34, NARROWEST = 64, COMMON = 112, WIDEST = 190, SPARE_COLUMNS = 2, MOST_CONFUSED = 20, DARK_FROM = 6;

function startItems(state) {
  const list = byId("list"), { annotators } = state.data;
  state.longest = Math.max(...[...annotators, ...state.data.labels[0]].map((name) => name.length));
  state.itemRow = state.rows.some((row) => row.text) ? ITEM_ROW : LOW_ROW;
  const longest = state.rows.reduce((most, row) => Math.max(most, (row.name || nameOf(row)).length), 0);
  state.names = state.itemRow === ITEM_ROW || manyDocuments(state.data) ? Infinity : longest * 9.2 + 80;
  list.setAttribute("aria-colcount", annotators.length + 1);
  byId("list-head").addEventListener("click", (event) => {
    const head = event.target.closest("[data-who]");
    if (!head) return;
    byId("order").value = head.dataset.who === "-1" ? "worst" : `label ${head.dataset.who}`;
    byId("order").dispatchEvent(new Event("input", { bubbles: true }));
    byId("order").dispatchEvent(new Event("change", { bubbles: true }));
  });
  new ResizeObserver(() => renderList(state)).observe(list);
  startConfusion(state);
}

function headHeight(state) {
  return state.data.sort === "items" ? HEAD_ROW : 0;
}

// Where the columns are: the width of the items' names, and that of each annotator's column.
function columnsOf(state) {
  const list = byId("list"), n = state.data.annotators.length;
  const names = Math.max(Math.min(Math.round(list.clientWidth * 0.4), state.names, 340), 130);
  const least = Math.min(Math.max(state.longest * 8.2 + 14, NARROWEST), COMMON);
  const width = Math.min(Math.max(Math.floor((list.clientWidth - names) / n), least), WIDEST);
  const first = Math.max(Math.floor(list.scrollLeft / width) - SPARE_COLUMNS, 0);
  const last = Math.min(Math.ceil((list.scrollLeft + list.clientWidth - names) / width) + SPARE_COLUMNS, n);
  return { names: Math.max(names, list.clientWidth - n * width), width, first, last, whole: Math.max(names + n * width, list.clientWidth) };
}

function renderItems(state, first, last) {
  const list = byId("list"), columns = columnsOf(state);
  list.setAttribute("aria-rowcount", state.shown.length + 1);
  byId("list-all").style.width = byId("list-head").style.width = `${columns.whole}px`;
  byId("list-head").replaceChildren(headOfItems(state, columns));
  const rows = [];
  for (let index = first; index < last; index++) rows.push(itemRow(state, columns, index));
  byId("list-all").replaceChildren(...rows);
  const active = document.getElementById(state.column < 0 ? `place-${state.at}` : `cell-${state.at}-${state.column}`);
  if (active) list.setAttribute("aria-activedescendant", active.id);
  else list.removeAttribute("aria-activedescendant");
}

function headOfItems(state, columns) {
  const head = element("div", { role: "row", class: "item-row", "aria-rowindex": 1 });
  const [how, who] = byId("order").value.split(" ");
  const add = (index, name, place) => {
    const cell = element("div", { role: "columnheader", "aria-colindex": index + 2, "aria-label": name, "data-who": index, title: name, class: index < 0 ? "item-name" : "item-head" });
    cell.append(element("bdi", {}, fitting(name, columns.width)));
    Object.assign(cell.style, place);
    if (how === "label" && Number(who) === index) cell.setAttribute("aria-sort", "ascending");
    head.append(cell);
  };
  add(-1, "item", { width: `${columns.names}px` });
  for (let k = columns.first; k < columns.last; k++) add(k, state.data.annotators[k], placeOf(columns, k));
  return head;
}

function fitting(text, width) {
  return abridged(text, Math.max(Math.floor((width - 14) / 8.2), 3));
}

function placeOf(columns, k) {
  return { left: `${columns.names + k * columns.width}px`, width: `${columns.width}px` };
}

function itemRow(state, columns, index) {
  const row = state.shown[index];
  const box = element("div", { id: `place-${index}`, role: "row", class: `item-row option${state.itemRow === LOW_ROW ? " low" : ""}`, "aria-rowindex": index + 2, "aria-selected": index === state.at });
  Object.assign(box.style, { top: `${index * state.itemRow}px`, height: `${state.itemRow}px` });
  const name = element("div", { role: "rowheader", "aria-colindex": 1, class: "item-name" });
  name.style.width = `${columns.names}px`;
  name.append(element("span", { class: `size d${level(row.size)}` }, alone(state.data, row) ? "–" : row.size.toFixed(2)));
  const several = manyDocuments(state.data) && row.name ? `${row.scene.name}: ` : "";
  name.append(element("bdi", { class: "excerpt" }, several + (row.name || nameOf(row)) + (row.times > 1 ? ` (${row.times} times)` : "")));
  if (row.text) name.append(element("bdi", { class: "about" }, row.text.slice(0, 160)));
  box.append(name);
  for (let k = columns.first; k < columns.last; k++) {
    const cell = itemCell(state.data, row.cells[k], columns.width);
    cell.id = `cell-${index}-${k}`;
    cell.setAttribute("aria-colindex", k + 2);
    if (index === state.at && k === state.column) cell.classList.add("now");
    Object.assign(cell.style, placeOf(columns, k));
    box.append(cell);
  }
  box.addEventListener("click", (event) => {
    const cell = event.target.closest("[role=gridcell]");
    state.column = cell ? cell.getAttribute("aria-colindex") - 2 : -1;
    choose(state, index);
  });
  return box;
}

function itemCell(data, given, width) {
  const cell = element("div", { role: "gridcell", class: "item-cell" });
  if (!given) {
    cell.classList.add("missing");
    cell.setAttribute("aria-label", "no label");
    return cell;
  }
  const label = data.labels[0][given[2]];
  cell.title = label;
  cell.setAttribute("aria-label", label);
  cell.append(element("bdi", {}, fitting(label, width)));
  painted(cell, data.paints[given[2]]);
  return cell;
}

// Colour an element like a label: a shade of a scale, a colour (with a stripe if there are more labels than colours), or
// one stripe for each member of a set.
function painted(box, paint) {
  const colour = (code) => `var(--c${code % COLOURS})`;
  if (typeof paint === "string") {
    box.style.background = `var(--${paint})`;
    if (Number(paint.slice(1)) >= DARK_FROM) box.classList.add("dark");
  } else if (Array.isArray(paint)) {
    const stop = (k) => `${((100 * k) / paint.length).toFixed(1)}%`;
    const stripes = paint.map((code, k) => `${colour(code)} ${stop(k)} ${stop(k + 1)}`);
    box.style.background = paint.length > 1 ? `linear-gradient(90deg, ${stripes.join(", ")})` : paint.length ? colour(paint[0]) : "var(--none)";
  } else {
    box.style.background = colour(paint);
    if (paint >= COLOURS) box.style.boxShadow = `inset 0 -5px ${colour(paint + Math.floor(paint / COLOURS))}`;
  }
}

function cellSwatch(data, code) {
  const dot = element("span", { class: "dot", "aria-hidden": "true" });
  painted(dot, data.paints[code] ?? code);
  return dot;
}

// Go from annotator to annotator with the arrow keys; true if the key was one of these.
function goAlong(state, event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || state.at < 0) return false;
  event.preventDefault();
  state.column = Math.min(Math.max(state.column + step, -1), state.data.annotators.length - 1);
  const list = byId("list"), { names, width } = columnsOf(state);
  const left = state.column * width, visible = list.clientWidth - names;
  if (state.column < 0 || left < list.scrollLeft) list.scrollLeft = Math.max(left, 0);
  else if (left + width > list.scrollLeft + visible) list.scrollLeft = left + width - visible;
  renderList(state);
  return true;
}

function showText(row) {
  const box = byId("item-text");
  box.hidden = !row?.text;
  box.textContent = row?.text ?? "";
  box.scrollTop = 0;
}

function startConfusion(state) {
  const { annotators } = state.data;
  const form = byId("pair");
  if (!form) return;
  for (const id of ["pair-rows", "pair-columns"]) {
    annotators.forEach((name, index) => byId(id).append(element("option", { value: index }, name)));
  }
  if (annotators.length === 2) {
    byId("pair-rows").value = 0;
    byId("pair-columns").value = 1;
  } else form.hidden = false;
  byId("pair-note").hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => showConfusion(state));
  showConfusion(state);
}

function showConfusion(state) {
  const { data } = state;
  const [a, b] = ["pair-rows", "pair-columns"].map((id) => (byId(id).value === "" ? null : Number(byId(id).value)));
  const counts = countedPairs(state, a, b);
  const names = [a, b].map((who) => (who === null ? "every annotator" : data.annotators[who]));
  const groups = labelGroups(data, counts);
  const table = element("table", { class: groups.length > 7 ? "matrix wide" : "matrix" });
  table.append(element("caption", {}, a === null && b === null ? "Labels of the same item" : `Labels of the same item: ${names[0]} and ${b === null && a !== null ? "every other annotator" : names[1]}`));
  const head = table.createTHead().insertRow();
  head.append(element("th", { scope: "col" }, a === null && b === null ? "label" : `${names[0]} ↓ ${names[1]} →`));
  for (const group of groups) head.append(withName(element("th", { scope: "col", class: "number" }), group.name));
  const body = table.createTBody();
  for (const row of groups) {
    const line = body.insertRow();
    line.append(withName(element("th", { scope: "row" }), row.name));
    const numbers = groups.map((column) => sumOf(counts, row, column));
    const all = numbers.reduce((sum, n) => sum + n, 0);
    numbers.forEach((n, k) => {
      const cell = line.insertCell();
      cell.className = "number";
      if (!n) return cell.append("·");
      cell.classList.add(groups[k] === row ? "same" : "other", `shade-${Math.round((9 * n) / all)}`);
      const pair = a === null && b === null ? {} : { pair: [a, b].map((who) => (who === null ? "" : data.annotators[who])) };
      const choice = { row: row.names, column: groups[k].names, ...pair, ...(row === groups[k] ? { all: ["1"] } : {}) };
      cell.append(element("a", { href: hashOf(null, choice), title: `${row.name}, ${groups[k].name}` }, n.toLocaleString("en")));
    });
  }
  const scroll = element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Confusion" });
  scroll.append(table);
  const kept = a === null && b === null ? [element("p", { class: "note" }, "Every pair of annotators counts; the table is symmetric.")] : [];
  const nothing = groups.length ? [] : [element("p", {}, "These annotators have no item in common.")];
  byId("confused").replaceChildren(...(groups.length ? [scroll, ...kept] : nothing));
}

function withName(cell, name) {
  const text = element("bdi", {}, name.length > 60 ? `${name.slice(0, 59)}…` : name);
  if (name.length > 60) text.title = name;
  cell.append(text);
  return cell;
}

// How often the labels of two annotators meet, by the numbers of both labels; null stands for every annotator. If both
// are null, a pair of annotators counts once where both labels are the same, otherwise both ways.
function countedPairs(state, a, b) {
  const n = state.data.labels[0].length, counts = new Map();
  const add = (one, other, times) => counts.set(one * n + other, (counts.get(one * n + other) ?? 0) + times);
  for (const row of state.rows) {
    const every = tally(row.cells);
    if (a === null && b === null) {
      for (const [one, x] of every) {
        if (x > 1) add(one, one, (row.times * x * (x - 1)) / 2);
        for (const [other, y] of every) if (other !== one) add(one, other, row.times * x * y);
      }
      continue;
    }
    const alone = (who) => row.cells.filter((_, index) => index === who);
    const first = a === null ? tally(row.cells.filter((_, index) => index !== b)) : tally(alone(a));
    const second = b === null ? tally(row.cells.filter((_, index) => index !== a)) : tally(a === b ? [] : alone(b));
    for (const [one, x] of first) for (const [other, y] of second) add(one, other, row.times * x * y);
  }
  return { n, counts, symmetric: a === null && b === null };
}

function tally(cells) {
  const found = new Map();
  for (const cell of cells) if (cell) found.set(cell[2], (found.get(cell[2]) ?? 0) + 1);
  return found;
}

// The most frequent labels one by one, and the others together; of many numbers, those that have the same shade.
function labelGroups(data, { n, counts }) {
  const totals = new Array(n).fill(0);
  for (const [key, times] of counts) {
    totals[Math.floor(key / n)] += times;
    totals[key % n] += times;
  }
  const used = totals.map((_, code) => code).filter((code) => totals[code]);
  if (used.length > MOST_CONFUSED && used.every((code) => typeof data.paints[code] === "string")) return shadeGroups(data, used);
  const kept = new Set([...used].sort((x, y) => totals[y] - totals[x] || x - y).slice(0, MOST_CONFUSED));
  const rest = used.filter((code) => !kept.has(code));
  const named = (name, codes) => ({ name, codes, names: codes.map((code) => data.labels[0][code]) });
  const groups = used.filter((code) => kept.has(code)).map((code) => named(data.labels[0][code], [code]));
  return rest.length ? [...groups, named(`${rest.length.toLocaleString("en")} others`, rest)] : groups;
}

function shadeGroups(data, used) {
  const labels = data.labels[0];
  const groups = [...new Set(data.paints)].map((paint) => used.filter((code) => data.paints[code] === paint)).filter((codes) => codes.length);
  return groups.map((codes) => ({ name: codes.length > 1 ? `${labels[codes[0]]} – ${labels[codes.at(-1)]}` : labels[codes[0]], codes, names: codes.map((code) => labels[code]) }));
}

// How often labels of two groups meet; in a symmetric table, both ways are one if the groups are the same.
function sumOf({ n, counts, symmetric }, row, column) {
  let sum = 0;
  for (const x of row.codes) {
    for (const y of column.codes) if (!symmetric || row !== column || x <= y) sum += counts.get(x * n + y) ?? 0;
  }
  return sum;
}

function startLimits() {
  const plots = [...document.querySelectorAll(".limits")];
  const choice = document.getElementById("limits-pair");
  if (!choice) return;
  document.getElementById("limits").hidden = false;
  const show = () => plots.forEach((plot, index) => { plot.hidden = index !== Number(choice.value); });
  choice.addEventListener("input", show);
  document.getElementById("limits").addEventListener("submit", (event) => event.preventDefault());
  show();
}

startLimits();
