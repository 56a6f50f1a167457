// The preview: the field that an error is about is opened and marked.

import "./common.js";

const problem = document.querySelector(".problem[data-field]");
const field = problem && document.getElementById(`field-${problem.dataset.field}`);
if (field) {
  for (let box = field.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  field.classList.add("wrong");
}
