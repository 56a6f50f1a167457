// Which places are shown: conditions in the address, and the fields that show and change them.
//
// The address is #places, #in/DOCUMENT or #at/DOCUMENT/NUMBER, with conditions after a question mark:
// #at/DOCUMENT/8?label=TIME&kind=category. Python writes the same (addresses.py). A condition is a list of values, since
// several labels may be put together.

const CONDITIONS = ["document", "label", "kind", "alone", "without", "pair", "row", "column", "none", "feature", "least", "all", "order"];
const FIELDS = { document: "filter-document", label: "filter-label", kind: "filter-kind", least: "filter-size", order: "order" };

function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

function readAddress(hash) {
  const [path, query] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const [what, name, number] = path.split("/").map(decoded);
  const choice = {};
  for (const part of (query ?? "").split("&").filter(Boolean)) {
    const [key, value] = part.split(/=(.*)/s).map(decoded);
    if (CONDITIONS.includes(key)) (choice[key] ??= []).push(value ?? "");
  }
  if (what === "in" && name) choice.document = [name];
  return { what, name, number, choice };
}

function writtenChoice(choice) {
  const pairs = CONDITIONS.flatMap((key) => (choice[key] ?? []).map((value) => `${key}=${encodeURIComponent(value)}`));
  return pairs.length ? `?${pairs.join("&")}` : "";
}

function hashOf(row, choice = {}) {
  const place = row ? `#at/${encodeURIComponent(row.scene.name)}/${row.number}` : "#places";
  return place + writtenChoice(choice);
}

function fillFilters(data) {
  const add = (id, value, text) => byId(id).append(element("option", { value }, text));
  data.documents.forEach((scene) => add("filter-document", scene.name, scene.name));
  data.annotators.forEach((name) => {
    if (data.annotators.length > 2) add("filter-annotator", `alone=${name}`, `${name} disagrees with all others`);
    add("filter-annotator", `without=${name}`, `${name} has no ${thing(data)}`);
  });
  (data.labels[0] ?? []).slice(0, MOST_CHOICES).forEach((label) => add("filter-label", label, label));
  data.kinds.forEach((kind) => add("filter-kind", kind, kind));
  for (const id of ["filter-document", "filter-label", "filter-kind"]) {
    byId(id).closest("label").hidden = byId(id).options.length < 3; // nothing to choose
  }
}

// Show conditions in the fields; a value that is not among the options becomes one.
function showChoice(choice) {
  byId("filters").reset();
  const set = (id, value, text) => {
    const field = byId(id);
    if (field.options && ![...field.options].some((one) => one.value === value)) field.append(element("option", { value }, text ?? value));
    field.value = value;
  };
  for (const [key, id] of Object.entries(FIELDS)) if (choice[key]) set(id, choice[key][0]);
  for (const how of ["alone", "without"]) if (choice[how]) set("filter-annotator", `${how}=${choice[how][0]}`, choice[how][0]);
  byId("filter-all").checked = Boolean(choice.all);
}

// Read the fields; conditions without a field are kept.
function readFields(choice) {
  const found = Object.fromEntries(["pair", "row", "column", "none", "feature"].filter((key) => choice[key]).map((key) => [key, choice[key]]));
  for (const [key, id] of Object.entries(FIELDS)) {
    const { value } = byId(id);
    const unset = { least: !(Number(value) > 0), order: value === "worst" }[key] ?? value === "";
    if (!unset) found[key] = [value];
  }
  const [how, who] = byId("filter-annotator").value.split(/=(.*)/s);
  if (how) found[how] = [who];
  if (byId("filter-all").checked) found.all = ["1"];
  return found;
}

// A condition as a function of a place; names become numbers once, not for each place.
function matcher(data, choice) {
  const tests = [];
  const only = (key, test) => { if (choice[key]) tests.push(test(choice[key][0])); };
  if (!hasAll(choice)) tests.push(differs(data));
  only("document", (name) => (row) => row.scene.name === name);
  only("least", (least) => (row) => row.size >= Number(least) - 1e-9);
  only("kind", (kind) => { const k = data.kinds.indexOf(kind); return (row) => row.parts[k] > 0; });
  only("label", (label) => { const code = (data.labels[0] ?? []).indexOf(label); return (row) => row.cells.some((cell) => cell && cell[2] === code); });
  for (const how of ["alone", "without"]) only(how, (name) => { const who = data.annotators.indexOf(name); return (row) => standsOut(row, how, who); });
  if (choice.row || choice.none) tests.push(meeting(data, choice));
  else if (choice.pair) {
    const [a, b] = choice.pair.map((name) => data.annotators.indexOf(name));
    tests.push((row) => { const [x, y] = [a, b].map((who) => row.scene.who.indexOf(who)); return x >= 0 && y >= 0 && unlike(data, row, x, y); });
  }
  return (row) => tests.every((test) => test(row));
}

// Whether places at which all agree are shown too; of items, a missing label is no disagreement.
function hasAll(choice) {
  return Boolean(choice.all || choice.kind || choice.without);
}

// Whether annotators differ at a place. Two labels may be next to each other on a scale, so that the size is about 0.
function differs(data) {
  if (isPlaced(data)) return (row) => row.size > 0;
  return (row) => row.size > 0 || new Set(row.cells.filter(Boolean).map((cell) => cell[2])).size > 1;
}

// Whether an annotator has nothing here, or something whose labels nobody else gave.
function standsOut(row, how, who) {
  const track = row.scene.who.indexOf(who);
  if (track < 0) return false;
  const own = row.cells[track];
  if (how === "without" || !own) return how === "without" && !own;
  const labels = String(own.slice(2));
  return row.cells.every((cell, other) => other === track || !cell || String(cell.slice(2)) !== labels);
}

function unlike(data, row, x, y) {
  const [one, other] = [row.cells[x], row.cells[y]];
  if (!one || !other) return Boolean(one) !== Boolean(other);
  if (!isPlaced(data)) return one[2] !== other[2];
  if (row.scene.texts.length < 2) return String(one) !== String(other);
  const text = (track) => textOf(row.scene, track, row.cells[track][0], row.cells[track][1], 1000);
  return String(one.slice(2)) !== String(other.slice(2)) || text(x) !== text(y);
}

// Whether an annotator has one thing, and another annotator a second thing: labels, no label, or no unit.
function meeting(data, choice) {
  const at = choice.feature ? data.features.indexOf(choice.feature[0]) : 0;
  const codes = (names) => { const wanted = new Set(names); return new Set((data.labels[at] ?? []).flatMap((label, code) => (wanted.has(label) ? [code] : []))); };
  const labelled = (names) => { const some = codes(names); return (cell) => cell && some.has(cell[2 + at]); };
  const special = { unit: (cell) => !cell, label: (cell) => cell && !(cell[2 + at] >= 0) };
  const sides = [choice.row, choice.column].filter(Boolean).map(labelled).concat((choice.none ?? []).map((none) => special[none] ?? (() => false)));
  const [one, other] = sides.length > 1 ? sides : [sides[0], () => true];
  const [a, b] = [0, 1].map((k) => (choice.pair?.[k] ? data.annotators.indexOf(choice.pair[k]) : null));
  const is = (row, track, who) => who === null || row.scene.who[track] === who;
  return (row) => row.cells.some((cell, x) => is(row, x, a) && one(cell) && row.cells.some((beside, y) => y !== x && is(row, y, b) && other(beside)));
}

// The conditions that no field shows, in words.
function saidChoice(choice) {
  const thing = (key) => (choice[key]?.length > 3 ? `${choice[key].length} labels` : choice[key]?.join(", "));
  const none = (choice.none ?? []).map((what) => `no ${what}`);
  const sides = [thing("row"), thing("column"), ...none].filter(Boolean);
  const [a, b] = choice.pair ?? [];
  if (!sides.length) return choice.pair ? `${a} and ${b} differ` : "";
  const [one, other] = choice.pair ? [a || "any annotator", b || "another"] : ["one annotator", "another"];
  return `${one}: ${sides[0]}, ${other}: ${sides[1] ?? "anything"}`;
}
