// A stretch of time, or of positions without a text, with a track for the gold standard and one for each annotator.

import { element, stretch, written } from "./common.js";
import { arc, HEADROOM, isJoined, sayRole } from "./ends.js";

const TRACK = 24, GUTTER = 92;

export class Timeline {
  constructor(passage) {
    this.passage = passage;
    this.place = passage.place;
  }

  draw() {
    const { place, passage } = this, { box, labels, tracks, unit } = passage;
    box.className = "passage timed";
    const line = element("div", { class: "line tracked" });
    box.replaceChildren(line);
    this.line = line;
    this.width = line.clientWidth - GUTTER;
    this.ticks(line);
    const headroom = [unit, ...tracks.map((one) => one.unit)].some(isJoined) ? HEADROOM : 0;
    line.style.height = `${30 + tracks.length * (TRACK + headroom)}px`;
    tracks.forEach((track, index) => {
      const high = 26 + index * (TRACK + headroom), top = high + headroom;
      const rail = element("div", { class: `track${track.who < 0 ? " gold" : ""}` });
      const name = element("span", { class: "who" }, track.who < 0 ? (unit ? "edit" : "draft") : labels.name(track.who, passage.hidden));
      rail.style.top = `${high}px`;
      rail.style.height = `${17 + headroom}px`;
      name.style.top = `${top}px`;
      line.append(rail, name);
      const standing = track.who < 0 && unit ? unit : track.unit;
      if (track.who < 0) for (const [start, end, label] of place.gold) this.bar(top, start, end, `near ${labels.paint(label)}`, headroom ? "" : labels.words(label));
      for (const [who, start, end, label] of place.near) {
        if (who === track.who && !(standing && start === standing.start && end === standing.end)) this.bar(top, start, end, `near ${labels.paint(label)}`, labels.words(label));
      }
      if (!standing) return;
      const editing = track.who < 0 && unit;
      if (isJoined(standing)) return this.joined(top, standing, editing);
      const made = this.bar(top, standing.start, standing.end, `now ${labels.paintOf(standing.features)}${editing ? " editing" : ""}`, labels.of(standing.features));
      if (editing && made) for (const side of ["left", "right"]) made.append(this.grip(side));
    });
  }

  // A relation, an event or a unit in pieces: a bar for each end, and the arc that joins them.
  joined(top, unit, editing) {
    const { labels, chosen } = this.passage;
    const stops = unit.ends.map(([role, start, end], index) => {
      const now = editing && index === chosen;
      const made = this.bar(top, start, end, `now ${labels.paintOf(unit.features)}${now ? " editing" : ""}`, "");
      if (made) sayRole([made], role);
      if (now && made) for (const side of ["left", "right"]) made.append(this.grip(side));
      const [x0, x1] = [this.x(start), Math.max(this.x(end), this.x(start) + 4)];
      return { role, inside: Boolean(made), x0, x1 };
    });
    arc(this.line, stops, top, labels.of(unit.features));
  }

  x(position) {
    const { from, to } = this.place;
    const within = Math.min(Math.max(position, from), to);
    return GUTTER + ((within - from) / (to - from || 1)) * this.width;
  }

  ticks(line) {
    const { from, to } = this.place, step = nice((to - from) / 6);
    for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) {
      const mark = element("span", { class: "tick figure" }, `${written(tick)}${this.place.whole ? "" : " s"}`);
      mark.style.left = `${this.x(tick)}px`;
      line.append(mark);
    }
  }

  bar(top, start, end, kind, words) {
    if (end < this.place.from || start > this.place.to) return null;
    const left = this.x(start), bar = element("div", { class: `bar ${kind}` }, element("bdi", {}, words));
    Object.assign(bar.style, { left: `${left}px`, width: `${Math.max(this.x(end) - left, 4)}px`, top: `${top}px` });
    bar.title = `${words} ${stretch(start, end, this.place.whole)}`;
    this.line.append(bar);
    return bar;
  }

  grip(side) {
    const handle = element("span", { class: `grip ${side}` });
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const move = (moving) => {
        const { from, to } = this.place, { left } = this.line.getBoundingClientRect();
        const position = from + ((moving.clientX - left - GUTTER) / this.width) * (to - from);
        this.passage.onDrag?.(side === "left" ? "start" : "end", this.snapped(position));
      };
      const stop = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", stop); };
      addEventListener("pointermove", move);
      addEventListener("pointerup", stop);
    });
    return handle;
  }

  get step() {
    const step = nice((this.place.to - this.place.from) / 200);
    return this.place.whole ? Math.max(1, Math.round(step)) : step;
  }

  snapped(position) {
    const fine = this.place.whole ? 1 : this.step / 10;
    return this.passage.within(tidy(Math.round(position / fine) * fine));
  }

  moved(position, forwards, finely) {
    const step = finely ? (this.place.whole ? 1 : this.step / 10) : this.step;
    return this.passage.within(tidy(position + (forwards ? step : -step)));
  }
}

// A round number near a step.
function nice(step) {
  const power = 10 ** Math.floor(Math.log10(step || 1));
  return [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= step * 0.999);
}

function tidy(position) {
  return Number(position.toPrecision(12));
}
