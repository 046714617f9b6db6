// The draft by keyboard: Enter in the empty swap box goes to the publish button, where Enter publishes.
"use strict";
(() => {
  const box = document.querySelector("[data-swap]");
  const publish = document.querySelector("[data-publish]");
  if (!box || !publish) return;
  for (const hint of document.querySelectorAll("[data-keys]")) hint.hidden = false;
  box.form.addEventListener("submit", (event) => {
    if (box.value.trim()) return;
    event.preventDefault();
    publish.focus();
  });
})();
