// A place as tables: what each annotator has there and, if texts differ, the neighbouring places.

// What each annotator has here.
function unitsTable(data, row) {
  const atPoint = data.sort === "boundaries", placed = isPlaced(data), byEnds = row.cells.some((cell) => cell && cell.ends), withText = placed && !atPoint && row.scene.texts.length > 0, inUnit = data.unit === "s" ? " (s)" : "";
  const heads = ["annotator", ...(data.features.length ? data.features : placed ? [] : ["label"]), ...(atPoint ? [`at${inUnit}`] : byEnds ? ["ends"] : placed ? [`from${inUnit}`, `to${inUnit}`] : []), ...(withText ? ["text"] : [])];
  const all = row.cells.map((_, track) => track), given = all.filter((track) => row.cells[track]);
  const folded = data.sort === "items" && all.length > MOST_LISTED && given.length < all.length - 1;
  const tracks = folded ? given : all;
  const lines = tracks.map((track) => {
    const cell = row.cells[track], who = row.scene.who[track];
    if (!cell) return [data.annotators[who], withoutUnit(data, row, track)];
    const labels = data.features.map((_, k) => (cell[2 + k] < 0 ? "–" : data.labels[k][cell[2 + k]]));
    const where = atPoint ? [written(cell[0])] : byEnds ? [located(data, cell)] : placed ? [written(cell[0]), written(cell[1])] : [];
    return [data.annotators[who], ...labels, ...where, ...(withText ? [quoted(row.scene, track, cell, 240)] : [])];
  });
  if (folded) lines.push([`${all.length - given.length} others`, "no label"]);
  const made = tableOf(data.sort === "items" ? "Labels of this item" : "What each annotator has here", heads, lines);
  made.querySelectorAll("tbody tr").forEach((line, index) => {
    const code = row.cells[tracks[index]]?.[2];
    if (code >= 0) line.cells[1].prepend(cellSwatch(data, code));
  });
  return made;
}

// Texts that differ have no common line to draw on: the neighbouring places as rows of a table.
function neighbourhood(state) {
  const { data, row } = state;
  const all = row.scene.rows, at = all.indexOf(row);
  const some = all.slice(Math.max(at - 4, 0), at + 5);
  const show = (other, cell, track) => {
    if (!cell) return "–";
    const text = textOf(other.scene, track, cell[0], cell[1], 120) ?? stretch(data, cell[0], cell[1]);
    const labels = data.features.length ? labelsOf(data, cell) : "";
    return labels && labels !== "no label" ? `${text} (${labels})` : text;
  };
  const lines = some.map((other) => [String(other.number), ...other.cells.map((cell, track) => show(other, cell, track))]);
  const made = tableOf("Neighbouring places", ["no.", ...row.scene.who.map((who) => data.annotators[who])], lines);
  made.tBodies[0].rows[some.indexOf(row)].classList.add("now");
  return made;
}

function isNumeric(head) {
  return /^(from|to)( \(s\))?$/.test(head);
}

function tableOf(caption, heads, lines) {
  const table = element("table", { class: "plain" });
  table.append(element("caption", {}, caption));
  const head = table.createTHead().insertRow();
  for (const name of heads) head.append(element("th", { scope: "col", ...(isNumeric(name) ? { class: "number" } : {}) }, name));
  const body = table.createTBody();
  for (const [name, ...cells] of lines) {
    const line = body.insertRow();
    line.append(element("th", { scope: "row" }, name));
    cells.forEach((text, k) => {
      const cell = element("td", {}, text);
      if (cells.length === 1 && heads.length > 2) cell.colSpan = heads.length - 1;
      else if (isNumeric(heads[k + 1])) cell.className = "number";
      line.append(cell);
    });
  }
  return table;
}
