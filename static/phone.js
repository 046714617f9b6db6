/* A public page on the hall's bad network: asks for itself again, puts in what is new, and while the server is
   away keeps the last picture and says how old it is. */
(() => {
  "use strict";
  const POLL = 20_000, AGAIN = 5_000, WAIT = 10_000, MINUTE = 60_000;
  const age = document.getElementById("age");
  if (!age) return;
  const content = () => document.getElementById("content");
  let html = content().innerHTML, heard = performance.now(), timer = 0;

  const ask = async () => {
    clearTimeout(timer);
    let isHeard = false;
    try {
      const response = await fetch(location.href, { cache: "no-cache", signal: AbortSignal.timeout(WAIT) });
      isHeard = response.status < 500;
      if (response.ok) put(new DOMParser().parseFromString(await response.text(), "text/html"));
      else if (isHeard) location.reload();
    } catch { isHeard = false; }
    if (isHeard) heard = performance.now();
    tell(isHeard);
    timer = setTimeout(ask, isHeard ? POLL : AGAIN);
  };
  const isTyping = () => content().contains(document.activeElement) && document.activeElement.matches("input, select, textarea");
  const put = (page) => {
    const fresh = page.getElementById("content");
    if (!fresh || fresh.innerHTML === html || isTyping()) return;
    const clocks = [...document.querySelectorAll("#content [data-clock]")], places = [...fresh.querySelectorAll("[data-clock]")];
    // A clock that was not there before needs its script.
    if (clocks.length !== places.length) { location.reload(); return; }
    html = fresh.innerHTML;
    // The countdown knows its own elements: they move into the new page.
    places.forEach((place, at) => {
      const times = clocks[at].querySelectorAll("[data-clock-time]");
      place.querySelectorAll("[data-clock-time]").forEach((time, n) => { if (times[n]) time.textContent = times[n].textContent; });
      clocks[at].className = place.className;
      clocks[at].replaceChildren(...place.childNodes);
      place.replaceWith(clocks[at]);
    });
    content().replaceChildren(...fresh.childNodes);
    document.title = page.title;
  };
  const tell = (isHeard) => {
    const minutes = Math.floor((performance.now() - heard) / MINUTE);
    age.hidden = isHeard;
    age.textContent = isHeard ? "" : minutes ? age.dataset.old.replace("{minutes}", minutes) : age.dataset.away;
  };
  timer = setTimeout(ask, POLL);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  window.addEventListener("online", ask);
})();
