// What differs at a place, in words, what differs most before where it is.

const MOST_NAMED = 3, MOST_GROUPS = 4;

// What an annotator has, as one word or two.
function having(data, row, track) {
  const cell = row.cells[track];
  if (!cell) return `no ${thing(data)}`;
  if (row.scene.texts.length > 1) {
    const text = textOf(row.scene, track, cell[0], cell[1], 40);
    const labels = data.features.length ? labelsOf(data, cell) : "";
    return labels && labels !== "no label" ? `${text} (${labels})` : text;
  }
  return labelsOf(data, cell);
}

function difference(data, row) {
  const groups = new Map();
  row.cells.forEach((_, track) => {
    const what = having(data, row, track);
    groups.set(what, [...(groups.get(what) ?? []), track]);
  });
  if (data.sort === "items" && groups.size > 1 && row.cells.length > MOST_GROUPS) groups.delete("no label"); // a crowd labels few items each
  if (groups.size === 1) return isPlaced(data) ? bounds(data, row, [...groups.keys()][0]) : `all: ${[...groups.keys()][0]}`;
  const sorted = [...groups].sort((a, b) => a[1].length - b[1].length || a[1][0] - b[1][0]);
  const names = (tracks) => tracks.map((track) => data.annotators[row.scene.who[track]]).join(", ");
  if (sorted.length === 2 && sorted[0][1].length <= MOST_NAMED && sorted[1][1].length > sorted[0][1].length) {
    return `${names(sorted[0][1])}: ${sorted[0][0]}; others: ${sorted[1][0]}`;
  }
  if (sorted.length <= MOST_GROUPS && sorted.every(([, tracks]) => tracks.length <= MOST_NAMED)) {
    return sorted.sort((a, b) => a[1][0] - b[1][0]).map(([what, tracks]) => `${names(tracks)}: ${what}`).join("; ");
  }
  const counted = sorted.reverse().map(([what, tracks]) => `${tracks.length} × ${what}`);
  return counted.slice(0, MOST_GROUPS + 1).join(", ") + (counted.length > MOST_GROUPS + 1 ? " …" : "");
}

// All have the same labels: whose unit begins or ends elsewhere.
function bounds(data, row, what) {
  if (row.cells.some((cell) => cell && cell.ends)) return otherEnds(data, row, what);
  const given = row.cells.map((cell, track) => [cell, track]).filter(([cell]) => cell);
  const counts = new Map();
  for (const [cell] of given) counts.set(`${cell[0]} ${cell[1]}`, (counts.get(`${cell[0]} ${cell[1]}`) ?? 0) + 1);
  const [common] = [...counts].sort((a, b) => b[1] - a[1])[0];
  const [begin, end] = common.split(" ").map(Number);
  const others = given.filter(([cell]) => cell[0] !== begin || cell[1] !== end);
  if (!others.length || row.scene.texts.length > 1) return what;
  if (others.length > MOST_NAMED) return `${what}, ${counts.size} different extents`;
  const said = others.map(([cell, track]) => `${data.annotators[row.scene.who[track]]} ${moved(data, cell, begin, end)}`);
  return `${what}: ${said.join("; ")}`;
}

function moved(data, cell, begin, end) {
  const by = (distance) => `${written(Math.abs(distance))}${data.unit === "s" ? " s" : ""}`;
  const way = (distance, verb) => (distance ? [`${verb} ${by(distance)} ${distance > 0 ? "later" : "earlier"}`] : []);
  return [...way(cell[0] - begin, "begins"), ...way(cell[1] - end, "ends")].join(" and ");
}

// Another unit of an annotator who has none at this place: whether it covers the place, or overlaps it.
function instead(data, row, track) {
  row.instead ??= [];
  if (row.cells[track] || !isPlaced(data) || row.scene.texts.length > 1) return "";
  if (data.sort === "boundaries") return row.instead[track] ??= nearest(data, row, track);
  if (row.cells.some((cell) => cell && cell.ends)) return ""; // what lies between ends is not covered
  row.instead[track] ??= (() => {
    const [begin, end] = row.extent;
    let best = null, most = 0;
    for (const other of row.scene.rows) {
      const cell = other.cells[track];
      const shared = cell && !cell.ends ? Math.min(cell[1], end) - Math.max(cell[0], begin) : 0;
      if (shared > most) [best, most] = [cell, shared];
    }
    if (!best) return "";
    return `${labelsOf(data, best)} ${best[0] <= begin && best[1] >= end ? "covers" : "overlaps"} it`;
  })();
  return row.instead[track];
}

// How far an annotator's next boundary is away.
function nearest(data, row, track) {
  const [at] = row.extent;
  const distances = row.scene.rows.filter((other) => other.cells[track]).map((other) => other.cells[track][0] - at);
  const [closest] = distances.sort((a, b) => Math.abs(a) - Math.abs(b));
  if (closest === undefined) return "";
  return `the nearest is ${written(Math.abs(closest))}${data.unit === "s" ? " s" : ""} ${closest > 0 ? "later" : "earlier"}`;
}

function withoutUnit(data, row, track) {
  const other = instead(data, row, track);
  if (data.sort === "boundaries") return other ? `no boundary; ${other}` : "no boundary";
  return other ? `no unit of its own; ${other}` : `no ${thing(data)}`;
}
