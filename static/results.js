/* Result entry by keyboard: table ⏎ home level ⏎ away level ⏎. The server decides; this shows what it will say.
   Without it every row is a plain form. Rows are swapped by htmx; a row in which somebody types is left alone. */
(() => {
  "use strict";
  const table = document.getElementById("results");
  if (!table || !document.getElementById("poll")) return;
  const words = table.dataset;
  const tables = JSON.parse(document.getElementById("points-table").textContent);
  const box = document.getElementById("table-box");
  const line = document.getElementById("say");
  table.classList.add("live");

  const rows = () => [...table.querySelectorAll("tbody.result")];
  const rowOf = (element) => element.closest ? element.closest("tbody.result") : null;
  const rowOfTable = (number) => document.getElementById(`table-${number}`);
  const worth = (row) => tables[row.dataset.rules] || {};
  const levels = (row) => [...row.querySelectorAll("input.level-box")];
  const deals = (row) => [...row.querySelectorAll("input.deals-box")];
  const starts = (row) => [...row.querySelectorAll("input.start-box")];
  const typed = (row) => [...levels(row), ...deals(row), ...starts(row)];
  const form = (row) => row.querySelector("form");
  const say = (text, isBad = false) => { line.textContent = text; line.classList.toggle("bad", isBad); };
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // Levels as typed; the server's own table says which of them the rules allow.
  const SYMBOLS = { J: 11, Q: 12, K: 13, A: 14, "+": 15, "A+": 15, "过A": 15, "過A": 15 };
  for (let level = 2; level <= 10; level += 1) SYMBOLS[level] = level;
  const bare = (text) => text.normalize("NFKC").trim().toUpperCase();
  const isForfeit = (text) => ["X", "×", "弃权"].includes(bare(text));

  // What a row is: changed since it was rendered, on its way to the server, or in the hands of the official.
  const initial = (select) => (select.querySelector("option[selected]") || select.options[0]).value;
  const isDirty = (row) => typed(row).some((input) => input.value !== input.defaultValue) ||
    [...row.querySelectorAll("select")].some((select) => select.value !== initial(select));
  const isSaving = (row) => row.classList.contains("saving");
  const isBusy = (row) => isSaving(row) || isDirty(row) || row.classList.contains("refused") || row.contains(document.activeElement);
  const isOpen = (row) => !row.classList.contains("entered") && !isSaving(row);

  const preview = (row) => {
    const boxes = levels(row);
    const score = row.querySelector(".score");
    if (score.dataset.stored === undefined) score.dataset.stored = score.innerHTML;
    row.classList.toggle("dirty", isDirty(row));
    if (!isDirty(row)) { score.innerHTML = score.dataset.stored; ask(row, null); return; }
    const [home, away] = [boxes[0].value, boxes[1].value];
    const known = boxes.length === 2 ? gameWorth(row, home, away) : matchWorth(row, boxes);
    const wrong = boxes.map((box) => box.value).find((text) => bare(text) !== "" && !isForfeit(text) && !SYMBOLS[bare(text)]);
    const isBegunElsewhere = "countsFromStart" in words && starts(row).some((box) => box.value !== "");
    const isPlain = ["", "handicap"].includes(row.querySelector("select.kind").value);
    ask(row, known && known.needs);
    const points = (known) => isBegunElsewhere ? "" : known.points || (known.needs ? "" : dealPoints(row));
    const text = wrong !== undefined ? fill(words.noLevel, { text: wrong }) : isPlain && known ? known.problem || points(known) || "– : –" : "– : –";
    const isBad = wrong !== undefined || Boolean(isPlain && known && known.problem);
    show(score, text, isBad);
  };
  const gameWorth = (row, home, away) => worth(row)[`${SYMBOLS[bare(home)]}:${SYMBOLS[bare(away)]}`];
  // Of several games: nothing until the match is decided, then what its winner and all levels together are worth.
  const matchWorth = (row, boxes) => {
    const pairs = boxes.flatMap((box, at) => at % 2 ? [] : [[box.value, boxes[at + 1].value]]);
    const games = pairs.filter(([home, away]) => home !== "" && away !== "").map(([home, away]) => gameWorth(row, home, away));
    if (games.length === 0 || games.includes(undefined)) return undefined;
    const open = games.find((game) => !game.winner);
    if (open) return open;
    const won = (side) => games.filter((game) => game.winner === side).length;
    const [home, away] = [won("home"), won("away")];
    if (2 * Math.max(home, away) <= pairs.length && games.length < pairs.length) return undefined;
    const winner = home === away ? "tie" : home > away ? "home" : "away";
    const lead = games.reduce((sum, game) => sum + Number(game.lead), 0);
    return worth(row)[`${winner}:${lead}`];
  };
  // Where points go by the deals won, they are counted from the three numbers of each side.
  const counts = (text) => {
    const found = bare(text).match(/^(\d{1,3})\D+(\d{1,3})\D+(\d{1,3})$/) || bare(text).match(/^(\d)(\d)(\d)$/);
    return found && found.slice(1).map(Number);
  };
  const dealPoints = (row) => {
    const won = deals(row).map((box) => counts(box.value));
    if (!words.dealPoints || won.length < 2 || won.includes(null)) return "";
    const each = words.dealPoints.split(" ").map(Number);
    return won.map((side) => side.reduce((sum, count, place) => sum + count * each[place], 0)).join(" : ");
  };
  const show = (score, text, isBad) => {
    const shown = document.createElement("b");
    shown.className = isBad ? "problem" : "score-points";
    shown.textContent = text;
    const mark = document.createElement("span");
    mark.className = "score-note";
    mark.textContent = words.unsaved;
    score.replaceChildren(shown, " ", mark);
  };

  // Questions that only equal levels raise stay out of sight until then; of several games, until one is even.
  const hasWorth = (row) => Object.keys(worth(row)).length > 0;
  const isEqualSomewhere = (row) => {
    const texts = levels(row).map((box) => bare(box.value));
    return texts.some((text, at) => at % 2 === 0 && text !== "" && text === texts[at + 1]);
  };
  const ask = (row, needed) => {
    const more = row.querySelector("tr.facts");
    if (!more) return;
    const mayBeAsked = (fact) => fact.dataset.fact === needed || (!hasWorth(row) && isEqualSomewhere(row));
    for (const fact of more.querySelectorAll("[data-when-equal]")) {
      fact.hidden = !mayBeAsked(fact) && !fact.querySelector("select").value;
    }
    const isEmpty = [...more.querySelectorAll(".fact")].every((fact) => fact.hidden);
    more.hidden = isEmpty || !(row.contains(document.activeElement) || row.classList.contains("refused") || needed);
  };
  const unanswered = (row) => [...row.querySelectorAll("tr.facts [data-when-equal]")]
    .find((fact) => !fact.hidden && !fact.querySelector("select").value);

  const enter = (row) => {
    const first = row && levels(row)[0];
    if (!first) return;
    first.focus();
    first.select();
    row.scrollIntoView({ block: "nearest" });
  };
  const next = (row) => {
    const all = rows(), at = all.indexOf(row);
    return [...all.slice(at + 1), ...all.slice(0, at)].find(isOpen);
  };
  // Slips come in any order: each begins with its table's number. The next open table stands there to be overtyped.
  const goOn = (row) => {
    box.value = proposed = next(row)?.dataset.table ?? "";
    box.focus();
    box.select();
  };
  let proposed = "";

  const save = async (row) => {
    if (isSaving(row)) return;
    if (isSignedOut && !await signedInAgain()) { failed(row, words.signedOut); return; }
    form(row).requestSubmit(form(row).querySelector("button"));
  };

  // Signing in again, in another window, changes the token that every form carries.
  let isSignedOut = false;
  const signedInAgain = async () => {
    const answer = await fetch(location.pathname);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const token = page.querySelector("#results [name=csrfmiddlewaretoken]");
    if (!token) return false;
    for (const own of table.querySelectorAll("[name=csrfmiddlewaretoken]")) own.value = token.value;
    isSignedOut = false;
    return true;
  };

  box.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const row = rowOfTable(bare(box.value));
    if (row) { say(""); enter(row); box.value = proposed = ""; }
    else { say(bare(box.value) ? fill(words.noTable, { table: box.value }) : words.noNumber, true); box.select(); }
  });

  table.addEventListener("keydown", (event) => {
    const row = rowOf(event.target);
    if (!row || event.isComposing) return;
    const boxes = typed(row), at = boxes.indexOf(event.target), last = levels(row).length;
    if (event.key === "Escape") { box.focus(); box.select(); }
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && at >= 0) {
      const all = rows(), to = all[all.indexOf(row) + (event.key === "ArrowDown" ? 1 : -1)];
      if (to) { event.preventDefault(); typed(to)[at]?.focus(); typed(to)[at]?.select(); }
    } else if (event.key === "Enter" && (at >= 0 || event.target.tagName === "SELECT")) {
      event.preventDefault();
      // Of several games, an empty box after the first game says that no more were played.
      const isLastGame = at > 1 && at < last && at % 2 === 0 && boxes[at].value === "";
      const following = at < 0 ? undefined : boxes[isLastGame ? last : at + 1];
      const question = unanswered(row);
      if (following) { following.focus(); following.select(); }
      else if (question && at >= 0) question.querySelector("select").focus();
      else save(row);
    }
  });
  table.addEventListener("input", (event) => {
    const row = rowOf(event.target);
    if (!row) return;
    if (isForfeit(event.target.value)) emptyOther(row, event.target);
    preview(row);
  });
  // A side that forfeits leaves nothing to enter for the other.
  const emptyOther = (row, typed) => {
    for (const other of levels(row)) if (other !== typed && !isForfeit(other.value)) other.value = "";
  };
  // The official looked at both values and keeps their own: from here on this save replaces the stored one.
  table.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=accept]");
    if (!button) return;
    event.preventDefault();
    const row = rowOf(button);
    form(row).elements.version.value = button.value;
    save(row);
  });
  table.addEventListener("focusin", (event) => {
    const row = rowOf(event.target);
    for (const other of table.querySelectorAll("tbody.now")) if (other !== row) other.classList.remove("now");
    if (row) { row.classList.add("now"); preview(row); }
  });

  // Saving. Typing goes on in the next row at once; a refusal calls back unless something is typed there.
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const row = rowOf(event.target);
    if (!row || event.detail.requestConfig.verb !== "post") return;
    if (isSaving(row)) { event.preventDefault(); return; }
    row.classList.add("saving");
    const score = row.querySelector(".score");
    show(score, score.querySelector("b, .tag")?.textContent ?? "", false);
    score.querySelector(".score-note").textContent = words.saving;
    if (row.contains(document.activeElement)) goOn(row);
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const row = rowOf(event.detail.target);
    if (!row || event.detail.xhr.status === 204) return;
    if (event.detail.xhr.responseText.trimStart().startsWith("<tbody")) return;
    event.detail.shouldSwap = false; // the sign-in page or a page of the server's: never into a row
    isSignedOut = true;
    failed(row, words.signedOut);
  });
  document.body.addEventListener("htmx:afterSwap", (event) => {
    const row = event.target.matches("tbody.result") ? event.target : null;
    if (!row) return;
    preview(row);
    const { verb, elt } = event.detail.requestConfig;
    if (elt.id === "poll") return;
    if (verb !== "post") { enter(row); return; }
    const isRefused = row.classList.contains("refused"), number = { table: row.dataset.table };
    const done = rows().some((other) => isSaving(other) || isOpen(other)) ? "" : ` ${words.done}`;
    say(isRefused ? fill(words.refused, number) : fill(words.saved, number) + done, isRefused);
    const busy = rowOf(document.activeElement);
    const isTyping = busy && busy !== row ? isDirty(busy) : document.activeElement === box && box.value !== proposed;
    if (isRefused && !isTyping) callBack(row);
  });
  const callBack = (row) => {
    const choice = row.querySelector(".stale-pair");
    const start = starts(row).find((box) => box.value === "");
    if (choice) choice.focus();
    else if (start && !starts(row).some((box) => box.value !== "")) start.focus();
    else enter(row);
  };
  const failed = (row, text) => {
    row.classList.remove("saving");
    preview(row);
    say(fill(text, { table: row.dataset.table }), true);
  };
  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.body.addEventListener(name, (event) => {
      const row = rowOf(event.target), isGone = event.detail.xhr?.status === 404;
      if (row) failed(row, isGone ? `${words.refused} ${words.gone}` : words.failed);
      else if (isGone) say(words.gone, true);
    });
  }

  // Tables and the last digit of their versions, run by run ("3.01-0,90.2"): a thousand fit an address.
  const GAP = 8;
  const knownVersions = () => {
    let text = "", last = -GAP;
    for (const { dataset } of rows()) {
      const number = Number(dataset.table), gap = number - last - 1;
      text += gap >= 0 && gap < GAP ? "-".repeat(gap) : `${text && ","}${number}.`;
      text += (Number(dataset.version) % 36).toString(36);
      last = number;
    }
    return text;
  };

  // The penalties of the tables that have any: they change what a result counts and not its version.
  const knownRulings = () => rows().filter((row) => row.dataset.ruling)
    .map(({ dataset }) => `${dataset.table}.${dataset.ruling}`).join(",");

  // What other officials entered: asked for every few seconds, never put over a row in use.
  document.body.addEventListener("htmx:configRequest", (event) => {
    if (event.target.id !== "poll") return;
    if (document.visibilityState === "hidden") { event.preventDefault(); return; }
    const progress = document.getElementById("progress").dataset;
    event.detail.parameters = new FormData();
    event.detail.parameters.append("known", knownVersions());
    event.detail.parameters.append("rulings", knownRulings());
    event.detail.parameters.append("seating", progress.seating);
    event.detail.parameters.append("entered", progress.entered);
  });
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    const row = rowOf(event.detail.target);
    if (row && isBusy(row)) event.detail.shouldSwap = false;
  });

  // Unsaved rows are not lost by a slip of the hand.
  window.addEventListener("beforeunload", (event) => {
    const isOpenStill = (row) => isDirty(row) || isSaving(row) || row.classList.contains("refused");
    if (rows().some(isOpenStill)) event.preventDefault();
  });

  rows().forEach((row) => ask(row, null));
  // After the browser itself has gone to the address's table, which takes the focus away.
  const followAddress = () => setTimeout(() => {
    const wanted = location.hash.match(/^#table-(\d+)$/);
    if (wanted) enter(rowOfTable(wanted[1]));
  });
  window.addEventListener("load", followAddress);
  window.addEventListener("hashchange", followAddress);
})();
