/* Check-in by keyboard: number ⏎, next. The box empties itself once a team is in; what is typed is never touched
   otherwise, because only the list below is swapped. Without it every button is a plain form. */
"use strict";
(() => {
  const form = document.getElementById("check-in-find");
  if (!form) return;
  const box = document.getElementById("check-in-box");
  let sent = "";
  form.addEventListener("htmx:beforeRequest", () => { sent = box.value; });
  form.addEventListener("htmx:afterRequest", (event) => {
    const now = document.getElementById("check-in-now");
    const isIn = event.detail.successful && now.dataset.done === "yes";
    if (isIn && box.value === sent) box.value = "";
    else if (!isIn) box.select();
    box.focus();
  });
})();
