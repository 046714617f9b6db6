/* The projector page: lays the rows out for this very screen, pages through them, fetches what is new,
   keeps the last picture with its age when the server is away, and calls half time, five minutes and the end. */
(() => {
  "use strict";
  const POLL = 5_000, FIRST_PAGE = 20_000, NEXT_PAGE = 12_000, AWAY = 15_000, CALL = 15_000;
  const MOST_ROWS = 13, FEWEST_ROWS = 7, WIDE = 1.5;
  const body = document.body, main = document.getElementById("scenes");
  const part = (name) => document.querySelector(`[data-${name}]`);
  let pages = [], at = 0, timer = 0, html = "", heard = Date.now(), heardText = "";

  const layOut = () => {
    body.classList.add("paged");
    pages = [];
    const wide = innerWidth / innerHeight >= WIDE;
    for (const scene of main.querySelectorAll(".scene")) {
      const rows = [...scene.querySelectorAll(".row")];
      if (!rows.length) { pages.push({ scene, rows: [], first: true, page: 1, of: 1 }); continue; }
      const most = Number(scene.dataset.columns || 1), few = rows.length <= MOST_ROWS;
      const cols = Math.max(1, Math.min(wide ? most : Math.ceil(most / 2), most === 2 && few ? 1 : most));
      const count = Math.ceil(rows.length / (cols * MOST_ROWS));
      const perCol = Math.max(FEWEST_ROWS, Math.ceil(rows.length / count / cols));
      for (let page = 0; page * perCol * cols < rows.length; page += 1) {
        pages.push({ scene, cols, perCol, rows: rows.slice(page * perCol * cols, (page + 1) * perCol * cols), first: page === 0, page: page + 1 });
      }
      for (const page of pages) if (page.scene === scene) page.of = Math.ceil(rows.length / (perCol * cols));
    }
    at = Math.min(at, pages.length - 1);
    show();
  };

  const show = () => {
    const page = pages[at];
    if (!page) return;
    for (const other of main.querySelectorAll(".scene.on, .row.on")) other.classList.remove("on");
    page.scene.classList.add("on");
    if (page.rows.length) {
      const list = page.scene.querySelector(".rows");
      for (const row of page.rows) row.classList.add("on");
      list.style.setProperty("--cols", page.cols);
      list.style.setProperty("--rows", page.perCol);
      list.style.setProperty("--row", `${Math.floor(main.clientHeight / page.perCol)}px`);
      page.rows.forEach(fit);
    }
    part("title").textContent = page.scene.dataset.sceneTitle;
    part("version").textContent = page.scene.dataset.sceneVersion || "";
    const label = part("page");
    label.textContent = page.of > 1 || pages.length > 1 ? label.dataset.words.replace("{page}", at + 1).replace("{pages}", pages.length) : "";
    clearTimeout(timer);
    if (pages.length > 1) timer = setTimeout(() => { at = (at + 1) % pages.length; show(); }, page.first ? FIRST_PAGE : NEXT_PAGE);
  };
  /* A long name gets smaller type instead of being cut. */
  const fit = (row) => {
    for (const cell of row.querySelectorAll(".who")) {
      cell.style.fontSize = "";
      if (cell.scrollWidth > cell.clientWidth + 1) {
        const size = parseFloat(getComputedStyle(cell).fontSize);
        cell.style.fontSize = `${Math.floor(size * cell.clientWidth / cell.scrollWidth * 0.98)}px`;
      }
    }
  };

  const clockText = () => new Date().toLocaleTimeString("zh-CN", { hour: "2-digit", minute: "2-digit" });
  const poll = async () => {
    try {
      const response = await fetch(main.dataset.url, { cache: "no-cache" });
      if (!response.ok) throw new Error(String(response.status));
      const fresh = await response.text();
      heard = Date.now(); heardText = clockText();
      if (html && fresh !== html) { main.innerHTML = fresh; at = 0; layOut(); }
      html = fresh;
    } catch { /* keep the last picture; the footer tells its age */ }
    const away = Date.now() - heard > AWAY;
    body.classList.toggle("offline", away);
    part("age").textContent = away && heardText ? part("age").dataset.words.replace("{time}", heardText) : "";
  };

  let sound = null;
  const beep = (times, pitch) => {
    if (!sound) return;
    for (let i = 0; i < times; i += 1) {
      const tone = sound.createOscillator(), gain = sound.createGain(), start = sound.currentTime + i * 0.55;
      tone.frequency.value = pitch;
      gain.gain.setValueAtTime(0.0001, start);
      gain.gain.exponentialRampToValueAtTime(0.8, start + 0.03);
      gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.45);
      tone.connect(gain).connect(sound.destination);
      tone.start(start); tone.stop(start + 0.5);
    }
  };
  part("sound").addEventListener("click", (event) => {
    sound = new AudioContext();
    beep(1, 660);
    event.target.hidden = true;
  });
  document.addEventListener("clock:call", ({ detail }) => {
    const banner = part("call");
    banner.textContent = banner.dataset[detail];
    banner.hidden = false;
    setTimeout(() => { banner.hidden = true; }, CALL);
    beep(...{ half: [1, 660], five: [2, 740], end: [5, 880] }[detail]);
  });
  document.addEventListener("clock:state", poll);
  window.addEventListener("resize", layOut);
  document.fonts.ready.then(layOut);
  poll();
  setInterval(poll, POLL);
})();
