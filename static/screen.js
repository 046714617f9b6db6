/* The projector page: lays the rows out for this very screen, pages through them, fetches what is new,
   keeps the last picture with its age when the server is away, and calls half time, five minutes and the end. */
(() => {
  "use strict";
  const POLL = 5_000, FIRST_PAGE = 20_000, NEXT_PAGE = 12_000, AWAY = 15_000, CALL = 15_000;
  const MOST_ROWS = 13, FEWEST_ROWS = 7, WIDE = 1.5;
  // Type as a share of its usual size: down to ONE_LINE a name stays on one line; below READABLE the scene gets fewer columns.
  const ONE_LINE = 0.75, READABLE = 0.5, SMALLEST = 0.3;
  const body = document.body, main = document.getElementById("scenes");
  const part = (name) => document.querySelector(`[data-${name}]`);
  let pages = [], at = 0, timer = 0, html = "", heard = Date.now(), heardText = "";

  const layOut = () => {
    body.classList.add("paged");
    pages = [...main.querySelectorAll(".scene")].flatMap(pagesOf);
    at = Math.min(at, pages.length - 1);
    show();
  };
  const pagesOf = (scene) => {
    const rows = [...scene.querySelectorAll(".row")];
    if (!rows.length) return [{ scene, rows, isFirst: true }];
    const numbers = [...scene.querySelectorAll(".who b")].map((number) => number.textContent.length);
    scene.style.setProperty("--digits", Math.max(1, ...numbers));
    const most = Number(scene.dataset.columns || 1), few = most === 2 && rows.length <= MOST_ROWS;
    let cols = few ? 1 : innerWidth / innerHeight >= WIDE ? most : Math.ceil(most / 2);
    let made = split(scene, rows, cols);
    while (cols > 1 && !made.every(isReadable)) made = split(scene, rows, cols -= 1);
    return made;
  };
  const split = (scene, rows, cols) => {
    const count = Math.ceil(rows.length / (cols * MOST_ROWS));
    const perCol = Math.max(FEWEST_ROWS, Math.ceil(rows.length / count / cols)), size = perCol * cols;
    const starts = rows.map((_, place) => place).filter((place) => place % size === 0);
    return starts.map((start) => ({ scene, cols, perCol, rows: rows.slice(start, start + size), isFirst: start === 0 }));
  };

  // Puts a page up; the smallest share of its usual size that a name on it needs.
  const place = ({ scene, cols, perCol, rows }) => {
    for (const other of main.querySelectorAll(".scene.on, .row.on")) other.classList.remove("on");
    scene.classList.add("on");
    if (!rows.length) return 1;
    const list = scene.querySelector(".rows");
    for (const row of rows) row.classList.add("on");
    list.style.setProperty("--cols", cols);
    list.style.setProperty("--rows", perCol);
    list.style.setProperty("--row", `${Math.floor(main.clientHeight / perCol)}px`);
    return Math.min(...rows.flatMap((row) => [...row.querySelectorAll(".names")].map(fit)));
  };
  const isReadable = (page) => place(page) >= READABLE;
  // A long name gets smaller type, then a second line, but is never cut.
  const fit = (names) => {
    const resize = (share) => { names.style.fontSize = share === 1 ? "" : `${share}em`; return share; };
    names.classList.remove("two-lines");
    resize(1);
    const room = names.clientWidth / names.scrollWidth;
    if (names.scrollWidth <= names.clientWidth) return 1;
    if (room > ONE_LINE) return resize(Math.floor(room * 97) / 100);
    names.classList.add("two-lines");
    const line = names.closest(".row").clientHeight, isTooBig = () => names.scrollHeight > line || names.scrollWidth > names.clientWidth;
    let share = resize(ONE_LINE);
    while (share > SMALLEST && isTooBig()) share = resize(Math.round(share * 100 - 3) / 100);
    return share;
  };

  const show = () => {
    const page = pages[at];
    if (!page) return;
    place(page);
    part("title").textContent = page.scene.dataset.sceneTitle;
    part("version").textContent = page.scene.dataset.sceneVersion || "";
    const label = part("page");
    label.textContent = pages.length > 1 ? label.dataset.words.replace("{page}", at + 1).replace("{pages}", pages.length) : "";
    if (!timer) timer = setTimeout(turn, page.isFirst ? FIRST_PAGE : NEXT_PAGE);
  };
  const turn = () => {
    timer = 0;
    at = (at + 1) % pages.length;
    show();
  };
  const subject = () => { const shown = pages[at]?.scene.dataset; return shown && `${shown.sceneTitle} ${shown.sceneVersion}`; };
  // New results in the same standings leave the page where it is: otherwise the last pages would never be seen.
  const renew = (fresh) => {
    const before = subject();
    main.innerHTML = fresh;
    layOut();
    if (subject() === before) return;
    clearTimeout(timer);
    timer = at = 0;
    show();
  };

  const clockText = () => new Date().toLocaleTimeString("zh-CN", { hour: "2-digit", minute: "2-digit" });
  const poll = async () => {
    try {
      const response = await fetch(main.dataset.url, { cache: "no-cache", signal: AbortSignal.timeout(AWAY) });
      if (!response.ok) throw new Error(String(response.status));
      const fresh = await response.text();
      heard = Date.now(); heardText = clockText();
      if (fresh !== html) renew(fresh);
      html = fresh;
    } catch { /* keep the last picture; the footer tells its age */ }
    tellAge();
  };
  const tellAge = () => {
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
  setInterval(tellAge, 1_000);
})();
