// What one can decide about a place: everybody's units, the draft, none; or the labels of an item.

import { entryOf, given, isJoined, quoted } from "./ends.js";
import { stretch } from "./common.js";
import { keyOf } from "./labels.js";
import { segmentsOf } from "./versions.js";

export const LETTERS = "abcd";
const MOST_WORDS = 60;
const ALWAYS = [
  { key: "e", does: "edit", words: "Edit" },
  { key: "s", does: "skip", words: "Skip" },
  { key: "u", does: "undo", words: "Undo" },
];

export function choicesOf(place, labels, hidden) {
  const found = { items: ofItem, texts: ofTexts, units: ofUnits }[labels.sort](place, labels, hidden);
  return [...ofOthers(place, labels), ...found, ...ALWAYS];
}

// What people decided before, if they differ.
function ofOthers(place, labels) {
  return place.differing.map((one, index) => {
    const [words, more, swatch] = said(one, place, labels);
    const what = { items: { decision: "label", label: one.label }, texts: { decision: "text", text: one.text, tokens: one.units?.map(entryOf) }, units: { decision: "units", units: one.units?.map(entryOf) } }[labels.sort];
    return {
      key: index < LETTERS.length ? LETTERS[index] : "",
      does: "take",
      words: `${one.by || "Somebody"} decided: ${words}`,
      more: [...more, one.note].filter(Boolean).join(" · "),
      swatch,
      entry: { ...what, took: `decision:${one.by}` },
    };
  });
}

// A decision in words, where it is, and its colour.
function said(one, place, labels) {
  if (labels.sort === "items") return [labels.words(one.label), [], labels.paint(one.label)];
  if (labels.sort === "texts") return [wordsOf({ text: one.text, tokens: one.units }), [labelsOf({ tokens: one.units }, labels)], ""];
  const units = one.units.map((unit) => labels.of(unit.features));
  return [units.join(" and ") || "no unit", one.units.map((unit) => span(place, unit)), units.length ? labels.paintOf(one.units[0].features) : ""];
}

function ofUnits(place, labels, hidden) {
  const given = place.draft, ties = given ? Object.keys(given.ties) : [];
  const found = [{
    key: "Enter",
    does: "take",
    first: true,
    unclear: ties.length > 0,
    words: `Draft: ${given ? (ties.length ? tied(given, labels) : labels.of(given.features)) : "no unit"}`,
    more: given ? span(place, given) : "",
    swatch: given && !ties.length ? labels.paintOf(given.features) : "",
    entry: decided(given ? [given] : [], "draft"),
  }];
  for (const [who, unit] of Object.entries(place.units)) {
    found.push({
      key: Number(who) < 9 ? String(Number(who) + 1) : "",
      does: "take",
      words: `${labels.name(Number(who), hidden)}: ${unit ? labels.of(unit.features) : "no unit"}`,
      more: unit ? span(place, unit) : "",
      swatch: unit ? labels.paintOf(unit.features) : "",
      entry: decided(unit ? [unit] : [], `annotator:${labels.annotators[who]}`),
    });
  }
  found.push({ key: "0", does: "none", words: "No unit", entry: decided([], "") });
  return found;
}

function tied(draft, labels) {
  return `a tie: ${Object.values(draft.ties)[0].map((value) => labels.words(value)).join(" or ")}`;
}

function decided(units, took) {
  return { decision: "units", units: units.map(entryOf), took };
}

function span(place, unit) {
  return isJoined(unit) ? quoted(place, unit) : stretch(unit.start, unit.end, place.whole);
}

function ofTexts(place, labels, hidden) {
  const entry = (version, took) => ({ decision: "text", text: version.text, tokens: version.tokens.map(({ start, end, features }) => ({ start, end, features: given(features) })), took });
  const draft = { key: "Enter", does: "take", first: true, unclear: place.draft.is_tied, words: `Draft: ${place.draft.is_tied ? "a tie" : wordsOf(place.draft)}`, more: place.draft.is_tied ? "" : labelsOf(place.draft, labels), entry: entry(place.draft, "draft") };
  const own = Object.entries(place.versions).map(([who, version]) => ({
    key: Number(who) < 9 ? String(Number(who) + 1) : "",
    does: "take",
    words: `${labels.name(Number(who), hidden)}: ${wordsOf(version)}`,
    more: labelsOf(version, labels),
    entry: entry(version, `annotator:${labels.annotators[who]}`),
  }));
  return [draft, ...own, { key: "0", does: "none", words: "Nothing", entry: { decision: "text", text: "", tokens: [], took: "" } }];
}

// A text with lines between its tokens, and the labels of these.
function wordsOf(version) {
  return abridged(segmentsOf(version).map(({ text }) => text).join(" | ")) || "nothing";
}

function labelsOf(version, labels) {
  return labels.features.length ? abridged(version.tokens.map(({ features }) => labels.of(features)).join(" | ")) : "";
}

// The table above the buttons has all of a long text.
function abridged(text) {
  const characters = Array.from(text);
  return characters.length > MOST_WORDS ? `${characters.slice(0, MOST_WORDS).join("")}…` : text;
}

function ofItem(place, labels, hidden) {
  const byLabel = new Map();
  for (const [who, value] of Object.entries(place.labels)) {
    if (value === null) continue;
    const key = keyOf(value);
    byLabel.set(key, [...(byLabel.get(key) ?? []), Number(who)]);
  }
  const all = labels.features[0].labels;
  const shown = all.length <= 9 ? all : all.filter(([value]) => byLabel.has(keyOf(value)));
  const found = [{
    key: "Enter",
    does: "take",
    first: true,
    unclear: place.draft === null,
    words: `Draft: ${place.draft === null ? "undecided" : labels.words(place.draft)}`,
    swatch: place.draft === null ? "" : labels.paint(place.draft),
    entry: { decision: "label", label: place.draft, took: "draft" },
  }];
  const digits = all.every(([value]) => /^[0-9]$/.test(String(value))); // then each label is its own key
  const free = !digits || !all.some(([value]) => String(value) === "0");
  shown.forEach(([value, words], index) => {
    const who = byLabel.get(keyOf(value)) ?? [];
    const names = who.slice(0, 6).map((one) => labels.name(one, hidden)).join(", ") + (who.length > 6 ? ` and ${who.length - 6} more` : "");
    const took = who.length ? `annotator:${labels.annotators[who[0]]}` : "edited";
    const key = digits ? String(value) : index < 9 ? String(index + 1) : "";
    found.push({ key, does: "take", words, more: names, swatch: labels.paint(value), entry: { decision: "label", label: value, took } });
  });
  found.push({ key: free ? "0" : "", does: "none", words: "No label", entry: { decision: "label", label: null, took: "" } });
  return found;
}
