/* The table sheet without a new page for each step: a step is sent once, and what the server answers is shown.
   Without it every button is a plain form. */
(() => {
  "use strict";
  const sheet = () => document.getElementById("table-sheet");
  if (!sheet()) return;
  let isSending = false;

  const fail = () => {
    let note = document.getElementById("sheet-failed");
    if (!note) {
      note = document.createElement("p");
      note.id = "sheet-failed";
      note.className = "note bad";
      note.setAttribute("role", "alert");
      sheet().prepend(note);
    }
    note.textContent = sheet().dataset.failed;
    note.scrollIntoView({ block: "nearest" });
  };

  // Another page than the sheet (signed out, round withdrawn, a fault of the server) is shown as it is.
  const show = async (answer) => {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("table-sheet");
    if (!fresh) { location.assign(answer.url); return; }
    const messages = [...page.querySelectorAll("main > .note")];
    for (const old of document.querySelectorAll("main > .note")) old.remove();
    const face = sheet().querySelector("[data-clock]"), freshFace = fresh.querySelector("[data-clock]");
    if (face && freshFace) freshFace.replaceWith(face); // the clock that ticks already
    sheet().replaceWith(fresh);
    fresh.before(...messages);
    fresh.querySelector("[role=alert], .sheet-next, .sheet-outcome")?.scrollIntoView({ block: "nearest" });
  };

  const send = async (address, options) => {
    if (isSending) return;
    isSending = true;
    sheet().setAttribute("aria-busy", "true");
    try {
      await show(await fetch(address, options));
    } catch {
      if (options) fail();
    } finally {
      isSending = false;
      sheet().removeAttribute("aria-busy");
    }
  };

  document.addEventListener("submit", (event) => {
    if (!sheet().contains(event.target)) return;
    event.preventDefault();
    const body = new FormData(event.target);
    if (event.submitter?.name) body.append(event.submitter.name, event.submitter.value);
    send(event.target.action, { method: "POST", body });
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#table-sheet a[href*='/sheet/']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    send(link.href);
  });
  // Whoever takes the phone out again sees what was recorded meanwhile.
  document.addEventListener("visibilitychange", () => {
    const isTyping = document.activeElement?.matches("input") || sheet().querySelector(".sheet-correcting, .sheet-place a");
    if (!document.hidden && !isTyping) send(location.pathname);
  });
})();
