// The whole document as a strip: where annotators disagree, and which part of it is drawn below.

const STRIP = 34, BIN = 4, HANDLE = 7, LEAST_SHARE = 0.002;

function drawOverview(state) {
  const box = byId("overview");
  if (!box) return;
  const { row, data } = state;
  box.hidden = !row;
  if (!row) return;
  const scene = row.scene, [low, high] = scene.bounds;
  const width = Math.max(box.clientWidth || 640, 200), scale = width / (high - low || 1);
  const x = (position) => Math.min(Math.max((position - low) * scale, 0), width);
  const svg = svgElement("svg", { class: "strip", width, height: STRIP, viewBox: `0 0 ${width} ${STRIP}` });
  svg.append(svgElement("rect", { class: "track", width, height: STRIP, rx: 4 }));
  for (const [at, size] of worstByBin(data, scene, x, width)) {
    const share = Math.min(size / data.worst, 1), height = Math.max(share * (STRIP - 6), 3);
    svg.append(svgElement("rect", { class: `join d${level(size / data.worst)} now`, x: at * BIN, width: BIN, y: STRIP - 2 - height, height }));
  }
  const [from, to] = state.drawn ?? row.extent;
  const left = x(from), right = Math.max(x(to), left + 4);
  const brush = svgElement("rect", { class: "brush", x: left, y: 0.75, width: right - left, height: STRIP - 1.5, rx: 4, tabindex: 0, role: "slider" });
  const said = `${placed(data, from)} to ${placed(data, to)} of ${placed(data, high)}`;
  for (const [name, value] of Object.entries({ label: `Part of ${scene.name} that is drawn`, valuemin: low, valuemax: high, valuenow: from, valuetext: said })) brush.setAttribute(`aria-${name}`, value);
  svg.append(brush, svgElement("path", { class: "here", d: `M${x((row.extent[0] + row.extent[1]) / 2)} ${STRIP} l-4 6 h8 z` }));
  svg.setAttribute("height", STRIP + 7);
  svg.setAttribute("viewBox", `0 0 ${width} ${STRIP + 7}`);
  const wasFocused = document.activeElement?.classList.contains("brush");
  box.replaceChildren(svg, zoomButtons(state), element("span", { class: "note" }, said));
  if (wasFocused) brush.focus({ preventScroll: true });
  brush.addEventListener("keydown", (event) => onBrushKey(state, event));
  svg.addEventListener("pointerdown", (event) => startBrush(state, svg, event, { low, high, scale, left, right }));
}

// The greatest disorder in each stretch of the strip, so that few elements show many places.
function worstByBin(data, scene, x, width) {
  if (scene.bins?.width !== width) {
    const bins = new Map();
    for (const row of scene.rows) {
      if (!(row.size > 0)) continue;
      const first = Math.floor(x(row.extent[0]) / BIN), last = Math.max(Math.ceil(x(row.extent[1]) / BIN), first + 1);
      for (let at = first; at < last; at++) if (!(bins.get(at) >= row.size)) bins.set(at, row.size);
    }
    scene.bins = { width, found: [...bins] };
  }
  return scene.bins.found;
}

function zoomButtons(state) {
  const box = element("div", { class: "zoom", role: "group", "aria-label": "Zoom" });
  const add = (text, name, press) => {
    const button = element("button", { type: "button", class: "button", "aria-label": name, title: name }, text);
    button.addEventListener("click", press);
    box.append(button);
  };
  add("−", "Show more", () => zoom(state, 2));
  add("+", "Show less", () => zoom(state, 0.5));
  add("all", "Show the whole document", () => see(state, [...state.row.scene.bounds]));
  add("place", "Show this place", () => see(state, null));
  return box;
}

// Draw a part of the document; null for what suits the place.
function see(state, view) {
  const [low, high] = state.row.scene.bounds;
  if (view) {
    const length = Math.min(Math.max(view[1] - view[0], (high - low) * LEAST_SHARE, 1e-9), high - low);
    const from = Math.min(Math.max(view[0], low), high - length);
    view = [from, from + length];
  }
  state.view = view;
  drawPicture(state);
}

function zoom(state, factor) {
  const [from, to] = state.drawn ?? state.row.extent, [begin, end] = state.row.extent;
  const middle = begin < to && end > from ? (Math.max(begin, from) + Math.min(end, to)) / 2 : (from + to) / 2;
  see(state, [middle - (middle - from) * factor, middle + (to - middle) * factor]);
}

function onBrushKey(state, event) {
  const [from, to] = state.drawn ?? state.row.extent, step = (to - from) / 4;
  const moves = { ArrowLeft: -step, ArrowRight: step, PageUp: -4 * step, PageDown: 4 * step };
  if (event.key in moves) see(state, [from + moves[event.key], to + moves[event.key]]);
  else if (event.key === "+" || event.key === "=") zoom(state, 0.5);
  else if (event.key === "-" || event.key === "−") zoom(state, 2);
  else if (event.key === "Home" || event.key === "End") {
    const [low, high] = state.row.scene.bounds;
    see(state, event.key === "Home" ? [low, low + to - from] : [high - to + from, high]);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

// Drag the shown part or its ends, or choose another; a click moves it there.
function startBrush(state, svg, event, { low, scale, left, right }) {
  const box = svg.getBoundingClientRect(), zoomed = svg.clientWidth ? box.width / svg.clientWidth : 1;
  const at = (one) => (one.clientX - box.left) / zoomed;
  const start = at(event), position = (place) => low + place / scale;
  const edge = Math.abs(start - left) < HANDLE && right - left > 3 * HANDLE ? "left" : Math.abs(start - right) < HANDLE && right - left > 3 * HANDLE ? "right" : "";
  const inside = start > left && start < right;
  const [from, to] = state.drawn ?? state.row.extent;
  let view = null;
  const move = (one) => {
    const now = at(one);
    if (Math.abs(now - start) < 3 && !view) return;
    const by = (now - start) / scale;
    if (edge === "left") view = [Math.min(from + by, to), to];
    else if (edge === "right") view = [from, Math.max(to + by, from)];
    else if (inside) view = [from + by, to + by];
    else view = [position(Math.min(start, now)), position(Math.max(start, now))];
    svg.querySelector(".brush").setAttribute("x", Math.max((view[0] - low) * scale, 0));
    svg.querySelector(".brush").setAttribute("width", Math.max((view[1] - view[0]) * scale, 4));
  };
  const stop = () => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", stop);
    removeEventListener("pointercancel", stop);
    if (view) see(state, view);
    else if (!inside) see(state, [position(start) - (to - from) / 2, position(start) + (to - from) / 2]);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", stop);
  addEventListener("pointercancel", stop);
  event.preventDefault();
}
