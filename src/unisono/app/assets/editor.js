// Editing a unit: its boundaries by keys or by the mouse, its labels by their letters; or the label of an item.

import { element, stretch } from "./common.js";
import { EndsPicker, entryOf, isJoined, PIECE, quoted } from "./ends.js";
import { hintsOf, keyOf } from "./labels.js";

const MOST_BUTTONS = 30;

export class Editor {
  constructor(box, place, labels, passage, done, left) {
    Object.assign(this, { box, place, labels, passage, done, left });
    this.isItem = labels.sort === "items";
    const standing = place.decision?.units?.[0];
    const first = standing ?? place.draft ?? Object.values(place.units ?? {}).find(Boolean);
    this.unit = this.isItem ? null : structuredClone({ start: first.start, end: first.end, features: first.features, ends: first.ends });
    if (labels.roles.includes(PIECE) && this.unit) this.unit.ends ??= [[PIECE, first.start, first.end]]; // others may be added
    this.ends = isJoined(this.unit) ? new EndsPicker(this.unit, place, labels.roles, () => this.show()) : null;
    this.label = this.isItem ? place.decision?.label ?? place.draft : null;
    this.pickers = labels.features.map((feature, index) => this.picker(feature, index));
    this.span = element("p", { class: "span figure", role: "status" });
    const keep = element("button", { type: "button", class: "button first" }, "Save ", element("kbd", {}, "Enter"));
    const leave = element("button", { type: "button", class: "button" }, "Cancel ", element("kbd", {}, "Esc"));
    keep.addEventListener("click", () => this.keep());
    leave.addEventListener("click", () => this.left());
    box.replaceChildren(this.isItem ? "" : this.span, this.ends ? this.ends.box : "", ...this.pickers.map((one) => one.box), element("p", { class: "actions" }, keep, leave));
    if (!this.isItem) {
      const hint = element("p", { class: "note" });
      const of = this.ends ? " of the chosen one" : "";
      hint.append(key("←"), " ", key("→"), ` move the end${of}, with `, key("Shift"), " the start, with ", key("Alt"), " by the smallest step; or drag the ends, or mark text with the mouse.");
      if (this.ends) hint.append(" ", key("↑"), " ", key("↓"), " go to the stretches that somebody marked.");
      box.append(hint);
    }
    box.hidden = false;
    this.show();
    if (!this.isItem) passage.onDrag = (end, position) => this.drag(end, position);
    else this.pickers[0].field?.focus();
  }

  // Buttons, or a field if there are too many labels, if they are numbers, or sets.
  picker(feature, index) {
    const labels = feature.labels.map(([value, words]) => ({ value, words }));
    const few = labels.length <= MOST_BUTTONS && !feature.left_out;
    const hints = few && index === 0 && !feature.numbers ? hintsOf(labels.map((one) => one.words)) : [];
    const made = { feature, buttons: [], hints };
    const parts = [];
    if (few) {
      labels.forEach((label, k) => {
        const button = element("button", { type: "button", class: "label-choice" }, element("span", { class: `dot ${index ? "" : this.labels.paint(label.value)}`, "aria-hidden": "true" }), element("bdi", {}, label.words));
        if (hints[k]) button.append(" ", element("kbd", {}, hints[k]));
        button.addEventListener("click", () => this.choose(feature, label.value));
        made.buttons.push([button, label.value]);
        parts.push(button);
      });
    }
    if (!few || feature.numbers || feature.sets) {
      const list = `labels-${index}`;
      made.field = element("input", { list, "aria-label": feature.name, autocomplete: "off", spellcheck: "false" });
      made.field.addEventListener("input", () => this.write(feature, made.field.value));
      parts.push(made.field, element("datalist", { id: list }, ...labels.map((one) => element("option", { value: one.words }))));
      if (feature.sets) parts.push(element("span", { class: "note" }, "several labels with | between them"));
    }
    made.box = element("div", { class: "picker", role: "group", "aria-label": feature.name }, element("span", { class: "picker-name" }, element("bdi", {}, feature.name)), ...parts);
    return made;
  }

  value(feature) {
    return this.isItem ? this.label : this.unit.features[feature.name];
  }

  choose(feature, value) {
    const same = keyOf(this.value(feature) ?? null) === keyOf(value);
    this.set(feature, same && !this.isItem ? null : value);
    if (this.isItem) this.keep();
  }

  write(feature, text) {
    const words = text.trim();
    const known = feature.labels.find(([, one]) => one === words);
    let value = words === "" ? null : known ? known[0] : words;
    if (!known && feature.numbers && words !== "") value = Number.isFinite(Number(words)) ? Number(words) : null;
    if (!known && feature.sets && words !== "") value = [...new Set(words.split("|").map((one) => one.trim()).filter(Boolean))].sort();
    this.set(feature, value, true);
  }

  set(feature, value, typed = false) {
    if (this.isItem) this.label = value;
    else this.unit.features[feature.name] = value;
    this.show(typed);
  }

  setSpan(start, end) {
    if (this.ends) return this.ends.put(start, end);
    this.unit.start = Math.min(start, end);
    this.unit.end = Math.max(start, end);
    this.show();
  }

  // What is moved: the unit, or the chosen one of its ends.
  get stretch() {
    return this.ends ? this.ends.end.slice(1) : [this.unit.start, this.unit.end];
  }

  drag(end, position) {
    const [first, last] = this.stretch;
    if (end === "start") this.setSpan(Math.min(position, last), last);
    else this.setSpan(first, Math.max(position, first));
  }

  show(typed = false) {
    for (const made of this.pickers) {
      const value = this.value(made.feature) ?? null;
      for (const [button, own] of made.buttons) button.setAttribute("aria-pressed", String(keyOf(own) === keyOf(value)));
      if (made.field && !typed) made.field.value = value === null ? "" : this.labels.words(value);
    }
    if (this.isItem) return;
    const { start, end, features } = this.unit;
    this.span.textContent = `${this.labels.of(features)} · ${this.ends ? quoted(this.place, this.unit) : stretch(start, end, this.place.whole)}`;
    this.ends?.show();
    this.passage.edit(this.unit, this.ends?.chosen);
  }

  keep() {
    if (this.isItem) {
      const gave = Object.entries(this.place.labels).find(([, value]) => value !== null && keyOf(value) === keyOf(this.label));
      return this.done({ decision: "label", label: this.label ?? null, took: gave ? `annotator:${this.labels.annotators[gave[0]]}` : "edited" });
    }
    return this.done({ decision: "units", units: [entryOf(this.unit)], took: "edited" });
  }

  onKey(event) {
    if (event.key === "Escape") return this.left() ?? true;
    if (event.key === "Enter" && !event.target.closest("button")) return this.keep() && true;
    const typing = event.target.closest("input, select, textarea");
    if (typing) return false;
    if (!this.isItem && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const forwards = (event.key === "ArrowRight") !== this.passage.isRightToLeft;
      const [start, end] = this.stretch;
      const moved = this.passage.moved(event.shiftKey ? start : end, forwards, event.altKey);
      this.drag(event.shiftKey ? "start" : "end", moved);
      return true;
    }
    if (this.ends?.onKey(event)) return true;
    if (event.altKey || event.key.length !== 1) return false;
    for (const made of this.pickers) {
      const at = made.hints.indexOf(event.key.toLowerCase());
      const label = made.feature.labels[at]?.[0]; // pressed again, a letter does not take its label away
      if (at >= 0) return (this.isItem ? this.choose(made.feature, label) : this.set(made.feature, label)) ?? true;
    }
    return false;
  }

  close() {
    this.box.hidden = true;
    this.box.replaceChildren();
    this.passage.edit(null);
    this.passage.onDrag = null;
  }
}

function key(text) {
  return element("kbd", {}, text);
}
