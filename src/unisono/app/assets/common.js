// What all scripts share: asking the server, copying texts.

export async function get(address) {
  return answered(await reached(() => fetch(address, { headers: { Accept: "application/json" } })));
}

export async function post(address, content = {}) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  return answered(await reached(() => fetch(address, { method: "POST", headers, body: JSON.stringify(content) })));
}

// A position for people.
export function written(position) {
  return String(Math.round(position * 1000) / 1000).replace("-", "−");
}

// A stretch for people; fractions are seconds of a recording.
export function stretch(start, end, whole) {
  return `${written(start)}–${written(end)}${whole ? "" : " s"}`;
}

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function reached(ask) {
  try {
    return await ask();
  } catch {
    throw new Refused("The app does not answer; it may have stopped. Start it again with unisono serve.", 0);
  }
}

async function answered(response) {
  const isData = response.headers.get("Content-Type")?.startsWith("application/json");
  const found = isData ? await response.json() : null;
  if (response.ok && isData) return found;
  if (response.status === 403) throw new Refused("The app was restarted: open the new address that the terminal shows.", 403);
  throw new Refused(found?.error ?? `The app answered with ${response.status}.`, response.status);
}

export function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...content.filter((one) => one !== null && one !== undefined));
  return made;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copies]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copies);
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(text); // a browser that does not allow it: selected, to be copied by hand
    button.textContent = "Selected";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
});
