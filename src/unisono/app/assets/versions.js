// A place where annotators have texts of their own: everybody's text with its tokens and labels, and the text around.

import { element } from "./common.js";
import { keyOf } from "./labels.js";

export class Versions {
  constructor(box, place, labels, hidden) {
    Object.assign(this, { box, place, labels, hidden });
    this.edited = null;
    this.draw();
  }

  get standing() {
    const { decision, draft } = this.place;
    return this.edited ?? (decision?.kind === "text" ? { text: decision.text, tokens: decision.units } : draft);
  }

  draw() {
    const { place, labels } = this, standing = this.standing;
    this.named = this.edited ? "edit" : place.decision?.kind === "text" ? "decided" : "draft";
    const around = (parts) => parts.map(([text, isOpen]) => (isOpen ? element("span", { class: "open-text" }, text) : text));
    const context = element("p", { class: "context", dir: "auto" }, ...around(place.before), element("mark", {}, standing.text || "∅"), ...around(place.after));
    const rows = Object.entries(place.versions).map(([who, version]) => this.row(labels.name(Number(who), this.hidden), version, standing));
    const table = element("table", { class: "versions" }, element("tbody", {}, this.row(this.named, standing, null), ...rows));
    this.box.className = "versions-box";
    this.box.replaceChildren(context, table);
  }

  row(name, version, standing) {
    const same = standing && !this.edited && alike(version, standing), remark = this.named === "draft" ? "same as the draft" : "as decided";
    return element("tr", { class: standing ? null : "gold" }, element("th", { scope: "row" }, element("bdi", {}, name)), element("td", {}, this.chips(version, same ? remark : "")));
  }

  chips(version, remark) {
    const line = element("span", { class: "chips", dir: "auto" });
    for (const { text, token } of segmentsOf(version)) {
      if (!token) line.append(element("span", { class: "outside", title: "outside tokens" }, text));
      else line.append(element("span", { class: `chip ${this.labels.paintOf(token.features)}` }, element("bdi", { class: "chip-text" }, text), this.labels.features.length ? element("bdi", { class: "chip-labels" }, this.words(token)) : null));
    }
    if (!line.childElementCount) line.append(element("span", { class: "nothing" }, "nothing"));
    if (remark) line.append(element("span", { class: "note" }, remark));
    return line;
  }

  // The labels of a token; those between which there is a tie.
  words(token) {
    if (!Object.keys(token.ties ?? {}).length) return this.labels.of(token.features);
    return this.labels.features.map(({ name }) => token.ties[name]?.map((value) => this.labels.words(value)).join(" or ") ?? (token.features[name] === null ? null : this.labels.words(token.features[name]))).filter(Boolean).join(" · ");
  }

  edit(version) {
    this.edited = version;
    this.draw();
  }
}

// The tokens of a version and the text between them, without white space around it, in their order.
export function segmentsOf(version) {
  const characters = Array.from(version.text), found = [];
  let at = 0;
  const outside = (end) => {
    const text = characters.slice(at, end).join("").trim();
    if (text) found.push({ text, token: null });
  };
  for (const token of version.tokens) {
    outside(token.start);
    found.push({ text: characters.slice(token.start, token.end).join(""), token });
    at = token.end;
  }
  outside(characters.length);
  return found;
}

// Whether two versions have the same text, tokens and labels.
function alike(one, other) {
  const plain = ({ text, tokens }) => JSON.stringify([text, tokens.map(({ start, end, features }) => [start, end, Object.entries(features).filter(([, value]) => value !== null).map(([name, value]) => [name, keyOf(value)]).sort()])]);
  return plain(one) === plain(other);
}
