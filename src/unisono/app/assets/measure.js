// Measuring: a measure that is chosen shows its parameters; runs show their progress, and their results when they end.

import { get } from "./common.js";
import { show } from "./watch.js";

const chooser = document.getElementById("choose");
chooser?.addEventListener("change", () => chooser.requestSubmit());

async function watchRuns(section) {
  while (document.querySelector('[data-run][data-state="running"]')) {
    try {
      const { runs } = await get(section.dataset.runs);
      for (const box of document.querySelectorAll('[data-run][data-state="running"]')) {
        const state = runs[box.dataset.run];
        if (!state || state.state !== "running") {
          location.hash = box.id;
          return location.reload();
        }
        show(box, state);
      }
    } catch { /* the next time */ }
    await new Promise((done) => setTimeout(done, 400));
  }
}

const section = document.querySelector("[data-runs]");
if (section) watchRuns(section);
