// Labels of the data: their words, their colours, and the letters that choose them.

export class Labels {
  constructor(data) {
    this.sort = data.sort;
    this.annotators = data.annotators;
    this.features = data.features;
    this.roles = data.roles ?? [];
    this.paints = new Map((data.features[0]?.labels ?? []).map(([value, , , paint]) => [keyOf(value), paint]));
    this.spoken = new Map(data.features.flatMap((one) => one.labels.map(([value, words]) => [keyOf(value), words])));
  }

  // The words of a label.
  words(value) {
    if (value === null || value === undefined) return this.features.length ? "no label" : "unit";
    return this.spoken.get(keyOf(value)) ?? (Array.isArray(value) ? value.join(" + ") : String(value));
  }

  // The words of all labels of a unit, but for those that all units have.
  of(features) {
    const given = this.features.filter((one) => !one.same).map((one) => features?.[one.name]).filter((value) => value !== null && value !== undefined);
    return given.length ? given.map((value) => this.words(value)).join(" · ") : this.features.length ? "no label" : "unit";
  }

  // The classes that paint a label of the first feature.
  paint(value) {
    if (!this.features.length) return "c0";
    return this.paints.get(keyOf(value ?? null)) ?? "none";
  }

  paintOf(features) {
    return this.paint(this.features.length ? features?.[this.features[0].name] : null);
  }

  name(who, hidden) {
    return hidden ? letterOf(who) : this.annotators[who];
  }
}

function letterOf(who) {
  return who < 26 ? String.fromCharCode(65 + who) : `${String.fromCharCode(65 + (who % 26))}${Math.floor(who / 26)}`;
}

export function keyOf(value) {
  return JSON.stringify(typeof value === "number" ? Number(value) : value);
}

// A letter for each label: its own first letter, or another one of it, or any that is free.
export function hintsOf(words) {
  const taken = new Set(), free = [..."abcdefghijklmnopqrstuvwxyz"];
  return words.map((text) => {
    const letters = [...text.toLowerCase()].filter((letter) => /[a-z]/.test(letter));
    const hint = [...letters, ...free].find((letter) => !taken.has(letter)) ?? "";
    taken.add(hint);
    return hint;
  });
}
