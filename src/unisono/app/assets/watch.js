// Pages that wait for work: progress, and the page again when the work is over.

import { get } from "./common.js";

export function show(box, state) {
  const bar = box.querySelector("progress"), said = box.querySelector("[role=status]");
  if (!bar || !said) return;
  const isCounted = state.total && state.done < state.total; // what comes after the last one is not known
  if (isCounted) {
    bar.max = state.total;
    bar.value = state.done;
  } else bar.removeAttribute("value");
  const parts = [state.about, isCounted ? `${state.done.toLocaleString("en")} of ${state.total.toLocaleString("en")}` : "", state.left];
  const words = parts.filter(Boolean).join(" · ");
  if (words) said.textContent = words;
}

async function watch(box) {
  for (;;) {
    try {
      const found = await get(box.dataset.watch);
      const state = box.dataset.key ? { state: found[box.dataset.key] } : found;
      if (state.state !== "running") return location.reload();
      show(box, state);
    } catch (error) {
      box.querySelector("[role=status]").textContent = error.message;
    }
    await new Promise((done) => setTimeout(done, 400));
  }
}

document.querySelectorAll("[data-watch]").forEach(watch);
