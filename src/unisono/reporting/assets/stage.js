// The picture of a place: the text or the timeline around it, a track per annotator, and bands between aligned units.

const LANE = 20, LANE_GAP = 3, TRACK_GAP = 16, SMALLEST = 3;
const BOUNDARY = 7, MOST_LINES = 7, MOST_DRAWN = 500, COLOURS = 8;

// The characters of a text from one position to another; null where the page does not have them.
function charactersOf(pieces, begin, end) {
  const found = [];
  for (const piece of pieces) {
    if (typeof piece[1] === "string") piece[1] = Array.from(piece[1]); // positions count code points
    const [offset, characters] = piece;
    if (offset >= end || offset + characters.length <= begin) continue;
    while (found.length < offset - begin) found.push(null);
    found.push(...characters.slice(Math.max(begin - offset, 0), end - offset));
  }
  return found;
}

function textOf(scene, track, begin, end, most) {
  const pieces = scene.texts[scene.texts.length === 1 ? 0 : track];
  if (!pieces) return null;
  const characters = charactersOf(pieces, begin, Math.min(end, begin + most)).map((one) => one ?? "…");
  return characters.join("").replace(/\s+/g, " ") + (end - begin > most ? "…" : "");
}

function extent(row) {
  const cells = row.cells.filter(Boolean);
  return [Math.min(...cells.map((cell) => cell[0])), Math.max(...cells.map((cell) => cell[1]))];
}

// Draw a place of units, or the part of the document that was chosen, and return which part is drawn; `choose` is called
// when another place is clicked.
function drawStage(stage, data, row, choose, chosen) {
  const scene = row.scene;
  const names = scene.who.map((who) => data.annotators[who]);
  const width = Math.max(stage.clientWidth || 640, 320);
  const longest = Math.max(5, ...names.map((name) => name.length));
  const gutter = Math.min(longest * 8.2 + 14, 130, width * 0.28);
  const across = Math.floor((width - gutter - 6) / CHARACTER);
  const lines = chosen ? linesOf(scene, chosen, across) : linesAround(row, across);
  const [first, last] = [lines[0].begin, lines[lines.length - 1].end];
  const near = scene.rows.filter((other) => {
    const [begin, end] = other.extent;
    return begin <= last && end >= first;
  });
  if (near.length > MOST_DRAWN) {
    const [begin] = row.extent;
    near.sort((a, b) => Math.abs(a.extent[0] - begin) - Math.abs(b.extent[0] - begin)).splice(MOST_DRAWN);
    if (!near.includes(row)) near.push(row);
  }
  const shown = near.flatMap((other) => other.cells.filter(Boolean));
  const cuts = [...new Set(shown.flatMap((cell) => [cell[0], cell[1], ...(cell.ends ?? []).flatMap(([, begin, end]) => [begin, end])]))];
  const headroom = shown.some((cell) => cell.ends) ? ARC : 0;
  const view = { data, scene, names, width, gutter, row, near, cuts, headroom, lane: headroom + LANE + LANE_GAP, choose };
  const svg = svgElement("svg", { class: "tracks", role: "img", width });
  svg.setAttribute("aria-label", `Tracks of ${names.join(", ")}; the table below has the same information`);
  let y = 4;
  for (const line of lines) y = drawLine(svg, view, line, y);
  svg.setAttribute("height", y);
  svg.setAttribute("viewBox", `0 0 ${width} ${y}`);
  stage.replaceChildren(svg);
  return [first, last];
}

// The lines of a part that was chosen; if the text does not fit, a timeline.
function linesOf(scene, [from, to], across) {
  const begin = Math.max(Math.floor(from), Math.floor(scene.bounds[0])), end = Math.min(Math.ceil(to), Math.ceil(scene.bounds[1]));
  if (scene.texts.length !== 1 || end - begin > across * MOST_LINES) return [{ begin: from, end: to, characters: null }];
  return brokenLines(begin, charactersOf(scene.texts[0], begin, end), across, () => false);
}

// The stretch around a place: lines of text, or one line that is a timeline.
function linesAround(row, across) {
  const scene = row.scene;
  const [begin, end] = row.extent;
  const [low, high] = scene.bounds;
  const length = end - begin;
  if (scene.texts.length !== 1 || length > across * (MOST_LINES - 1)) {
    return [timeline(row)];
  }
  const wanted = Math.ceil((length + across * 0.7) / across);
  let from = Math.max(Math.floor(low), Math.floor(begin - (wanted * across - length) / 2));
  const characters = charactersOf(scene.texts[0], from, Math.ceil(Math.min(high, end + across * 2)));
  let skip = 0;
  while (from > low && skip < 15 && characters[skip] !== undefined && !isSpace(characters[skip])) skip++;
  skip = from > low && skip < 15 && from + skip < begin ? skip + 1 : 0;
  const lines = brokenLines(from, characters, across, (last, n) => last >= end && n >= wanted, skip);
  return lines.length ? lines : [{ begin, end: Math.max(end, begin + 1), characters: null }];
}

// Break text into lines between words, until `enough`.
function brokenLines(from, characters, across, enough, skip = 0) {
  const lines = [];
  for (let at = skip; at < characters.length && lines.length < MOST_LINES; ) {
    let size = Math.min(across, characters.length - at);
    if (at + size < characters.length) {
      let cut = size;
      while (cut > size * 0.6 && !isSpace(characters[at + cut - 1])) cut--;
      if (cut > size * 0.6) size = cut;
    }
    lines.push(measureLine({ begin: from + at, end: from + at + size, characters: characters.slice(at, at + size) }));
    at += size;
    if (enough(from + at, lines.length)) break;
  }
  return lines;
}

// A stretch of a timeline that also shows some neighbours, but not so many that the place is hard to see.
function timeline(row) {
  const [begin, end] = row.extent;
  const [low, high] = row.scene.bounds;
  const at = row.scene.rows.indexOf(row);
  const before = row.scene.rows[Math.max(at - 4, 0)].extent[0];
  const after = row.scene.rows[Math.min(at + 4, row.scene.rows.length - 1)].extent[1];
  const length = end - begin || (high - low) * 0.05 || 1;
  const pad = (distance) => Math.min(Math.max(distance, length * 0.5), length * 6);
  const first = Math.max(low, begin - pad(begin - before)), last = Math.min(high, end + pad(after - end));
  return { begin: first, end: Math.max(last, first + length), characters: null };
}

// Where a position is drawn.
function scaleOf(line, gutter, width) {
  const within = (position) => Math.min(Math.max(position, line.begin), line.end);
  if (line.characters) return (position) => gutter + along(line, within(position));
  const scale = (width - gutter - 6) / (line.end - line.begin || 1);
  return (position) => gutter + (within(position) - line.begin) * scale;
}

function drawLine(svg, view, line, top) {
  const { gutter, width, names } = view;
  const x = scaleOf(line, gutter, width);
  if (line.characters) {
    svg.append(svgElement("text", { class: "place", x: gutter - 8, y: top + 13, "text-anchor": "end" }, written(line.begin)));
    drawWords(svg, line, gutter, top + 13, view.cuts);
  } else drawTicks(svg, view, line, x, top + 13);
  const bars = placeBars(view, line, x);
  const lanes = names.map((_, track) => 1 + Math.max(0, ...bars.filter((bar) => bar.track === track).map((bar) => bar.lane)));
  const tops = [];
  let y = top + 22;
  for (const n of lanes) {
    tops.push(y);
    y += n * view.lane - LANE_GAP + TRACK_GAP;
  }
  const right = line.characters ? gutter + line.width : width - 6;
  names.forEach((name, track) => {
    const height = lanes[track] * view.lane - LANE_GAP + 6;
    svg.append(svgElement("rect", { class: "track", x: gutter, y: tops[track] - 3, width: right - gutter, height, rx: 4 }));
    const most = Math.floor((gutter - 10) / 8.2);
    const text = svgElement("text", { class: "name", x: gutter - 8, y: tops[track] + 14, "text-anchor": "end" }, abridged(name, most));
    svg.append(text);
  });
  for (const bar of bars) bar.y = tops[bar.track] + bar.lane * view.lane + view.headroom;
  drawJoins(svg, view, bars);
  for (const bar of bars) drawBar(svg, view, bar);
  return y - TRACK_GAP + 18;
}

function drawTicks(svg, view, line, x, y) {
  const rough = (line.end - line.begin) / 6;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough * 0.999);
  for (let tick = Math.ceil(line.begin / step) * step; tick <= line.end; tick += step) {
    svg.append(svgElement("text", { class: "place", x: x(tick), y, "text-anchor": "middle" }, placed(view.data, tick)));
  }
}

// Where each unit of the stretch is drawn; units that overlap go to different lanes.
function placeBars(view, line, x) {
  const bars = [];
  view.scene.who.forEach((_, track) => {
    const lanes = [];
    const mine = [];
    for (const row of view.near) {
      const cell = row.cells[track] || (row === view.row ? ghost(row) : null);
      if (!cell || cell[0] > line.end || cell[1] < line.begin) continue;
      const touches = cell[0] < line.end && cell[1] > line.begin;
      if (!touches && cell[0] !== cell[1]) continue;
      if (!touches && cell[0] === line.end && line.end < view.scene.bounds[1]) continue;
      const [x0, x1] = [x(cell[0]), x(cell[1])].sort((a, b) => a - b);
      const wide = view.data.sort === "boundaries" ? BOUNDARY : 0;
      mine.push({ row, track, cell, ghost: !row.cells[track], ends: placeEnds(cell, line, x), x0: x0 - wide / 2, x1: Math.max(x1 + wide / 2, x0 + SMALLEST) });
    }
    mine.sort((a, b) => a.x0 - b.x0 || b.x1 - a.x1);
    for (const bar of mine) {
      let lane = lanes.findIndex((end) => end <= bar.x0 + 0.01);
      if (lane < 0) lane = lanes.push(0) - 1;
      lanes[lane] = bar.x1;
      bars.push({ ...bar, lane });
    }
  });
  return bars;
}

// A missing unit is shown where the others have theirs.
function ghost(row) {
  const cells = row.cells.filter(Boolean);
  const mean = (k) => cells.reduce((sum, cell) => sum + cell[k], 0) / cells.length;
  return Object.assign([mean(0), mean(1)], { ends: meanEnds(cells) });
}

function drawJoins(svg, view, bars) {
  for (const row of view.near) {
    const mine = bars.filter((bar) => bar.row === row && !bar.ghost).sort((a, b) => a.track - b.track);
    for (let k = 1; k < mine.length; k++) {
      const [upper, lower] = [mine[k - 1], mine[k]];
      const now = row === view.row ? " now" : "";
      for (const [one, other] of joinedParts(upper, lower)) {
        const points = [[one.x0, upper.y + LANE], [one.x1, upper.y + LANE], [other.x1, lower.y], [other.x0, lower.y]];
        svg.append(svgElement("polygon", { class: `join d${level(row.size / view.data.worst)}${now}`, points: points.join(" ") }));
      }
    }
  }
}

function drawBar(svg, view, bar) {
  const { row, cell, x0, x1, y } = bar;
  const group = svgElement("g", { class: "unit" + (row === view.row ? " now" : "") + (bar.ghost ? " ghost" : "") });
  const other = bar.ghost ? instead(view.data, row, bar.track) : "";
  const label = bar.ghost ? `no ${thing(view.data)}` : labelsOf(view.data, cell);
  const code = bar.ghost ? -1 : cell.length > 2 ? cell[2] : 0, paint = code < 0 ? code : (view.data.paints[code] ?? code);
  const colour = bar.ghost ? "" : code < 0 ? " none" : ` c${paint % COLOURS}`;
  for (const part of bar.ends ? bar.ends.filter((end) => end.inside).sort((a, b) => b.x1 - b.x0 - (a.x1 - a.x0)) : [bar]) {
    const place = { x: part.x0, y, width: part.x1 - part.x0, height: LANE, rx: 3 };
    group.append(svgElement("rect", { class: "under", ...place }));
    group.append(svgElement("rect", { class: "body" + colour, ...place }));
    if (paint < COLOURS) continue;
    const stripe = (paint + Math.floor(paint / COLOURS)) % COLOURS;
    group.append(svgElement("rect", { class: `c${stripe}`, x: part.x0 + 1, y: y + LANE - 5, width: Math.max(place.width - 2, 1), height: 4 }));
  }
  const fits = Math.floor((x1 - x0 - 6) / 6.9);
  if (bar.ends && bar.ends.length > 1) drawArc(group, bar, label);
  else if (fits >= 2) {
    const said = label.length > fits ? label.slice(0, fits - 1) + "…" : label;
    group.append(svgElement("text", { class: "label", x: (x0 + x1) / 2, y: y + 14, "text-anchor": "middle" }, said));
  }
  const where = bar.ghost ? (other ? ` of its own; ${other}` : "") : ` ${located(view.data, cell)}`;
  group.append(svgElement("title", {}, `${view.names[bar.track]}: ${label}${where}, disorder ${row.size.toFixed(2)}`));
  group.addEventListener("click", () => view.choose(row));
  svg.append(group);
}

// Names are shortened in the middle because they often differ at the end.
function abridged(name, most) {
  const letters = Array.from(name);
  if (letters.length <= most) return name;
  const tail = Math.floor(most * 0.4);
  return `${letters.slice(0, most - tail - 1).join("")}…${letters.slice(letters.length - tail).join("")}`;
}

function labelsOf(data, cell) {
  const labels = cell.slice(2).map((code, k) => (code < 0 ? null : data.labels[k][code])).filter((one) => one !== null);
  return labels.length ? labels.join(" · ") : data.features.length ? "no label" : thing(data);
}

function level(size) {
  return [0, 0.25, 0.5, 0.75].filter((limit) => size > limit + 1e-9).length;
}

// A position with its unit, and a stretch.
function placed(data, position) {
  return written(position) + (data.unit === "s" ? " s" : "");
}

function stretch(data, begin, end) {
  return `${written(begin)}–${placed(data, end)}`;
}

function written(position) {
  const rounded = Math.abs(position) < 1 ? Number(position.toPrecision(3)) : Math.round(position * 1000) / 1000;
  return String(rounded).replace("-", "−");
}
