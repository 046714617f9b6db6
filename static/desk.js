/* The desk asks for itself every five seconds. What is typed, what is open, where the cursor stands and a button that
   is being pressed outlive the new picture; while the server is away the last picture stays and says how old it is.
   Texts to read out are copied. Without it the page is as it was when it was loaded. */
(() => {
  "use strict";
  const MINUTE = 60_000, age = document.getElementById("desk-age");
  const desk = () => document.getElementById("desk-now");
  let heard = performance.now(), kept = null, isPressed = false;

  const asksForDesk = (event) => event.detail.elt?.id === "desk-now" || event.detail.target?.id === "desk-now";
  document.documentElement.dataset.script = "";

  // No news costs an answer without a body.
  document.addEventListener("htmx:configRequest", (event) => {
    if (asksForDesk(event)) event.detail.headers["If-None-Match"] = desk().dataset.etag;
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!asksForDesk(event)) return;
    const { xhr } = event.detail;
    if (xhr.status === 304 || xhr.status >= 400) event.detail.shouldSwap = false;
    // Signed out, or no longer an official here: the browser shows what the server says.
    else if (!xhr.responseText.includes('id="desk-now"')) { event.detail.shouldSwap = false; location.reload(); }
    else if (isPressed) event.detail.shouldSwap = false;
    if (event.detail.shouldSwap) kept = keep();
  });
  document.addEventListener("htmx:afterSwap", () => { if (kept) { restore(kept); kept = null; } });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!asksForDesk(event)) return;
    const { status } = event.detail.xhr;
    if (status >= 400 && status < 500) location.reload();
    const isHeard = status > 0 && status < 500;
    if (isHeard) heard = performance.now();
    tell(isHeard);
  });
  const tell = (isHeard) => {
    const minutes = Math.floor((performance.now() - heard) / MINUTE), { away, old } = age.dataset;
    const words = (minutes ? old.replace("{minutes}", minutes) : away).replace("{time}", desk().dataset.at);
    age.hidden = isHeard;
    if (age.textContent !== (isHeard ? "" : words)) age.textContent = isHeard ? "" : words;
  };

  const fields = () => desk().querySelectorAll("input[id]:not([type=hidden]), textarea[id], select[id]");
  const keep = () => {
    const field = document.activeElement;
    return {
      typed: [...fields()].filter((each) => each.value !== each.defaultValue).map((each) => [each.id, each.value]),
      open: [...desk().querySelectorAll("details[id]")].map((each) => [each.id, each.open]),
      focus: desk().contains(field) ? (field.id || field.closest("details[id]")?.id || "") : "",
      isSummary: field?.tagName === "SUMMARY",
      cursor: field?.selectionStart === undefined ? null : [field.selectionStart, field.selectionEnd],
    };
  };
  const restore = ({ typed, open, focus, isSummary, cursor }) => {
    const find = (id) => document.getElementById(id);
    for (const [id, isOpen] of open) if (find(id)) find(id).open = isOpen;
    for (const [id, value] of typed) if (find(id)) find(id).value = value;
    const place = focus && find(focus), field = place && isSummary ? place.querySelector("summary") : place;
    if (!field) return;
    field.focus({ preventScroll: true });
    if (cursor && field.setSelectionRange) field.setSelectionRange(...cursor);
  };

  for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
    document.addEventListener(type, () => { isPressed = type === "pointerdown"; });
  }

  // A hall's plain http has no clipboard of its own: then the old way, through a selection.
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* not here */ }
    const box = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden" });
    document.body.append(box);
    box.select();
    const isDone = document.execCommand("copy");
    box.remove();
    return isDone;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button || !(await copy(document.getElementById(button.dataset.copy).textContent))) return;
    button.textContent = button.dataset.done;
    button.classList.add("copied");
    button.focus();
  });
})();
