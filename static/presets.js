/* Searching the presets of a new event: every word typed must stand in a card. Without it all are listed. */
const search = document.getElementById("preset-search");
if (search) {
  const cards = [...document.querySelectorAll(".preset")];
  const none = document.getElementById("preset-none");
  search.parentElement.hidden = false;
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const card of cards) {
      const text = card.textContent.toLowerCase();
      card.hidden = !words.every((word) => text.includes(word));
      if (!card.hidden) found += 1;
    }
    none.hidden = found > 0;
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
}
