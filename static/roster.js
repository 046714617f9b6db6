/* The import preview reads the file again as soon as somebody says what a column means. */
"use strict";
for (const form of document.querySelectorAll("form[data-read-again]")) {
  form.addEventListener("change", () => form.requestSubmit());
}
