// Giving back: a format that is chosen is shown.

import "./common.js";

const formats = document.getElementById("formats");
formats?.addEventListener("change", () => formats.requestSubmit());
