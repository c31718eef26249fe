"use strict";
(() => {
  const root = document.documentElement;
  const store = { get: () => { try { return localStorage.getItem("theme"); } catch { return null; } },
                  set: (value) => { try { localStorage.setItem("theme", value); } catch { /* a page opened from disk may have no storage */ } } };
  if (store.get()) root.dataset.theme = store.get();
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    store.set(root.dataset.theme);
  });

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "copied";
    });
  }

  const table = document.getElementById("statements");
  if (table) {
    const query = document.getElementById("query");
    const boxes = [...document.querySelectorAll("input[name=outcome]")];
    const apply = () => {
      const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
      const allowed = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
      let shown = 0;
      for (const row of table.tBodies[0].rows) {
        row.hidden = !allowed.has(row.dataset.outcome) || !words.every((word) => row.dataset.text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      document.getElementById("none").hidden = shown > 0;
    };
    query.addEventListener("input", apply);
    for (const box of boxes) box.addEventListener("change", apply);
    query.form.addEventListener("submit", (event) => event.preventDefault());
  }

  const find = document.getElementById("find");
  if (find) {
    const rows = window.statements;
    const found = document.getElementById("found");
    find.form.addEventListener("submit", (event) => event.preventDefault());
    find.addEventListener("input", () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      const hits = words.length ? rows.filter((row) => words.every((word) => `${row[0]} ${row[1]}`.toLowerCase().includes(word))) : [];
      found.replaceChildren(...hits.slice(0, 40).map(([id, title, outcome, page, scope]) => {
        const item = document.createElement("li");
        const badge = Object.assign(document.createElement("span"), { className: `badge ${outcome}`, textContent: outcome });
        const link = Object.assign(document.createElement("a"), { href: page, textContent: id });
        item.append(badge, " ", link, scope ? ` (${scope}) ${title}` : ` ${title}`);
        return item;
      }));
      found.hidden = hits.length === 0;
    });
  }
})();
