"use strict";

// Tables that are sorted by a click on a column's name, and texts with a button to copy them.

function startTables() {
  for (const table of document.querySelectorAll("table.sortable")) {
    for (const button of table.querySelectorAll("thead button")) {
      button.disabled = false;
      button.addEventListener("click", () => sortBy(table, button.closest("th")));
    }
  }
}

function sortBy(table, head) {
  const rising = head.getAttribute("aria-sort") !== "ascending";
  for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", rising ? "ascending" : "descending");
  const column = head.cellIndex;
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [row.cells[column].dataset.key, row]);
  rows.sort(([a], [b]) => {
    if (a === "" || b === "") return (a === "") - (b === ""); // missing values stay last
    return rising ? compared(a, b) : compared(b, a);
  });
  body.append(...rows.map(([, row]) => row));
}

function compared(a, b) {
  const order = Number(a) - Number(b);
  return Number.isFinite(order) ? order : a.localeCompare(b, undefined, { numeric: true });
}

function startCopying() {
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection().selectAllChildren(source); // for browsers that do not let a local file write to the clipboard
    if (!document.execCommand("copy")) said = "Selected: press Ctrl+C";
  }
  button.firstChild.data = said;
  document.getElementById("copied-said").textContent = said;
  setTimeout(() => { button.firstChild.data = "Copy"; }, 2000);
}

// What an address leads to is opened, and so is everything on paper.
function startFolds() {
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    target?.querySelector(":scope > details")?.setAttribute("open", "");
  };
  const folds = () => [...document.querySelectorAll("details")];
  let closed = [];
  addEventListener("hashchange", open);
  addEventListener("beforeprint", () => {
    closed = folds().filter((one) => !one.open);
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
  open();
}

startTables();
startCopying();
startFolds();
