// The list of places: filters, order, and only the rows that can be seen.
//
// A row is [document, start, end, size, rank in the queue or -1, status, what differs, excerpt, reasons].

import { element, stretch } from "./common.js";

export const OPEN = 0, DECIDED = 1, SKIPPED = 2, DISPUTED = 3;
const [DOCUMENT, START, END, SIZE, RANK, STATUS, DIFFERS, EXCERPT, KINDS] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const ROW = 58, SPARE = 6;
const byId = (id) => document.getElementById(id);
const SAYS = ["", "decided", "skipped", "decided differently"], SIGNS = ["", "✓", "↷", "≠"];

export class Queue {
  constructor(data, chosen) {
    this.data = data;
    this.chosen = chosen;
    this.rows = data.rows;
    this.number = -1;
    this.firstOf = []; // the number of the first place of each document
    this.rows.forEach((row, number) => { this.firstOf[row[DOCUMENT]] ??= number; });
    this.visible = [];
    this.fill();
    this.listen();
    this.filter();
  }

  fill() {
    const add = (id, values) => values.forEach(([value, text]) => byId(id).append(element("option", { value }, text)));
    add("of-document", this.data.documents.map((name, index) => [index, name]));
    add("of-kind", this.data.kinds.map((kind) => [kind, kind]));
    byId("of-document").closest("label").hidden = this.data.documents.length < 2;
    byId("of-kind").closest("label").hidden = this.data.kinds.length < 2;
  }

  listen() {
    byId("filters").addEventListener("input", () => this.filter());
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    let waiting = false;
    byId("list").addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; this.render(); });
    });
    byId("list").addEventListener("keydown", (event) => {
      const page = Math.max(Math.floor(byId("list").clientHeight / ROW) - 1, 1), at = this.visible.indexOf(this.number);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.visible.length - 1 }[event.key];
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const number = this.visible[Math.min(Math.max(to, 0), this.visible.length - 1)];
      if (number !== undefined) this.chosen(number);
    });
  }

  // Say again what differs, with or without the names of annotators.
  reword(rows) {
    rows.forEach((row, number) => { this.rows[number][DIFFERS] = row[DIFFERS]; });
    this.render();
  }

  filter() {
    const show = byId("show").value, document_ = byId("of-document").value, kind = byId("of-kind").value;
    const fits = {
      queue: (row) => row[RANK] >= 0,
      open: (row) => row[RANK] >= 0 && isLeft(row),
      disputed: (row) => row[STATUS] === DISPUTED,
      skipped: (row) => row[STATUS] === SKIPPED,
      decided: (row) => row[STATUS] === DECIDED,
      all: () => true,
    }[show];
    const found = [];
    this.rows.forEach((row, number) => {
      if (!fits(row) || (document_ !== "" && row[DOCUMENT] !== Number(document_)) || (kind && !row[KINDS].includes(kind))) return;
      found.push(number);
    });
    const order = byId("order").value;
    if (order === "random") found.sort((a, b) => shuffled(a) - shuffled(b));
    else if (order === "worst") found.sort((a, b) => this.weight(a) - this.weight(b) || this.rows[b][SIZE] - this.rows[a][SIZE] || a - b);
    this.visible = found;
    this.places = new Map(found.map((number, index) => [number, index]));
    byId("list-all").style.height = `${found.length * ROW}px`;
    this.reveal();
    this.render();
  }

  // The queue has an order of its own; places that nobody has to decide on come after it.
  weight(number) {
    const rank = this.rows[number][RANK];
    return rank < 0 ? Infinity : rank;
  }

  choose(number) {
    if (!this.places.has(number)) {
      byId("filters").reset();
      if (this.rows[number][RANK] < 0) byId("show").value = "all";
      this.number = number;
      this.filter();
      return;
    }
    this.number = number;
    this.reveal();
    this.render();
  }

  mark(number, status) {
    this.rows[number][STATUS] = status;
    this.render();
  }

  reveal() {
    const at = this.places.get(this.number), list = byId("list");
    if (at === undefined) return;
    const top = at * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  }

  render() {
    const list = byId("list");
    const first = Math.max(Math.floor(list.scrollTop / ROW) - SPARE, 0);
    const last = Math.min(Math.ceil((list.scrollTop + list.clientHeight) / ROW) + SPARE, this.visible.length);
    const made = [];
    for (let index = first; index < last; index++) made.push(this.option(index));
    byId("list-all").replaceChildren(...made);
    const at = this.places.get(this.number);
    if (at >= first && at < last) list.setAttribute("aria-activedescendant", `row-${this.number}`);
    else list.removeAttribute("aria-activedescendant");
  }

  option(index) {
    const number = this.visible[index], row = this.rows[number], status = row[STATUS];
    const box = element("div", { id: `row-${number}`, role: "option", class: `option status-${status}`, "aria-selected": String(number === this.number) });
    box.setAttribute("aria-posinset", index + 1);
    box.setAttribute("aria-setsize", this.visible.length);
    box.style.top = `${index * ROW}px`;
    const many = this.data.documents.length > 1;
    const where = [row[EXCERPT] || stretch(row[START], row[END], this.data.whole), many ? this.data.documents[row[DOCUMENT]] : ""].filter(Boolean).join(" · ");
    box.append(
      element("span", { class: "differs" }, element("bdi", {}, row[DIFFERS])),
      element("span", { class: "where" }, element("bdi", {}, where)),
      element("span", { class: "sign", role: "img", "aria-label": SAYS[status] || "open" }, SIGNS[status]),
    );
    box.addEventListener("click", () => this.chosen(number));
    return box;
  }

  step(number, by) {
    const at = this.places.get(number) ?? -1;
    return this.visible[at + by];
  }

  firstOpen() {
    return this.visible.find((number) => isLeft(this.rows[number]));
  }

  nextOpen(number) {
    const at = this.places.get(number) ?? -1;
    const isOpen = (one) => one !== number && isLeft(this.rows[one]);
    for (let index = at + 1; index < this.visible.length; index++) if (isOpen(this.visible[index])) return this.visible[index];
    return this.visible.find(isOpen);
  }

  hashOf(number) {
    const document_ = this.rows[number][DOCUMENT];
    return `#at/${encodeURIComponent(this.data.documents[document_])}/${number - this.firstOf[document_] + 1}`;
  }

  fromHash(hash) {
    const [what, name, order] = hash.slice(1).split("?")[0].split("/").map(decoded);
    if (what !== "at") return undefined;
    const document_ = this.data.documents.indexOf(name), number = this.firstOf[document_] + Number(order) - 1;
    return this.rows[number]?.[DOCUMENT] === document_ ? number : undefined;
  }
}

function isLeft(row) {
  return row[STATUS] === OPEN || row[STATUS] === DISPUTED;
}

function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

// An order that looks random, and is the same the next time.
function shuffled(number) {
  let hash = (number + 1) * 2654435761;
  hash ^= hash >>> 15;
  return Math.imul(hash, 2246822519) >>> 0;
}
