// A line of text: where its characters are, and how its words are drawn there.
//
// Positions count code points. A character that a reader sees may have several (an accent, a family of emoji), and
// Hebrew and Arabic run from right to left; so a line knows how far each position is from its beginning.

const CHARACTER = 7.9;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const WIDE = /\p{Emoji_Presentation}|\u200d/u;

// Find where each position of a line is, in widths of a character, and whether the line runs from right to left.
function measureLine(line) {
  const offsets = [0];
  for (const cluster of clustersOf(line.characters)) {
    const width = Math.min(cluster.length, WIDE.test(cluster.join("")) ? 2 : 1);
    const begin = offsets[offsets.length - 1];
    cluster.forEach((_, k) => offsets.push(begin + ((k + 1) * width) / cluster.length));
  }
  const letters = line.characters.filter((one) => one !== null && /\p{L}/u.test(one));
  const leftwards = letters.filter((one) => RIGHT_TO_LEFT.test(one)).length;
  return { ...line, offsets, width: offsets[offsets.length - 1] * CHARACTER, rtl: leftwards > letters.length / 2 };
}

// The characters that a reader sees, each a list of code points.
function clustersOf(characters) {
  const text = characters.map((one) => one ?? "\0");
  if (!Intl.Segmenter || text.every((one) => /^[\0-\u02ff]$/.test(one))) return text.map((one) => [one]);
  return [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text.join(""))].map(({ segment }) => Array.from(segment));
}

// How far a position is from the left, in pixels; there may be no character at it, or only a part of one.
function along(line, position) {
  const place = position - line.begin, low = Math.floor(place);
  const before = line.offsets[low], after = line.offsets[low + 1] ?? before;
  const distance = (before + (after - before) * (place - low)) * CHARACTER;
  return line.rtl ? line.width - distance : distance;
}

// Words are drawn where their positions are, whatever the width of the font. A word that runs in the opposite direction
// to its line is split if a unit begins or ends within it; otherwise the wrong letters would be marked.
function drawWords(svg, line, gutter, y, cuts) {
  let begin = null;
  const flush = (end) => {
    if (begin === null) return;
    const characters = line.characters.slice(begin, end);
    const within = cuts.some((cut) => cut > line.begin + begin && cut < line.begin + end);
    if (!within || runsAlong(line, characters)) drawStretch(svg, line, gutter, y, begin, characters);
    else {
      let at = begin;
      for (const cluster of clustersOf(characters)) {
        drawStretch(svg, line, gutter, y, at, cluster);
        at += cluster.length;
      }
    }
    begin = null;
  };
  line.characters.forEach((character, index) => {
    if (isSpace(character)) flush(index);
    else begin ??= index;
  });
  flush(line.characters.length);
}

function runsAlong(line, characters) {
  const right = characters.some((one) => RIGHT_TO_LEFT.test(one));
  const left = characters.some((one) => /[\p{L}\p{N}]/u.test(one) && !RIGHT_TO_LEFT.test(one));
  return line.rtl ? !left : !right;
}

function drawStretch(svg, line, gutter, y, begin, characters) {
  const from = line.begin + begin;
  const [one, other] = [along(line, from), along(line, from + characters.length)];
  const at = { class: "source", x: gutter + one, y, textLength: Math.abs(other - one), lengthAdjust: "spacingAndGlyphs" };
  if (line.rtl) at.direction = "rtl";
  svg.append(svgElement("text", at, characters.join("")));
}

function isSpace(character) {
  return character === null || /\s/.test(character);
}
