/* A table's phone page: asks now and then whether something changed, and puts the new state in. Without it the
   page works by its forms alone. What somebody is choosing or reading about is never replaced. */
(() => {
  "use strict";
  const POLL = 6_000;
  const offline = document.getElementById("offline");
  const main = () => document.getElementById("table");
  const isInUse = () => [...main().querySelectorAll("select, input:not([type=hidden])")].some((field) =>
    field.type === "checkbox" ? field.checked !== field.defaultChecked
      : field.tagName === "SELECT" ? field.selectedIndex > 0 : field.value !== field.defaultValue)
    || main().querySelector("details[open]") !== null;

  const look = async () => {
    if (document.hidden) return;
    try {
      const known = { "X-Known": main().dataset.mark };
      const answer = await fetch(main().dataset.address, { cache: "no-store", headers: known });
      offline.hidden = true;
      if (answer.status === 404) { location.reload(); return; }
      if (answer.status !== 200 || isInUse()) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("table");
      if (fresh) main().replaceWith(document.adoptNode(fresh));
    } catch { offline.hidden = false; }
  };

  // One press is enough: a slow network must not look like a dead button. The server takes a second one as the first.
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button) setTimeout(() => { button.setAttribute("aria-busy", "true"); });
  });
  window.addEventListener("pageshow", () => {
    for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  });
  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", look);
  setInterval(look, POLL);
})();
