// The text around a place, or a timeline, with a track for the gold standard and one for each annotator.
//
// The browser breaks the text into lines, whatever its script; each line is then a block of its own, so that only lines
// that a unit of the place touches have tracks. Positions are those of the data; the text counts code points.

import { element } from "./common.js";
import { arc, charactersOf, HEADROOM, isJoined, sayRole } from "./ends.js";
import { Timeline } from "./timeline.js";

const TRACK = 21, MOST_TRACKS = 9, SMALLEST = 4;

export class Passage {
  constructor(box, place, labels, hidden) {
    Object.assign(this, { box, place, labels, hidden });
    this.unit = null;
    this.onSpan = this.onDrag = null;
    this.isRightToLeft = false;
    this.tracks = labels.sort === "items" ? [] : tracksOf(place);
    if (labels.sort === "items") drawItem(box, place);
    else if (!place.pieces) this.timeline = new Timeline(this);
    else this.listen();
    this.draw();
  }

  draw() {
    if (this.labels.sort === "items") return;
    if (this.timeline) return this.timeline.draw();
    this.lines = [];
    this.box.className = "passage";
    this.box.replaceChildren();
    this.place.pieces.forEach(([begin, text], index) => {
      if (index) this.box.append(element("p", { class: "gap", "aria-label": "some text is left out" }, "⋯"));
      this.addPiece(begin, text);
    });
    this.drawTracks();
  }

  addPiece(begin, text) {
    const characters = Array.from(text);
    const measured = element("p", { class: "words measured", dir: "auto" }, text);
    this.box.append(measured);
    this.isRightToLeft = getComputedStyle(measured).direction === "rtl";
    const breaks = lineBreaks(measured.firstChild, characters);
    measured.remove();
    breaks.forEach((from, k) => {
      const to = breaks[k + 1] ?? characters.length;
      const own = characters.slice(from, to);
      const words = element("div", { class: "words", dir: this.isRightToLeft ? "rtl" : "ltr" }, own.map((one) => (/\s/.test(one) ? " " : one)).join(""));
      const line = { begin: begin + from, end: begin + to, offsets: offsetsOf(own), words, box: element("div", { class: "line" }, words) };
      words.line = line;
      this.lines.push(line);
      this.box.append(line.box);
    });
  }

  // Where a unit of the data is in the text.
  characters(start, end) {
    return charactersOf(this.place, start, end);
  }

  // The position of the data that is nearest to a character.
  position(character, isEnd) {
    const tokens = this.place.tokens;
    if (!tokens) return character;
    const [first, all] = tokens;
    const index = isEnd ? all.findLastIndex(([begin]) => begin < character) + 1 : all.findIndex(([, end]) => end > character);
    return first + (index < 0 ? all.length : index);
  }

  drawTracks() {
    for (const line of this.lines) line.box.querySelectorAll(".bar, .who, .track, .under, .arc").forEach((one) => one.remove());
    const spans = this.tracks.filter((one) => one.unit).map((one) => this.characters(one.unit.start, one.unit.end));
    if (this.unit) spans.push(this.characters(this.unit.start, this.unit.end));
    this.headroom = [this.unit, ...this.tracks.map((one) => one.unit)].some(isJoined) ? HEADROOM : 0;
    for (const line of this.lines) {
      const touched = spans.some(([start, end]) => start < line.end && end > line.begin || (start === end && start >= line.begin && start <= line.end));
      line.box.classList.toggle("tracked", touched);
      this.drawGold(line);
      if (touched) this.drawLine(line);
      line.box.style.paddingBottom = touched ? `${this.tracks.length * (TRACK + this.headroom) + 12}px` : "";
    }
  }

  drawLine(line) {
    this.tracks.forEach((track, index) => {
      const high = line.words.offsetHeight + 2 + index * (TRACK + this.headroom), top = high + this.headroom;
      const rail = element("div", { class: `track${track.who < 0 ? " gold" : ""}` });
      rail.style.top = `${high}px`;
      rail.style.height = `${17 + this.headroom}px`;
      const name = element("span", { class: "who" }, track.who < 0 ? (this.unit ? "edit" : "draft") : this.labels.name(track.who, this.hidden));
      name.style.top = `${top}px`;
      line.box.append(rail, name);
      const standing = track.who < 0 && this.unit ? this.unit : track.unit;
      for (const [who, start, end, label] of this.place.near) {
        if (who === track.who && !(standing && start === standing.start && end === standing.end)) this.bar(line, top, start, end, `near ${this.labels.paint(label)}`, this.labels.words(label));
      }
      if (isJoined(standing)) this.joined(line, top, standing, track.who < 0 && this.unit);
      else if (standing) {
        const editing = track.who < 0 && this.unit;
        const made = this.bar(line, top, standing.start, standing.end, `now ${this.labels.paintOf(standing.features)}${editing ? " editing" : ""}`, this.labels.of(standing.features));
        if (editing) this.handles(line, made, standing);
      }
    });
  }

  // A relation, an event or a unit in pieces: a bar for each end that is on the line, and the arc that joins them.
  joined(line, top, unit, editing) {
    const [first, last] = this.characters(unit.start, unit.end);
    if (first >= line.end || last <= line.begin) return;
    const paint = this.labels.paintOf(unit.features), origin = line.box.getBoundingClientRect().left, words = line.words.getBoundingClientRect();
    const stops = unit.ends.map(([role, start, end], index) => {
      const chosen = editing && index === this.chosen;
      const made = this.bar(line, top, start, end, `now ${paint}${chosen ? " editing" : ""}`, "");
      sayRole(made, role);
      if (chosen) this.handles(line, made, { start, end });
      if (!made.length) {
        const edge = (this.characters(start, end)[0] < line.begin) === this.isRightToLeft ? words.right : words.left;
        return { role, inside: false, x0: edge - origin, x1: edge - origin };
      }
      const places = made.map((bar) => [bar.offsetLeft, bar.offsetLeft + bar.offsetWidth]);
      return { role, inside: true, x0: Math.min(...places.map(([left]) => left)), x1: Math.max(...places.map(([, right]) => right)) };
    });
    arc(line.box, stops, top, this.labels.of(unit.features));
  }

  // What the gold standard has already is a thin line below the text.
  drawGold(line) {
    for (const [start, end, label, , decided] of this.place.gold) {
      this.bar(line, line.words.offsetHeight - 3, start, end, `under ${this.labels.paint(label)}${decided ? " decided" : ""}`, "");
    }
  }

  bar(line, top, start, end, kind, words) {
    const made = rectangles(line, this.characters(start, end)).map(([left, width], index) => {
      const bar = element("div", { class: `bar ${kind}` }, index ? "" : element("bdi", {}, words));
      Object.assign(bar.style, { left: `${left}px`, width: `${Math.max(width, SMALLEST)}px`, top: `${top}px` });
      bar.title = `${words} ${start}–${end}`;
      line.box.append(bar);
      return bar;
    });
    return made;
  }

  handles(line, bars, unit) {
    const [start, end] = this.characters(unit.start, unit.end);
    const grip = (bar, which) => {
      const handle = element("span", { class: `grip ${which}` });
      handle.addEventListener("pointerdown", (event) => this.grab(event, which));
      bar.append(handle);
    };
    if (!bars.length) return;
    if (start >= line.begin && start <= line.end) grip(bars[0], this.isRightToLeft ? "right" : "left");
    if (end >= line.begin && end <= line.end) grip(bars[bars.length - 1], this.isRightToLeft ? "left" : "right");
  }

  grab(event, side) {
    event.preventDefault();
    const isStart = (side === "left") !== this.isRightToLeft;
    const move = (moving) => {
      const found = this.at(moving.clientX, moving.clientY);
      if (found === null || !this.onDrag) return;
      const snapped = moving.altKey || this.place.tokens ? found : this.nearestBoundary(found);
      this.onDrag(isStart ? "start" : "end", this.position(snapped, !isStart));
    };
    const stop = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", stop);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", stop);
  }

  // The character at a point of the window: on the text, or on the tracks below it.
  at(x, y) {
    const line = this.lines.find(({ box }) => { const { top, bottom } = box.getBoundingClientRect(); return y >= top && y < bottom; });
    if (!line) return null;
    const { top, height } = line.words.getBoundingClientRect();
    return characterAt(x, top + height / 2, line);
  }

  listen() {
    this.box.onpointerup = () => setTimeout(() => {
      const selection = getSelection();
      if (selection.isCollapsed || !this.box.contains(selection.anchorNode)) return;
      const ends = [[selection.anchorNode, selection.anchorOffset], [selection.focusNode, selection.focusOffset]].map(([node, offset]) => {
        const line = node.parentElement?.closest(".words")?.line;
        return line ? line.begin + codePoints(line, offset) : null;
      });
      if (ends.includes(null)) return;
      const [start, end] = ends.sort((a, b) => a - b);
      selection.removeAllRanges();
      this.onSpan?.({ start: this.position(start, false), end: this.position(end, true) });
    });
  }

  edit(unit, chosen = 0) {
    if (this.labels.sort === "items") return;
    this.unit = unit;
    this.chosen = chosen;
    if (this.timeline) this.timeline.draw();
    else this.drawTracks();
  }

  // Move a boundary to the next one: of a word, or by a character; of time, by a step.
  moved(position, forwards, finely) {
    if (this.timeline) return this.timeline.moved(position, forwards, finely);
    if (this.place.tokens) return this.within(position + (forwards ? 1 : -1));
    if (finely) return this.within(position + (forwards ? 1 : -1));
    const all = this.boundaries();
    const next = forwards ? all.find((one) => one > position) : all.findLast((one) => one < position);
    return this.within(next ?? position);
  }

  within(position) {
    const [low, high] = this.place.bounds ?? [-Infinity, Infinity];
    return Math.min(Math.max(position, low), high);
  }

  nearestBoundary(position) {
    return this.boundaries().reduce((best, one) => (Math.abs(one - position) < Math.abs(best - position) ? one : best), position + 1e9);
  }

  // Where words begin and end.
  boundaries() {
    this.words ??= this.place.pieces.flatMap(([begin, text]) => {
      const found = new Set();
      const segmenter = Intl.Segmenter ? new Intl.Segmenter(undefined, { granularity: "word" }) : null;
      const parts = segmenter ? [...segmenter.segment(text)].map(({ segment }) => segment) : text.split(/(\s+|[^\p{L}\p{N}\s])/u);
      let at = begin;
      for (const part of parts) {
        const length = Array.from(part).length;
        if (part.trim()) { found.add(at); found.add(at + length); }
        at += length;
      }
      return [...found].sort((a, b) => a - b);
    });
    return this.words;
  }
}

// The draft comes first, then everybody who worked on the document; of a crowd only those who marked something here.
function tracksOf(place) {
  const all = Object.entries(place.units).map(([who, unit]) => ({ who: Number(who), unit }));
  const shown = all.length <= MOST_TRACKS ? all : all.filter((one) => one.unit).slice(0, MOST_TRACKS + 3);
  const standing = place.decision?.kind === "units" ? place.decision.units[0] ?? null : place.draft;
  return [{ who: -1, unit: standing }, ...shown];
}

function drawItem(box, place) {
  box.className = place.text === null ? "" : "item-text"; // without a text, the title says which item it is
  box.replaceChildren(...(place.text === null ? [] : [element("p", { dir: "auto" }, place.text)]));
}

// How many units of UTF-16 come before each code point.
function offsetsOf(characters) {
  const found = new Uint32Array(characters.length + 1);
  characters.forEach((one, k) => { found[k + 1] = found[k] + one.length; });
  return found;
}

function codePoints(line, offset) {
  let low = 0, high = line.offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (line.offsets[middle] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The code points at which the browser begins new lines.
function lineBreaks(node, characters) {
  const found = [0], range = document.createRange(), offsets = offsetsOf(characters);
  let bottom = null;
  for (let k = 0; k < characters.length; k++) {
    if (characters[k] === "\n") continue;
    range.setStart(node, offsets[k]);
    range.setEnd(node, offsets[k + 1]);
    const rectangle = range.getClientRects()[0];
    if (!rectangle || !rectangle.height) continue;
    if (bottom !== null && rectangle.top >= bottom - 1) found.push(k);
    bottom = rectangle.bottom;
  }
  return [...new Set(found)];
}

// Where a stretch is on a line: pairs of left and width; words that run both ways are in several places.
function rectangles(line, [start, end]) {
  const first = Math.max(start, line.begin), last = Math.min(end, line.end);
  const isPoint = start === end;
  if (isPoint ? start < line.begin || start > line.end : first >= last) return [];
  const node = line.words.firstChild;
  if (!node) return [];
  const origin = line.box.getBoundingClientRect().left, range = document.createRange();
  const offset = (position) => line.offsets[Math.round(position) - line.begin];
  if (isPoint) {
    const before = start > line.begin;
    range.setStart(node, offset(before ? start - 1 : start));
    range.setEnd(node, offset(before ? start : Math.min(start + 1, line.end)));
    const { left, right } = range.getBoundingClientRect();
    return [[(before ? right : left) - origin - 2, 0]];
  }
  range.setStart(node, offset(first));
  range.setEnd(node, offset(last));
  const joined = [];
  for (const { left, right } of [...range.getClientRects()].sort((a, b) => a.left - b.left)) {
    const open = joined[joined.length - 1];
    if (open && left <= open[1] + 1) open[1] = Math.max(open[1], right);
    else joined.push([left, right]);
  }
  return joined.map(([left, right]) => [left - origin, right - left]);
}

function characterAt(x, y, line) {
  const node = line.words.firstChild;
  if (!node) return line.begin;
  const found = document.caretPositionFromPoint?.(x, y);
  const range = found ? null : document.caretRangeFromPoint?.(x, y);
  const [where, offset] = found ? [found.offsetNode, found.offset] : range ? [range.startContainer, range.startOffset] : [null, 0];
  if (where === node) return line.begin + codePoints(line, offset);
  const { left } = line.words.getBoundingClientRect();
  return x <= left ? line.begin : line.end;
}
