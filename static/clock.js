/* The countdown on every page: counts down in the server's time, whatever the device's own clock says.
   Markup: <div data-clock="/e/…/clock.json"><b data-clock-time>45:00</b></div>
   It sets data-state on the element and sends "clock:call" (half, five, end), "clock:state" and "clock:now" (the
   server's time at a moment of the device's steady timer) to the document. With data-clock-kept it goes on after
   the browser was started again while the server is away. */
(() => {
  "use strict";
  const POLL = 10_000, FIVE = 300, DRIFT = 1_500;
  const roots = [...document.querySelectorAll("[data-clock]")];
  if (!roots.length) return;
  const url = roots[0].dataset.clock;
  let face = null, lastLeft = null, key = "";

  // The device's steady timer since the answer arrived; its wall clock is used only to notice sleep.
  const sync = async () => {
    const asked = performance.now();
    try {
      const response = await fetch(url, { cache: "no-store", headers: { Accept: "application/json" } });
      if (!response.ok) return;
      const answer = await response.json();
      const arrived = performance.now(), travel = (arrived - asked) / 2;
      const fresh = { ...answer, at: arrived, wall: Date.now(), now: answer.now + travel, travel };
      // A slow answer knows the time less well than a quick one that came before.
      if (face && sameClock(face, fresh) && travel > 400 && face.travel < travel) return;
      if (!face || !sameClock(face, fresh)) lastLeft = null;
      face = fresh;
      document.dispatchEvent(new CustomEvent("clock:now", { detail: { now: face.now, at: face.at } }));
      keep();
      show();
    } catch { recall(); /* the hall's network is bad: go on counting from what is known */ }
  };
  const isKept = "clockKept" in roots[0].dataset, kept = `clock ${url}`;
  const keep = () => {
    try { if (isKept) localStorage.setItem(kept, JSON.stringify(face)); } catch { /* a browser that keeps nothing */ }
  };
  // What the server said before the browser was started again: the device's own clock tells only how long ago that was.
  const recall = () => {
    if (face || !isKept) return;
    try {
      const last = JSON.parse(localStorage.getItem(kept));
      if (last) face = { ...last, at: performance.now(), now: last.now + Date.now() - last.wall, wall: Date.now(), travel: Infinity };
    } catch { return; }
    show();
  };
  const sameClock = (a, b) => a.state === b.state && a.ends_at === b.ends_at && a.round === b.round
    && (a.ends_at !== null || a.remaining === b.remaining);
  const serverNow = () => face.now + (performance.now() - face.at);
  const left = () => face.ends_at === null ? face.remaining : Math.max(0, Math.ceil((face.ends_at - serverNow()) / 1000));
  const text = (seconds) => `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;

  const show = () => {
    if (!face) return;
    const seconds = left();
    const state = face.state === "running" && seconds === 0 ? "over" : face.state;
    for (const root of roots) {
      root.dataset.state = state;
      root.toggleAttribute("data-last-minutes", state === "running" && seconds <= FIVE);
      const times = root.querySelectorAll("[data-clock-time]");
      if (face.state !== "none") for (const time of times) time.textContent = text(seconds);
    }
    call(state, seconds);
    const now = `${face.state} ${face.round} ${face.ends_at}`;
    if (key && key !== now) document.dispatchEvent(new CustomEvent("clock:state", { detail: face }));
    key = now;
  };
  const call = (state, seconds) => {
    const passed = (mark) => lastLeft !== null && lastLeft > mark && seconds <= mark;
    if (state === "running" || state === "over") {
      const due = passed(0) ? "end" : face.length > 2 * FIVE && passed(FIVE) ? "five" : passed(Math.floor(face.length / 2)) ? "half" : null;
      if (due) document.dispatchEvent(new CustomEvent("clock:call", { detail: due }));
      lastLeft = seconds;
    } else lastLeft = null;
  };
  const tick = () => {
    const wall = face && Date.now() - (performance.now() - face.at);
    // After a sleep what was known is worth less than any answer, however slow.
    if (face && Math.abs(wall - face.wall) > DRIFT) { face.travel = Infinity; face.wall = wall; sync(); }
    show();
  };
  sync();
  setInterval(tick, 200);
  setInterval(sync, POLL);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) sync(); });
  window.addEventListener("online", sync);
})();
