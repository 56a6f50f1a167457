// Editing a text with tokens: a field in which a line separates tokens, and fields for the labels of each token.

import { element } from "./common.js";
import { given } from "./ends.js";
import { keyOf } from "./labels.js";
import { segmentsOf } from "./versions.js";

const MOST_CHOICES = 30;
const SEPARATORS = ["|", "¦", "‖", "⁞", "⎸"];

export class TextEditor {
  constructor(box, place, labels, passage, done, left) {
    Object.assign(this, { box, place, labels, passage, done, left });
    const every = [place.draft, ...Object.values(place.versions)];
    this.separator = SEPARATORS.find((one) => !every.some(({ text }) => text.includes(one))) ?? SEPARATORS[0];
    this.hasOutside = every.some((version) => segmentsOf(version).some(({ token }) => !token));
    this.known = every.flatMap((version) => segmentsOf(version)).filter(({ token }) => token); // labels that a text may have
    this.version = structuredClone(passage.standing);
    this.segments = segmentsOf(this.version).map(({ text, token }) => ({ text, isToken: Boolean(token), features: { ...token?.features } }));
    this.field = element("textarea", { id: "edited-text", rows: Math.min(4, this.version.text.split("\n").length), spellcheck: "false", autocomplete: "off", dir: "auto" });
    this.field.value = this.written();
    this.field.addEventListener("input", () => this.read());
    this.tokens = element("div", { class: "edited-tokens" });
    const keep = element("button", { type: "button", class: "button first" }, "Save ", element("kbd", {}, "Enter"));
    const leave = element("button", { type: "button", class: "button" }, "Cancel ", element("kbd", {}, "Esc"));
    keep.addEventListener("click", () => this.keep());
    leave.addEventListener("click", () => this.left());
    const hint = element("p", { class: "note" }, element("kbd", {}, this.separator), " separates tokens. Spaces belong to the text; those beside a line are not part of a token. ", element("kbd", {}, "Tab"), " goes to the labels; a letter chooses one.");
    box.replaceChildren(element("label", { for: "edited-text", class: "edited-text" }, "text", this.field), hint, this.tokens, element("p", { class: "actions" }, keep, leave));
    box.hidden = false;
    this.show();
    this.field.focus();
  }

  // The text with a separator between tokens.
  written() {
    const characters = Array.from(this.version.text), cuts = [];
    let at = 0;
    for (const { text } of segmentsOf(this.version)) {
      const size = Array.from(text).length;
      while (characters.slice(at, at + size).join("") !== text) at++;
      cuts.push(at + size);
      at += size;
    }
    cuts.pop();
    return characters.map((one, k) => (cuts.includes(k) ? this.separator : "") + one).join("");
  }

  // What was written, as text and tokens; tokens keep the labels that they had.
  read() {
    const parts = this.field.value.split(this.separator).map((part) => part.trim()).filter(Boolean);
    const before = this.segments, left = [...before];
    const taken = (find) => {
      const at = left.findIndex(find);
      return at < 0 ? null : left.splice(at, 1)[0];
    };
    const exact = parts.map((text) => taken((one) => one.text === text));
    this.segments = parts.map((text, k) => {
      const old = exact[k] ?? taken((one) => one === before[k]);
      const known = old ? null : this.known.find((one) => one.text === text);
      return { text, isToken: old?.isToken ?? true, features: { ...(old?.features ?? known?.token.features) } };
    });
    this.show();
  }

  // The text, and the tokens where they are in it.
  result() {
    const text = this.field.value.split(this.separator).join("").trim(), characters = Array.from(text), tokens = [];
    let at = 0;
    for (const segment of this.segments) {
      const size = Array.from(segment.text).length;
      while (at + size < characters.length && characters.slice(at, at + size).join("") !== segment.text) at++;
      if (segment.isToken) tokens.push({ start: at, end: at + size, features: given(segment.features) });
      at += size;
    }
    return { text, tokens };
  }

  show() {
    this.passage.edit(this.result());
    this.tokens.replaceChildren(...this.segments.map((segment) => {
      const fields = segment.isToken ? this.labels.features.map((feature, index) => this.labelField(segment, feature, index)) : [];
      const row = element("div", { class: "edited-token" }, element("bdi", { class: "token-text" }, segment.text), ...fields);
      if (this.hasOutside) row.append(this.tokenBox(segment));
      return row;
    }), ...this.lists());
  }

  lists() {
    return this.labels.features.map((feature, index) => element("datalist", { id: `token-labels-${index}` }, ...feature.labels.map(([, words]) => element("option", { value: words }))));
  }

  // A list to choose from; a field if there are too many labels, if they are numbers, sets, or mostly new, such as lemmas.
  labelField(segment, feature, index) {
    if (isClosed(feature)) return this.labelList(segment, feature);
    const field = element("input", { list: `token-labels-${index}`, "aria-label": `${feature.name} of ${segment.text}`, placeholder: feature.name, autocomplete: "off", spellcheck: "false" });
    const value = segment.features[feature.name] ?? null;
    field.value = value === null ? "" : this.labels.words(value);
    field.addEventListener("input", () => {
      segment.features[feature.name] = valueOf(feature, field.value.trim());
      this.passage.edit(this.result());
    });
    return field;
  }

  labelList(segment, feature) {
    const standing = keyOf(segment.features[feature.name] ?? null);
    const option = (value, words, k) => {
      const made = element("option", { value: k }, words);
      made.selected = keyOf(value) === standing;
      return made;
    };
    const field = element("select", { "aria-label": `${feature.name} of ${segment.text}` }, option(null, `no ${feature.name}`, -1), ...feature.labels.map(([value, words], k) => option(value, words, k)));
    field.addEventListener("input", () => {
      segment.features[feature.name] = feature.labels[field.value]?.[0] ?? null;
      this.passage.edit(this.result());
    });
    return field;
  }

  tokenBox(segment) {
    const box = element("input", { type: "checkbox" });
    box.checked = segment.isToken;
    box.addEventListener("input", () => {
      segment.isToken = box.checked;
      this.show();
    });
    return element("label", { class: "choice" }, box, "token");
  }

  keep() {
    return this.done({ decision: "text", ...this.result(), took: "edited" });
  }

  onKey(event) {
    if (event.key === "Escape") return this.left() ?? true;
    if (event.key !== "Enter" || event.shiftKey || event.target.closest("button")) return false;
    return this.keep() && true;
  }

  setSpan() {}

  close() {
    this.box.hidden = true;
    this.box.replaceChildren();
    this.passage.edit(null);
  }
}

function isClosed(feature) {
  const total = feature.labels.reduce((sum, [, , n]) => sum + n, 0);
  return feature.labels.length <= MOST_CHOICES && 2 * feature.labels.length <= total && !feature.left_out && !feature.numbers && !feature.sets;
}

// The label that was written: one that is known, a number, a set, or what was written.
function valueOf(feature, words) {
  if (words === "") return null;
  const known = feature.labels.find(([, one]) => one === words);
  if (known) return known[0];
  if (feature.numbers) return Number.isFinite(Number(words)) ? Number(words) : null;
  return feature.sets ? [...new Set(words.split("|").map((one) => one.trim()).filter(Boolean))].sort() : words;
}
