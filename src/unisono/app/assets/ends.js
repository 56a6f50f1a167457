// Units with several ends: relations, events and units in pieces. Such a unit has `ends`, each [role, start, end].

import { element, stretch } from "./common.js";
import { ARC, drawArc, svgElement } from "./arc.js";

export const PIECE = "piece";
export const HEADROOM = ARC + 2;
const MOST_TEXT = 40, LETTER = 7;

export function isJoined(unit) {
  return Boolean(unit?.ends);
}

// A unit as decisions have it: with anchors in place of start and end if there are several.
export function entryOf(unit) {
  const where = isJoined(unit) ? { anchors: unit.ends.map(([role, start, end]) => ({ role, start, end })) } : { start: unit.start, end: unit.end };
  return { ...where, features: given(unit.features) };
}

export function given(features) {
  return Object.fromEntries(Object.entries(features).filter(([, value]) => value !== null && value !== undefined));
}

// Where a unit of the data is in the text.
export function charactersOf(place, start, end) {
  if (!place.tokens) return [start, end];
  const [first, all] = place.tokens;
  const at = (k) => all[Math.min(Math.max(k, 0), all.length - 1)];
  const begin = at(start - first)[0];
  return start < end ? [begin, at(end - 1 - first)[1]] : [begin, begin];
}

// The text of a stretch; its positions where the page does not have the text.
export function textOf(place, start, end) {
  const [first, last] = place.pieces ? charactersOf(place, start, end) : [0, 0];
  const piece = place.pieces?.find(([begin, text]) => begin <= first && last <= begin + Array.from(text).length);
  if (!piece || first === last) return stretch(start, end, place.whole);
  const found = Array.from(piece[1]).slice(first - piece[0], last - piece[0]).join("").replace(/\s+/g, " ");
  return found.length > MOST_TEXT ? `${Array.from(found).slice(0, MOST_TEXT).join("")}…` : found;
}

// The text of a unit: that of its source → that of its target, of its pieces, or of an event: sold (seller company).
export function quoted(place, unit) {
  const isOne = new Set(unit.ends.map(([role]) => role)).size < 2;
  const ends = isOne ? [...unit.ends].sort((a, b) => a[1] - b[1]) : unit.ends;
  const texts = ends.map(([, start, end]) => textOf(place, start, end));
  if (isOne || ends.every(([role]) => role === "source" || role === "target")) return texts.join(isOne ? " … " : " → ");
  const head = texts.filter((_, k) => ends[k][0] === "trigger"), others = texts.map((text, k) => `${ends[k][0]} ${text}`).filter((_, k) => ends[k][0] !== "trigger");
  return head.length ? `${head.join(" … ")} (${others.join(", ")})` : others.join(", ");
}

// The name of a role on the bar of an end, if there is room for it.
export function sayRole(bars, role) {
  const bar = bars.find((one) => one.offsetWidth >= role.length * LETTER + 8);
  if (bar && role !== PIECE) bar.prepend(element("bdi", {}, role));
  for (const one of bars) one.title = `${role} ${one.title.trim()}`;
}

// The arc over the ends of a unit, and its label; `stops` say where each end is, and `y` where their bars begin.
export function arc(box, stops, y, label) {
  const drawing = svgElement("svg", { class: "arc", "aria-hidden": "true", width: box.clientWidth, height: ARC + 20 });
  drawing.style.top = `${y - ARC}px`;
  const group = svgElement("g", {}), ends = stops.map((stop) => ({ ...stop, middle: (stop.x0 + stop.x1) / 2 }));
  drawArc(group, { ends, y: ARC }, label);
  const last = ends.reduce((best, one) => (one.inside && one.x1 > (best?.x1 ?? -1) ? one : best), null);
  if (!group.querySelector("text") && last) group.append(svgElement("text", { class: "said", x: last.x1 + 7, y: ARC + 13 }, label)); // no room in the arc
  drawing.append(group);
  box.append(drawing);
}

// Buttons that choose which end is moved, and add or remove ends where their number is not fixed.
export class EndsPicker {
  constructor(unit, place, roles, changed) {
    Object.assign(this, { unit, place, changed, chosen: 0 });
    this.isFixed = roles.every((role) => role === "source" || role === "target");
    this.buttons = element("span", { class: "ends-of-unit" });
    this.box = element("div", { class: "picker", role: "group", "aria-label": "ends" }, element("span", { class: "picker-name" }, "move"), this.buttons);
    if (!this.isFixed) this.box.append(...this.adding(roles));
  }

  adding(roles) {
    this.role = element("select", { "aria-label": "role of the new end" }, ...roles.map((role) => element("option", { value: role }, role)));
    if (roles.length === 1) this.role.hidden = true;
    const add = element("button", { type: "button", class: "button" }, roles.length === 1 ? `Add a ${roles[0]} ` : "Add ", element("kbd", {}, "+"));
    this.remove = element("button", { type: "button", class: "button" }, "Remove ", element("kbd", {}, "Del"));
    add.addEventListener("click", () => this.add());
    this.remove.addEventListener("click", () => this.drop());
    return [this.role, add, this.remove];
  }

  get end() {
    return this.unit.ends[this.chosen];
  }

  choose(index) {
    if (index < this.unit.ends.length) this.chosen = index;
    this.changed();
  }

  put(start, end) {
    this.end.splice(1, 2, Math.min(start, end), Math.max(start, end));
    this.span();
    this.changed();
  }

  // Take the next stretch, or the one before, at which somebody has an end.
  step(by) {
    const all = this.place.stretches ?? [], [, start, end] = this.end;
    const after = ([a, b]) => a - start || b - end;
    const found = by > 0 ? all.find((one) => after(one) > 0) : all.findLast((one) => after(one) < 0);
    if (found) this.put(...found);
  }

  add() {
    if (this.isFixed) return;
    const isFree = ([start, end]) => !this.unit.ends.some((one) => one[1] < end && one[2] > start);
    const all = this.place.stretches ?? [];
    const [start, end] = all.find((one) => one[0] >= this.unit.end && isFree(one)) ?? all.find(isFree) ?? [this.unit.start, this.unit.end];
    this.chosen = this.unit.ends.push([this.role.value, start, end]) - 1;
    this.span();
    this.changed();
  }

  drop() {
    if (this.isFixed || this.unit.ends.length < 2) return;
    this.unit.ends.splice(this.chosen, 1);
    this.chosen = Math.min(this.chosen, this.unit.ends.length - 1);
    this.span();
    this.changed();
  }

  span() {
    this.unit.start = Math.min(...this.unit.ends.map((one) => one[1]));
    this.unit.end = Math.max(...this.unit.ends.map((one) => one[2]));
  }

  show() {
    this.buttons.replaceChildren(...this.unit.ends.map(([role, start, end], index) => {
      const button = element("button", { type: "button", class: "label-choice", "aria-pressed": String(index === this.chosen) },
        index < 9 ? element("kbd", {}, String(index + 1)) : null, element("span", {}, role), element("bdi", {}, textOf(this.place, start, end)));
      button.addEventListener("click", () => this.choose(index));
      return button;
    }));
    if (this.remove) this.remove.disabled = this.unit.ends.length < 2;
  }

  onKey(event) {
    if (/^[1-9]$/.test(event.key)) return this.choose(Number(event.key) - 1) ?? true;
    if (event.key === "ArrowUp" || event.key === "ArrowDown") return this.step(event.key === "ArrowDown" ? 1 : -1) ?? true;
    if (event.key === "+") return this.add() ?? true;
    if (event.key === "Delete") return this.drop() ?? true;
    return false;
  }
}
