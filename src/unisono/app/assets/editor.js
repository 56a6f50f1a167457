// Editing a unit: its boundaries by keys or by the mouse, its labels by their letters; or the label of an item.

import { element } from "./common.js";
import { given } from "./choices.js";
import { hintsOf, keyOf } from "./labels.js";

const MOST_BUTTONS = 30;

export class Editor {
  constructor(box, place, labels, passage, done, left) {
    Object.assign(this, { box, place, labels, passage, done, left });
    this.isItem = labels.sort === "items";
    const standing = place.decision?.units?.[0];
    const first = standing ?? place.draft ?? Object.values(place.units ?? {}).find(Boolean);
    this.unit = this.isItem ? null : { start: first.start, end: first.end, features: { ...first.features } };
    this.label = this.isItem ? place.decision?.label ?? place.draft : null;
    this.pickers = labels.features.map((feature, index) => this.picker(feature, index));
    this.span = element("p", { class: "span figure", role: "status" });
    const keep = element("button", { type: "button", class: "button first" }, "Save ", element("kbd", {}, "Enter"));
    const leave = element("button", { type: "button", class: "button" }, "Cancel ", element("kbd", {}, "Esc"));
    keep.addEventListener("click", () => this.keep());
    leave.addEventListener("click", () => this.left());
    box.replaceChildren(this.isItem ? "" : this.span, ...this.pickers.map((one) => one.box), element("p", { class: "actions" }, keep, leave));
    if (!this.isItem) {
      const hint = element("p", { class: "note" });
      hint.append(key("←"), " ", key("→"), " move the end, with ", key("Shift"), " the start, with ", key("Alt"), " by the smallest step; or drag the ends, or mark text with the mouse.");
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
    this.unit.start = Math.min(start, end);
    this.unit.end = Math.max(start, end);
    this.show();
  }

  drag(end, position) {
    const { unit } = this;
    if (end === "start") unit.start = Math.min(position, unit.end);
    else unit.end = Math.max(position, unit.start);
    this.show();
  }

  show(typed = false) {
    for (const made of this.pickers) {
      const value = this.value(made.feature) ?? null;
      for (const [button, own] of made.buttons) button.setAttribute("aria-pressed", String(keyOf(own) === keyOf(value)));
      if (made.field && !typed) made.field.value = value === null ? "" : this.labels.words(value);
    }
    if (this.isItem) return;
    const { start, end, features } = this.unit;
    this.span.textContent = `${this.labels.of(features)} · ${written(start)}–${written(end)}`;
    this.passage.edit(this.unit);
  }

  keep() {
    if (this.isItem) {
      const gave = Object.entries(this.place.labels).find(([, value]) => value !== null && keyOf(value) === keyOf(this.label));
      return this.done({ decision: "label", label: this.label ?? null, took: gave ? `annotator:${this.labels.annotators[gave[0]]}` : "edited" });
    }
    const { start, end, features } = this.unit;
    return this.done({ decision: "units", units: [{ start, end, features: given(features) }], took: "edited" });
  }

  onKey(event) {
    if (event.key === "Escape") return this.left() ?? true;
    if (event.key === "Enter" && !event.target.closest("button")) return this.keep() && true;
    const typing = event.target.closest("input, select, textarea");
    if (typing) return false;
    if (!this.isItem && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const forwards = (event.key === "ArrowRight") !== this.passage.isRightToLeft;
      const moved = this.passage.moved(event.shiftKey ? this.unit.start : this.unit.end, forwards, event.altKey);
      this.drag(event.shiftKey ? "start" : "end", moved);
      return true;
    }
    if (event.altKey || event.key.length !== 1) return false;
    for (const made of this.pickers) {
      const at = made.hints.indexOf(event.key.toLowerCase());
      if (at >= 0) return this.choose(made.feature, made.feature.labels[at][0]) ?? true;
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

function written(position) {
  return String(Math.round(position * 1000) / 1000).replace("-", "−");
}
