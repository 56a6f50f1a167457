// Units of several anchors: relations, events and units in pieces. Such a cell has `ends`, each [role, begin, end].

const PIECE = "piece";

// The text of a unit: that of its source → that of its target, or of its pieces.
function quoted(scene, track, cell, most) {
  if (!cell.ends) return textOf(scene, track, cell[0], cell[1], most);
  const texts = cell.ends.map(([, begin, end]) => textOf(scene, track, begin, end, most));
  return texts.includes(null) ? null : texts.join(cell.ends.every(([role]) => role === PIECE) ? " … " : " → ");
}

// Where a unit is, end by end.
function located(data, cell) {
  if (!cell.ends) return stretch(data, cell[0], cell[1]);
  return cell.ends.map(([role, begin, end]) => `${role} ${stretch(data, begin, end)}`).join(", ");
}

// All have the same labels: whose relation has an end elsewhere.
function otherEnds(data, row, what) {
  const given = row.cells.map((cell, track) => [cell, track]).filter(([cell]) => cell);
  const spelled = given.map(([cell]) => located(data, cell));
  const times = (one) => spelled.filter((other) => other === one).length;
  const most = Math.max(...spelled.map(times));
  const [common] = given[spelled.findIndex((one) => times(one) === most)];
  const others = given.filter((_, k) => spelled[k] !== located(data, common));
  if (!others.length) return what;
  if (others.length > MOST_NAMED) return `${what}, ${new Set(spelled).size} different sets of ends`;
  const said = others.map(([cell, track]) => `${data.annotators[row.scene.who[track]]} has ${otherThan(data, row.scene, track, cell, common)}`);
  return `${what}: ${said.join("; ")}`;
}

// In which ends a unit differs from another.
function otherThan(data, scene, track, cell, common) {
  const ofRole = (one, name) => (one.ends ?? [[PIECE, one[0], one[1]]]).filter(([role]) => role === name);
  const roles = [...new Set([cell, common].flatMap((one) => (one.ends ?? [[PIECE]]).map(([role]) => role)))];
  const said = roles.filter((role) => String(ofRole(cell, role)) !== String(ofRole(common, role))).map((role) => {
    const mine = ofRole(cell, role).map(([, begin, end]) => textOf(scene, track, begin, end, 40) ?? stretch(data, begin, end));
    return mine.length ? `${role} ${mine.join(" … ")}` : `no ${role}`;
  });
  return said.join(" and ");
}

// Where the ends of a missing unit would be: in the middle of those of the others, if these have the same roles.
function meanEnds(cells) {
  const roles = cells.map((cell) => cell.ends && cell.ends.map(([role]) => role).join("\n"));
  if (!roles[0] || roles.some((one) => one !== roles[0])) return undefined;
  const mean = (k, side) => cells.reduce((sum, cell) => sum + cell.ends[k][side], 0) / cells.length;
  return cells[0].ends.map(([role], k) => [role, mean(k, 1), mean(k, 2)]);
}

// The bars of a unit's ends that lie in a line, and how far its arc goes: to the edge, if an end lies in another line.
function placeEnds(cell, line, x) {
  if (!cell.ends) return undefined;
  return cell.ends.map(([role, begin, end]) => {
    const inside = (begin < line.end && end > line.begin) || (begin === end && begin >= line.begin && begin <= line.end);
    const [x0, x1] = [x(begin), x(end)].sort((a, b) => a - b);
    return { role, inside, x0, x1: inside ? Math.max(x1, x0 + SMALLEST) : x1, middle: (x0 + x1) / 2 };
  });
}

// The parts of two aligned units that are joined: ends of the same role, in the order of the text, or the units.
function joinedParts(upper, lower) {
  const pairs = [], all = (bar) => bar.ends ?? [];
  for (const role of new Set(all(upper).map((end) => end.role))) {
    const [mine, others] = [upper, lower].map((bar) => all(bar).filter((end) => end.role === role));
    mine.slice(0, others.length).forEach((end, k) => { if (end.inside && others[k].inside) pairs.push([end, others[k]]); });
  }
  return upper.ends && lower.ends ? pairs : [[upper, lower]];
}
