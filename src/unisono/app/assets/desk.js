// The desk: which place is shown, what the keys do, and keeping decisions before going on.

import { get, post, element, stretch } from "./common.js";
import { Labels } from "./labels.js";
import { Passage } from "./passage.js";
import { Queue } from "./queue.js";
import { Editor } from "./editor.js";
import { TextEditor } from "./texteditor.js";
import { Versions } from "./versions.js";
import { choicesOf, LETTERS } from "./choices.js";

const byId = (id) => document.getElementById(id);
const desk = byId("desk"), address = desk.dataset.address;
const state = { data: null, labels: null, place: null, number: -1, saving: false, editor: null, passage: null, queue: null, choices: [], waiting: new Map() };

async function start() {
  remembered();
  try {
    state.data = await overview();
  } catch (error) {
    return complain(error);
  }
  state.labels = new Labels(state.data);
  if (state.data.sort === "texts") byId("keys-digits").textContent = "take this annotator’s text, tokens and labels";
  if (state.data.sort === "texts") byId("keys-none").textContent = "nothing: leave out this text";
  if (state.data.sort === "texts") byId("keys-edit").textContent = "edit the text, its tokens and labels; Enter saves, Esc cancels";
  if (state.data.roles?.length) byId("keys-ends").hidden = false;
  if (state.data.sort === "items") byId("keys-digits").textContent = "take this label";
  if (state.data.sort === "items") byId("keys-none").textContent = "no label";
  if (state.data.sort === "items") byId("keys-edit").textContent = "choose or write another label";
  state.queue = new Queue(state.data, (number) => show(number));
  tellProgress(state.data.progress);
  listen();
  const wanted = state.queue.fromHash(location.hash) ?? state.queue.firstOpen() ?? state.queue.visible[0];
  if (wanted === undefined) return nothing();
  await show(wanted);
}

function overview() {
  return get(`${address}/desk.json${hidden() ? "?hidden=1" : ""}`);
}

function nothing() {
  byId("place-title").textContent = "Nothing to decide";
  byId("why").textContent = "All annotators agree, as far as the draft asks. Choose “every place” to change something anyway, or give the gold standard back.";
}

function fetched(number) {
  if (!state.waiting.has(number)) {
    if (state.waiting.size > 12) state.waiting.delete(state.waiting.keys().next().value);
    state.waiting.set(number, get(`${address}/places/${number}.json`).catch((error) => { state.waiting.delete(number); throw error; }));
  }
  return state.waiting.get(number);
}

// Show a place; what was shown before is gone, so that no key can decide about a place that is not there to see.
async function show(number, { hash = true } = {}) {
  state.number = number;
  state.place = null;
  stopEditing();
  let place;
  try {
    place = await fetched(number);
  } catch (error) {
    if (state.number === number) complain(error);
    return;
  }
  if (state.number !== number) return; // another one was chosen meanwhile
  state.place = place;
  state.queue.choose(number);
  if (hash) history.replaceState(null, "", state.queue.hashOf(number));
  draw();
  const next = state.queue.nextOpen(number);
  if (next !== undefined) fetched(next).catch(() => {});
}

function draw() {
  const { place, data } = state;
  const item = data.sort === "items";
  const manyDocuments = data.documents.length > 1;
  byId("place-title").textContent = item ? capital([manyDocuments && place.document, `item ${place.item}`].filter(Boolean).join(" · ")) : `${place.document} · ${stretch(place.start, place.end, place.whole)}`;
  byId("why").textContent = place.why.length ? `${capital(place.why.join("; ").replace(/\.$/, ""))}.` : "No decision is needed here, but you can make one.";
  byId("note").value = place.decision?.note ?? "";
  complain(null);
  tellEarlier(place);
  tellBeside(place);
  state.passage = new (data.sort === "texts" ? Versions : Passage)(byId("passage"), place, state.labels, hidden());
  state.passage.onSpan = (span) => { if (!item) edit(span); };
  drawChoices();
}

function drawChoices() {
  state.choices = choicesOf(state.place, state.labels, hidden());
  byId("choices").replaceChildren(...state.choices.map((choice) => {
    const chosen = isStanding(choice);
    const button = element("button", { type: "button", class: `decision${chosen ? " chosen" : ""}${choice.first ? " first" : ""}`, "aria-pressed": chosen ? "true" : null },
      choice.key ? element("kbd", {}, choice.key) : null, element("span", { class: "what" }, element("bdi", {}, choice.words)), choice.more ? element("span", { class: "more" }, element("bdi", {}, choice.more)) : null);
    if (choice.swatch) button.querySelector(".what").prepend(element("span", { class: `dot ${choice.swatch}`, "aria-hidden": "true" }));
    button.addEventListener("click", () => act(choice));
    return button;
  }));
  const decision = state.place.decision;
  const who = decision?.by ? `${decision.by}: ` : "";
  byId("said").textContent = decision ? `${capital(who)}${decision.kind === "skip" ? "skipped" : `decided on ${decision.words}`}.` : "";
}

// Whether this choice is what was decided.
function isStanding(choice) {
  const decision = state.place.decision;
  if (!decision) return false;
  if (choice.does === "skip") return decision.kind === "skip";
  return decision.kind !== "skip" && choice.entry && decision.took === choice.entry.took && (choice.does !== "none" || !decision.took);
}

function act(choice) {
  if (choice.does === "edit") return edit();
  if (choice.does === "skip") return keep({ decision: "skip" });
  if (choice.does === "undo") return undo();
  if (choice.unclear) return edit();
  return keep(choice.entry);
}

function edit(span) {
  if (!state.place || state.saving) return;
  if (!state.editor) {
    const kind = state.data.sort === "texts" ? TextEditor : Editor;
    state.editor = new kind(byId("editor"), state.place, state.labels, state.passage, (entry) => keep(entry), stopEditing);
    byId("choices").hidden = true;
  }
  if (span) state.editor.setSpan(span.start, span.end);
}

function stopEditing() {
  state.editor?.close();
  state.editor = null;
  byId("choices").hidden = false;
}

// Keep a decision, and only then go on.
async function keep(entry) {
  const { place } = state;
  if (!place || state.saving) return;
  state.saving = true;
  desk.classList.add("saving");
  try {
    const sent = { ...entry, place: place.number, seen: place.decision?.id ?? "", by: byId("me").value.trim(), note: byId("note").value.trim() };
    const kept = await post(`${address}/decisions`, sent);
    place.decision = kept.decision;
    stopEditing();
    state.waiting.clear(); // what is near has changed
    place.differing = []; // this decision settles it
    state.queue.mark(kept.place, kept.status);
    tellProgress(kept.progress);
    state.saving = false;
    byId("note").blur();
    const next = state.queue.nextOpen(kept.place);
    if (next !== undefined) await show(next);
    else {
      drawChoices();
      byId("said").textContent = "All places in this list are decided.";
    }
  } catch (error) {
    state.saving = false;
    if (error.status === 409) {
      state.waiting.delete(place.number);
      await show(place.number);
    }
    complain(error, error.status === 409 ? "" : "Not saved: ");
  } finally {
    desk.classList.remove("saving");
  }
}

async function undo() {
  if (state.saving) return;
  state.saving = true;
  try {
    const undone = await post(`${address}/undo`, { by: byId("me").value.trim() });
    state.saving = false;
    tellProgress(undone.progress);
    if (undone.place === null) {
      byId("said").textContent = "There is nothing to undo.";
      return;
    }
    state.waiting.clear();
    state.queue.mark(undone.place, undone.status);
    await show(undone.place);
    byId("said").textContent = "The last decision was undone.";
  } catch (error) {
    complain(error, "Not undone: ");
  } finally {
    state.saving = false;
  }
}

function complain(error, before = "") {
  byId("problem").hidden = !error;
  byId("problem").textContent = error ? before + error.message : "";
}

function tellEarlier(place) {
  byId("earlier").hidden = !place.earlier.length;
  byId("earlier").replaceChildren(...place.earlier.slice(0, 3).map((one) => element("p", { class: "remark" }, `Decided before the annotations changed: ${one.words}${one.by ? ` (${one.by})` : ""}${one.note ? `: ${one.note}` : ""}`)));
}

// Relations that share an end with those of the place.
function tellBeside(place) {
  const found = new Map();
  for (const [who, words, text] of place.beside ?? []) {
    const said = `${words} (${text})`;
    found.set(said, [...(found.get(said) ?? []), state.labels.name(who, hidden())]);
  }
  byId("beside").hidden = !found.size;
  byId("beside").textContent = `Also at these ends: ${[...found].map(([said, names]) => `${names.join(", ")}: ${said}`).join("; ")}.`;
}

function tellProgress(progress) {
  const total = progress.decided + progress.skipped + progress.left || 1;
  byId("share-decided").setAttribute("width", (100 * progress.decided) / total);
  byId("share-skipped").setAttribute("x", (100 * progress.decided) / total);
  byId("share-skipped").setAttribute("width", (100 * progress.skipped) / total);
  const parts = [`${progress.decided.toLocaleString("en")} of ${(total).toLocaleString("en")} decided`];
  if (!progress.decided && !progress.skipped && !progress.left) parts[0] = "nothing to decide";
  if (progress.disputed) parts.push(`${progress.disputed.toLocaleString("en")} decided differently`);
  if (progress.skipped) parts.push(`${progress.skipped.toLocaleString("en")} skipped`);
  if (progress.more) parts.push(`${progress.more.toLocaleString("en")} others`);
  if (progress.left && progress.seconds) parts.push(`${duration(progress.seconds)} left`);
  byId("progress").textContent = parts.join(" · ");
}

function duration(seconds) {
  if (seconds < 90) return "about a minute";
  if (seconds < 90 * 60) return `about ${Math.round(seconds / 60)} minutes`;
  return `about ${Math.round(seconds / 3600)} hours`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function hidden() {
  return byId("hide-names").checked;
}

function remembered() {
  const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private windows */ } };
  const kept = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  byId("me").value = ("named" in desk.dataset ? null : kept("unisono-me")) ?? desk.dataset.user; // a file may say whose it is
  byId("hide-names").checked = kept("unisono-hide") === "1";
  byId("me").addEventListener("change", () => keep("unisono-me", byId("me").value.trim()));
  byId("hide-names").addEventListener("change", () => {
    keep("unisono-hide", hidden() ? "1" : "0");
    if (state.place) draw();
    if (state.queue) overview().then((data) => state.queue.reword(data.rows), complain);
  });
}

const STEPS = { j: 1, k: -1 };

function onKey(event) {
  if (event.ctrlKey || event.metaKey || byId("keys").open) return;
  const field = event.target.closest("input, select, textarea");
  if (event.target.id === "note" && (event.key === "Enter" || event.key === "Escape")) {
    event.preventDefault();
    event.target.blur();
    byId("list").focus();
    return;
  }
  if (state.editor) {
    if (state.editor.onKey(event)) event.preventDefault();
    return;
  }
  if (field || event.altKey) return;
  if (event.key === "Enter" && event.target.closest("button, a, summary")) return; // that one is meant
  if (press(event.key, event.shiftKey)) event.preventDefault();
}

function press(key) {
  if (key in STEPS) {
    const next = state.queue.step(state.number, STEPS[key]);
    if (next !== undefined) show(next);
    return true;
  }
  if (key === "?") return byId("keys").showModal() ?? true;
  if (!state.place) return /^([0-9a-dnesu]|Enter)$/.test(key);
  if (key === "n") return byId("note").focus() ?? true;
  if (key === "e") return edit() ?? true;
  if (key === "s") return keep({ decision: "skip" }) && true;
  if (key === "u") return undo() && true;
  const name = key === "Enter" || /^[0-9]$/.test(key) || (LETTERS.includes(key) && state.place.differing.length) ? key : null;
  const choice = name && state.choices.find((one) => one.key === name);
  if (choice) act(choice);
  return Boolean(name);
}

function listen() {
  addEventListener("keydown", onKey);
  document.querySelectorAll("[data-key]").forEach((button) => button.addEventListener("click", () => press(button.dataset.key)));
  addEventListener("hashchange", () => {
    const number = state.queue.fromHash(location.hash);
    if (number !== undefined && number !== state.number) show(number, { hash: false });
  });
  let timer = 0;
  addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { state.queue.render(); state.passage?.draw(); }, 120);
  });
}

start();
