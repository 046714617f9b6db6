/* The projector page: lays the rows out for this very screen, turns its pages, follows the desk, puts the tables up
   one by one, keeps the last picture with its age when the server is away, and calls half time, five minutes, the end. */
(() => {
  "use strict";
  const POLL = 4_000, AWAY = 15_000, CALL = 15_000, PATIENCE = 5_000, TICK = 250;
  const FIRST_STAYS = 5 / 3;
  // The smallest type as a share of the screen's height, by how far the last row sits; comfortable type is larger.
  const LEAST = { near: 0.024, middle: 0.032, far: 0.042 }, COMFORT = 1.3, COMFORTABLE_PAGES = 6, MANY_PAGES = 10;
  // Type as a share of its row, at most and at least; the largest share of the height; a name's smallest share of the type.
  const OF_ROW = 0.52, LOOSEST = 0.38, LARGEST = 0.052, SHRUNK = 0.85, UNIT_TYPE = 0.78;
  // Widths in type: beyond these a name or department is shortened rather than all type made smaller.
  const LONGEST_NAMES = 8, LONGEST_UNIT = 5, SHORTEST_UNIT = 3, COMMON = 0.95;
  const LARGEST_NOTICE = 20, WHOLE_PHRASES = 9, SMALLEST_NOTICE = 3;
  const PHONE = 640, TITLE_SECONDS = 7, BLOCK_SECONDS = 1.1;
  const body = document.body, main = document.getElementById("scenes");
  const part = (name) => document.querySelector(`[data-${name}]`);
  let pages = [], at = 0, timer = 0, scenesText = "", mark = "", heard = Date.now(), program = null, ceremony = null, clock = null;

  /* How wide a text is, in type */
  const pen = document.createElement("canvas").getContext("2d"), widths = new Map();
  const widthOf = (text) => {
    if (!widths.has(text)) widths.set(text, pen.measureText(text).width / 100);
    return widths.get(text);
  };
  const beginning = (wanted, room) => {
    if (widthOf(wanted) <= room) return wanted;
    const letters = [...wanted];
    let length = letters.length - 1;
    while (length > 1 && widthOf(`${letters.slice(0, length).join("")}…`) > room) length -= 1;
    return `${letters.slice(0, length).join("").replace(/[\s·]+$/, "")}…`;
  };
  // 张伟 · 李娜: every name keeps its beginning; with a team name in front that alone may do, of six players the first.
  const shortened = (text, room) => {
    if (widthOf(text) <= room) return text;
    const named = text.match(/^(.+)（(.*)）$/);
    if (named) return beginning(named[1], room);
    const names = text.split(" · ");
    const each = (room - widthOf(" · ") * (names.length - 1)) / names.length;
    if (names.length > 2 && each < 2.5) {
      const told = main.dataset.more.replace("{n}", names.length), rest = room - widthOf(told.replace("{names}", ""));
      return told.replace("{names}", beginning(names[0], rest));
    }
    let left = room - widthOf(" · ") * (names.length - 1), open = names.length;
    const parts = new Map();
    for (const place of names.map((_, index) => index).sort((a, b) => widthOf(names[a]) - widthOf(names[b]))) {
      parts.set(place, beginning(names[place], left / open));
      left -= widthOf(parts.get(place));
      open -= 1;
    }
    return names.map((_, place) => parts.get(place)).join(" · ");
  };
  const fullText = (element) => element.dataset.full ??= element.textContent;
  const setText = (element, text) => {
    element.textContent = text;
    if (text === fullText(element)) element.removeAttribute("title"); else element.title = fullText(element);
    return widthOf(text);
  };
  // Somewhat smaller first, then shorter; `type` is the usual size in pixels, `room` in that type.
  const fit = (element, room, type, least) => {
    const text = fullText(element), wanted = widthOf(text);
    const share = wanted > room ? Math.max(Math.min(1, Math.max(SHRUNK, least / type)), room / wanted) : 1;
    element.style.fontSize = share < 1 ? `${share}em` : "";
    return setText(element, shortened(text, room / share)) * share;
  };

  /* Pages */
  const least = () => LEAST[program?.distance || "near"] * innerHeight;
  const layOut = () => {
    const isPhone = innerWidth < PHONE;
    body.classList.toggle("paged", !isPhone);
    pen.font = `100px ${getComputedStyle(body).fontFamily}`;
    body.style.setProperty("--least", isPhone ? "" : `${least()}px`);
    clear();
    const scenes = [...main.querySelectorAll(".scene:not(.scene-ceremony)")];
    pages = scenes.flatMap(isPhone ? (scene) => [{ scene, rows: [], isFirst: true }] : pagesOf);
    at = Math.min(at, Math.max(0, pages.length - 1));
    if (ceremony) ceremony.up = -1;
    show();
    tick();
  };
  const pagesOf = (scene) => {
    const rows = [...scene.querySelectorAll(".row")];
    if (!rows.length) return fitAlone(scene);
    scene.classList.remove("tight");
    let plan = planned(scene, rows);
    // A large field: rather all ranks in time than every department.
    const isTight = scene.querySelector(".unit") !== null && rows.length > plan.cols * plan.perCol * MANY_PAGES;
    scene.classList.toggle("tight", isTight);
    if (isTight) plan = planned(scene, rows);
    const size = plan.cols * plan.perCol;
    const starts = rows.map((_, place) => place).filter((place) => place % size === 0);
    return starts.map((start) => ({ scene, plan, rows: rows.slice(start, start + size), isFirst: start === 0 }));
  };
  // The fewest pages in comfortable type; for a large field, in the smallest type that the last row can read.
  const planned = (scene, rows) => {
    const digits = (selector) => Math.max(1, ...rows.flatMap((row) => [...row.querySelectorAll(selector)]).map((shown) => String(parseInt(shown.textContent, 10) || 0).length));
    scene.style.setProperty("--digits", digits(".team-no"));
    scene.style.setProperty("--tables", digits(".big"));
    const small = least(), height = main.clientHeight, width = main.clientWidth, gap = innerWidth * 0.026;
    const flexible = needOf(rows), fixed = fixedOf(scene, rows[0]);
    const best = (count) => {
      const shapes = Array.from({ length: Number(scene.dataset.columns || 1) }, (_, index) => index + 1).map((cols) => {
        const perCol = Math.ceil(rows.length / (count * cols));
        const across = ((width - gap * (cols - 1)) / cols) / (fixed + flexible);
        const type = Math.min(height / perCol * OF_ROW, cols === 1 ? Math.max(small, across) : across, innerHeight * LARGEST);
        return { cols, perCol, type };
      });
      return shapes.reduce((a, b) => (b.type > a.type + 0.5 ? b : a));
    };
    const most = rows.length, wanted = [small * COMFORT, small];
    let plan = null;
    for (const enough of wanted) {
      for (let count = 1; count <= most && !plan; count += 1) {
        const shape = best(count);
        if (shape.type >= enough) plan = enough === small || count <= COMFORTABLE_PAGES ? shape : null;
        if (shape.type >= enough && !plan) break;
      }
      if (plan) break;
    }
    plan ??= { cols: 1, perCol: Math.max(1, Math.floor(height * OF_ROW / small)), type: small };
    return { ...plan, type: Math.floor(plan.type * 10) / 10, row: Math.floor(Math.min(height / plan.perCol, plan.type / LOOSEST)), small };
  };
  const marksOf = (row) => [...row.querySelectorAll(row.closest(".tight") ? ".mark:not(.shared)" : ".mark")];
  // Type widths that nearly all rows need for their names and departments.
  const needOf = (rows) => {
    const isTight = rows[0].closest(".tight") !== null;
    const needs = rows.map((row) => {
      const names = [...row.querySelectorAll(".names")].map((each) => Math.min(LONGEST_NAMES, widthOf(fullText(each))));
      const unit = isTight ? null : row.querySelector(".unit"), marks = marksOf(row);
      const unitNeed = unit && fullText(unit) ? Math.min(LONGEST_UNIT, widthOf(fullText(unit))) * UNIT_TYPE + 0.6 : 0;
      const markNeed = marks.reduce((sum, each) => sum + widthOf(each.textContent) * UNIT_TYPE + 0.6, 0);
      const isPair = row.closest(".scene-draw") !== null;
      return isPair ? 2 * Math.max(...names, 0) : names[0] + unitNeed + markNeed;
    }).sort((a, b) => a - b);
    return needs[Math.min(needs.length - 1, Math.floor(needs.length * COMMON))] * 1.04 + 0.1;
  };
  // What else stands in a row, in type: measured once, so that the style sheet alone says it.
  const fixedOf = (scene, row) => {
    const flexible = scene.classList.contains("scene-standings") ? ".who" : ".names";
    scene.classList.add("on"); row.classList.add("on");
    const type = Math.max(least() * COMFORT, 20);
    scene.querySelector(".rows").style.setProperty("--type", `${type}px`);
    scene.querySelector(".rows").style.setProperty("--cols", 1);
    const taken = [...row.querySelectorAll(flexible)].reduce((sum, each) => sum + each.getBoundingClientRect().width, 0);
    const fixed = (row.getBoundingClientRect().width - taken) / type;
    scene.classList.remove("on"); row.classList.remove("on");
    return fixed;
  };
  const clear = () => {
    for (const shown of main.querySelectorAll(".scene.on, .row.on")) shown.classList.remove("on");
  };
  const place = ({ scene, plan, rows }) => {
    clear();
    scene.classList.add("on");
    if (!plan) return;
    const list = scene.querySelector(".rows");
    for (const [name, value] of Object.entries({ cols: plan.cols, rows: plan.perCol, row: `${plan.row}px`, type: `${plan.type}px` })) {
      list.style.setProperty(`--${name}`, value);
    }
    for (const row of rows) row.classList.add("on");
    fitRows(rows, plan);
  };
  // All rows are as wide as the first: one measurement, then arithmetic.
  const fitRows = (rows, { type, small }) => {
    const room = (selector) => ((rows[0].querySelector(selector)?.clientWidth || 0) - 1) / type;
    const names = room(".names"), who = room(".who");
    for (const row of rows) {
      if (!row.querySelector(".who")) {
        for (const each of row.querySelectorAll(".names")) fit(each, names, type, small);
      } else fitWho(row, who, type, small);
    }
  };
  // The department gives way before the names do.
  const fitWho = (row, room, type, small) => {
    const unit = row.querySelector(".unit"), unitType = Math.max(UNIT_TYPE, small / type);
    const marks = marksOf(row).reduce((sum, each) => sum + widthOf(each.textContent) * unitType + 0.55, 0);
    const left = room - marks - fit(row.querySelector(".names"), room - marks, type, small);
    const unitRoom = (left - 0.55) / unitType, text = fullText(unit);
    unit.hidden = !text || row.closest(".tight") !== null || unitRoom < Math.min(SHORTEST_UNIT, widthOf(text));
    setText(unit, unit.hidden ? text : beginning(text, unitRoom));
  };
  const fitAlone = (scene) => {
    const page = { scene, rows: [], isFirst: true };
    place(page);
    for (const each of scene.querySelectorAll("li > .names, .cross-names .names")) {
      each.textContent = fullText(each);
      each.style.fontSize = "";
      const type = parseFloat(getComputedStyle(each).fontSize);
      fit(each, (each.clientWidth - 1) / type, type, Math.min(type, least()));
    }
    const notice = scene.querySelector(".notice-text");
    if (notice) growNotice(notice, scene);
    return [page];
  };
  // As large as it fits, with every phrase on one line as long as that leaves large type.
  const growNotice = (notice, scene) => {
    splitPhrases(notice);
    const isBroken = () => {
      const line = parseFloat(getComputedStyle(notice).lineHeight) * 1.5;
      return [...notice.querySelectorAll("span")].some((phrase) => phrase.offsetHeight > line);
    };
    const isTooLarge = (share) => notice.scrollHeight > scene.clientHeight || notice.scrollWidth > scene.clientWidth || (share > WHOLE_PHRASES && isBroken());
    let share = LARGEST_NOTICE;
    const set = () => notice.style.setProperty("--notice", `${share}vh`);
    for (set(); share > SMALLEST_NOTICE && isTooLarge(share); set()) share -= 0.5;
  };
  const splitPhrases = (notice) => {
    if (notice.querySelector("span")) return;
    for (const node of [...notice.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE)) {
      const phrases = node.textContent.match(/[^，。；！？,;!?]+[，。；！？,;!?]*|[，。；！？,;!?]+/g) || [];
      node.replaceWith(...phrases.map((phrase) => Object.assign(document.createElement("span"), { textContent: phrase })));
    }
  };

  const show = () => {
    const page = pages[at];
    if (ceremony || !page) return;
    place(page);
    label(page, pages.length > 1 ? at + 1 : 0, pages.length);
    if (!timer && pages.length > 1 && !program?.isHeld) timer = setTimeout(turn, stay(page));
  };
  const label = ({ scene }, number, count) => {
    part("title").textContent = scene.dataset.sceneTitle;
    part("version").textContent = scene.dataset.sceneVersion || "";
    const words = part("page").dataset.words;
    part("page").textContent = number ? words.replace("{page}", number).replace("{pages}", count) : "";
  };
  const stay = (page) => (program?.seconds || 12) * (page.isFirst ? FIRST_STAYS : 1) * 1_000;
  const turn = () => { goTo(at + 1); };
  const goTo = (number) => {
    clearTimeout(timer);
    timer = 0;
    if (!pages.length) return;
    at = ((number % pages.length) + pages.length) % pages.length;
    show();
    keep();
  };

  /* What the server says */
  const read = (text) => {
    const made = document.createElement("template");
    made.innerHTML = text;
    const told = made.content.querySelector(".program"), { seconds, distance, turns } = told.dataset;
    const fresh = { seconds: Number(seconds), distance, turns: Number(turns), isHeld: "held" in told.dataset };
    fresh.leavesOut = "hallOnly" in told.dataset;
    const band = told.querySelector(".correction")?.textContent || "";
    told.remove();
    return { fresh, band, scenes: made.innerHTML.trim() };
  };
  const subject = () => { const shown = pages[at]?.scene.dataset; return shown && `${shown.sceneTitle} ${shown.sceneVersion}`; };
  // New results in the same standings leave the page where it is: otherwise the last pages would never be seen.
  const renew = (text) => {
    const { fresh, band, scenes } = read(text), before = program;
    program = fresh;
    body.toggleAttribute("data-held", fresh.isHeld);
    const wasBand = part("band").textContent;
    part("band").textContent = band;
    part("band").hidden = !band;
    part("leaves-out")?.toggleAttribute("hidden", !fresh.leavesOut);
    const isNew = scenes !== scenesText;
    const isOther = !before || before.distance !== fresh.distance || wasBand !== band || before.leavesOut !== fresh.leavesOut;
    const shown = subject();
    if (isNew) {
      main.innerHTML = scenes;
      scenesText = scenes;
      ceremony = readCeremony();
      body.classList.toggle("ceremony", Boolean(ceremony));
    }
    if (isNew || isOther) layOut();
    if (before && isNew && subject() !== shown) goTo(0);
    if (before && fresh.turns !== before.turns && pages.length) goTo(at + fresh.turns - before.turns);
    if (before && (fresh.isHeld !== before.isHeld || fresh.seconds !== before.seconds)) goTo(at);
    tick();
  };
  const store = { name: `screen ${location.pathname}`, text: "" };
  const keep = () => {
    try { localStorage.setItem(store.name, JSON.stringify({ text: store.text, heard, at })); } catch { /* a browser that keeps nothing */ }
  };
  const kept = () => {
    try { return JSON.parse(localStorage.getItem(store.name)); } catch { return null; }
  };
  const address = () => {
    const shown = ceremony ? ceremony.page?.scene : pages[at]?.scene;
    if (!("tells" in main.dataset) || !shown) return main.dataset.url;
    return `${main.dataset.url}?role=${shown.dataset.role}&page=${at + 1}&pages=${pages.length}`;
  };
  let isAsking = false;
  const poll = async () => {
    if (isAsking) return;
    isAsking = true;
    try {
      const headers = mark ? { "If-None-Match": mark } : {};
      const response = await fetch(address(), { cache: "no-store", headers, signal: AbortSignal.timeout(PATIENCE) });
      if (response.status === 404) { vanish(); return; }
      if (!response.ok && response.status !== 304) throw new Error(String(response.status));
      part("gone").hidden = true;
      heard = Date.now();
      if (response.status !== 304) {
        store.text = await response.text();
        mark = response.headers.get("ETag") || "";
        renew(store.text);
      }
      keep();
    } catch { recall(); } finally { isAsking = false; }
    tellAge();
  };
  // The projector's laptop was started again while the server is away: the browser's own copy of the page is older still.
  const recall = () => {
    const last = kept(), isFresh = performance.getEntriesByType("navigation")[0]?.transferSize > 0;
    if (store.text || isFresh || !last?.text) return;
    store.text = last.text;
    heard = last.heard;
    renew(last.text);
    goTo(last.at);
  };
  const vanish = () => {
    part("gone").hidden = false;
    mark = "";
    try { localStorage.removeItem(store.name); } catch { /* nothing was kept */ }
  };
  const tellAge = () => {
    const seconds = Math.floor((Date.now() - heard) / 1_000), away = seconds * 1_000 > AWAY, age = part("age");
    body.classList.toggle("offline", away);
    const words = seconds < 60 ? age.dataset.seconds.replace("{n}", seconds) : age.dataset.minutes.replace("{n}", Math.floor(seconds / 60));
    age.textContent = away ? words : "";
  };

  /* The tables one by one, in the server's time: all projectors put up the same table */
  const serverNow = () => (clock ? clock.now + performance.now() - clock.at : Date.now());
  const readCeremony = () => {
    const card = main.querySelector(".scene-ceremony");
    if (!card || innerWidth < PHONE) return null;
    const found = { card, start: Number(card.dataset.start) * 1_000, seconds: Number(card.dataset.seconds), up: -1, page: null };
    return serverNow() < found.start + found.seconds * 1_000 + 2_000 ? found : null;
  };
  const tick = () => {
    if (!ceremony) return;
    const passed = (serverNow() - ceremony.start) / 1_000;
    if (passed > ceremony.seconds + 2) {
      ceremony = null;
      body.classList.remove("ceremony");
      for (const row of main.querySelectorAll(".row.waiting, .row.fresh")) row.classList.remove("waiting", "fresh");
      const draw = pages.findIndex((page) => page.scene.dataset.role === "tables");
      goTo(Math.max(0, draw));
    } else putUp(passed);
  };
  const putUp = (passed) => {
    const draw = pages.filter((page) => page.scene.dataset.role === "tables"), rows = draw.flatMap((page) => page.rows);
    if (passed < TITLE_SECONDS || !rows.length) {
      if (ceremony.up !== 0) { ceremony.up = 0; ceremony.page = { scene: ceremony.card, rows: [] }; place(ceremony.page); label(ceremony.page, 0, 0); }
      return;
    }
    const time = ceremony.seconds - TITLE_SECONDS, blocks = Math.max(1, Math.min(rows.length, Math.floor(time / BLOCK_SECONDS)));
    const block = Math.min(blocks, Math.floor((passed - TITLE_SECONDS) / time * blocks) + 1);
    const up = Math.ceil(rows.length * block / blocks), before = Math.ceil(rows.length * (block - 1) / blocks);
    if (up === ceremony.up) return;
    ceremony.up = up;
    const page = draw.find((each) => each.rows.includes(rows[up - 1]));
    place(page);
    ceremony.page = page;
    label(page, draw.length > 1 ? draw.indexOf(page) + 1 : 0, draw.length);
    for (const [index, row] of rows.entries()) {
      row.classList.toggle("waiting", index >= up);
      row.classList.toggle("fresh", index >= before && index < up);
    }
  };

  /* Calls */
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
  document.addEventListener("clock:now", ({ detail }) => { clock = detail; tick(); });
  document.addEventListener("clock:state", poll);
  window.addEventListener("resize", layOut);
  window.addEventListener("online", poll);

  const start = main.innerHTML;
  renew(start);
  document.fonts.ready.then(() => { widths.clear(); layOut(); });
  poll();
  setInterval(poll, POLL);
  setInterval(tellAge, 1_000);
  setInterval(tick, TICK);
})();
