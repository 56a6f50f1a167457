// The arc of a relation, an event or a unit in pieces; the report and the desk draw the same ones.

const SVG = "http://www.w3.org/2000/svg";
const ARC = 20, ARC_BEND = 8, TIP = 4;

function svgElement(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// The arc above the ends of a unit: from the source, or an event's trigger, to the others; the label stands in a gap.
function drawArc(group, bar, label) {
  const top = bar.y - ARC + 5, stops = [...bar.ends].sort((a, b) => a.middle - b.middle);
  const first = stops[0], last = stops[stops.length - 1], bend = Math.min(ARC_BEND, (last.middle - first.middle) / 2);
  let widest = [first, first];
  stops.slice(1).forEach((stop, k) => {
    if (stop.middle - stops[k].middle > widest[1].middle - widest[0].middle) widest = [stops[k], stop];
  });
  const middle = (widest[0].middle + widest[1].middle) / 2, room = widest[1].middle - widest[0].middle - 2 * bend - 8;
  const fits = Math.floor(room / 6.9), legible = fits >= Math.min(label.length, 4), said = label.length > fits ? label.slice(0, fits - 1) + "…" : label;
  const half = (said.length * 6.9) / 2 + 3, gap = legible ? `H${middle - half}M${middle + half} ${top}` : "";
  const from = first.inside ? `M${first.middle} ${bar.y}Q${first.middle} ${top} ${first.middle + bend} ${top}` : `M${first.middle} ${top}`;
  const to = last.inside ? `H${last.middle - bend}Q${last.middle} ${top} ${last.middle} ${bar.y}` : `H${last.middle}`;
  const inner = stops.slice(1, -1).filter((stop) => stop.inside).map((stop) => `M${stop.middle} ${top}V${bar.y}`).join("");
  if (stops.length > 1) group.append(svgElement("path", { class: "link", d: from + gap + to + inner }));
  const head = bar.ends.find((end) => end.role === "source") ?? bar.ends.find((end) => end.role === "trigger");
  for (const end of bar.ends) {
    if (!head || end === head || !end.inside) continue;
    group.append(svgElement("path", { class: "tip", d: `M${end.middle - TIP} ${bar.y - 1.5 * TIP}h${2 * TIP}L${end.middle} ${bar.y}Z` }));
  }
  if (legible) group.append(svgElement("text", { class: "label said", x: middle, y: top + 4, "text-anchor": "middle" }, said));
}
