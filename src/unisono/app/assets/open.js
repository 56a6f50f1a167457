// Opening: files that are dropped or chosen are copied one by one, with their places in folders.

import { post } from "./common.js";

const box = document.getElementById("drop"), problem = document.getElementById("drop-problem");
let busy = false;

function entryFiles(entry, folder = "") {
  const name = folder + entry.name;
  if (entry.isFile) return new Promise((done, fail) => entry.file((file) => done([[name, file]]), fail));
  const reader = entry.createReader(), found = [];
  return new Promise((done, fail) => {
    const more = () => reader.readEntries(async (some) => {
      if (!some.length) return done(found);
      for (const one of some) found.push(...(await entryFiles(one, `${name}/`)));
      more();
    }, fail);
    more();
  });
}

async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => [file.name, file]);
  return (await Promise.all(entries.map((entry) => entryFiles(entry)))).flat();
}

function send(address, file, told) {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("PUT", address);
    request.responseType = "json";
    request.upload.onprogress = (event) => told(event.loaded);
    request.onload = () => (request.status === 200 ? done() : fail(new Error(request.response?.error ?? "The app refused the file.")));
    request.onerror = () => fail(new Error("The app does not answer; it may have stopped."));
    request.send(file);
  });
}

async function take(files) {
  if (busy) return;
  busy = true;
  problem.hidden = true;
  const wanted = files.filter(([name]) => !name.split("/").some((part) => part.startsWith(".") || part === "__MACOSX"));
  const bar = document.getElementById("dropped"), said = document.getElementById("dropped-said");
  document.getElementById("dropping").hidden = false;
  try {
    if (!wanted.length) throw new Error("No files were dropped. Drop a file or a folder.");
    const total = wanted.reduce((sum, [, file]) => sum + file.size, 0) || 1;
    const { id } = await post("/drop");
    let before = 0;
    for (const [index, [name, file]] of wanted.entries()) {
      said.textContent = `${(index + 1).toLocaleString("en")} of ${wanted.length.toLocaleString("en")}`;
      const path = name.split("/").map(encodeURIComponent).join("/");
      await send(`/drop/${id}/${path}`, file, (loaded) => { bar.value = (before + loaded) / total; });
      before += file.size;
    }
    const { address } = await post(`/drop/${id}`);
    location.assign(address);
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    document.getElementById("dropping").hidden = true;
    busy = false;
  }
}

addEventListener("dragover", (event) => { event.preventDefault(); box.classList.add("over"); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) box.classList.remove("over"); });
addEventListener("drop", async (event) => {
  event.preventDefault();
  box.classList.remove("over");
  try {
    await take(await droppedFiles(event.dataTransfer));
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
});
for (const [button, input] of [["choose-files", "files"], ["choose-folder", "folder"]]) {
  const chosen = document.getElementById(input);
  document.getElementById(button).addEventListener("click", () => chosen.click());
  chosen.addEventListener("change", () => take([...chosen.files].map((file) => [file.webkitRelativePath || file.name, file])));
}
