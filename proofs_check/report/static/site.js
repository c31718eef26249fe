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

  // one spelling for numbers, short names, Greek letters and hyphens
  const SHORT = { thm: "theorem", theo: "theorem", lem: "lemma", prop: "proposition", cor: "corollary", coro: "corollary", eq: "equation", eqn: "equation",
    fig: "figure", tab: "table", def: "definition", sec: "section", obs: "observation", conj: "conjecture", rem: "remark", app: "appendix" };
  const GREEK = { α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", ζ: "zeta", η: "eta", θ: "theta", κ: "kappa", λ: "lambda", μ: "mu", ν: "nu", ξ: "xi",
    π: "pi", ρ: "rho", σ: "sigma", τ: "tau", φ: "phi", χ: "chi", ψ: "psi", ω: "omega" };
  const spelled = (text) => text.toLowerCase().replace(/[α-ω]/g, (sign) => ` ${GREEK[sign] ?? sign} `).replace(/[-_/#(),:;]+/g, " ");
  const wordsOf = (text) => spelled(text).split(/\s+/).map((word) => word.replace(/\.+$/, "")).filter(Boolean).map((word) => SHORT[word] ?? word);
  const isNear = (one, other) => {
    if (Math.abs(one.length - other.length) > 1) return false;
    let start = 0, end = 0;
    while (start < one.length && one[start] === other[start]) start++;
    while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end++;
    const left = one.length - start - end, right = other.length - start - end;
    return (left <= 1 && right <= 1) || (left === 2 && right === 2 && one[start] === other[start + 1] && one[start + 1] === other[start]);
  };
  // how well a word of the query fits the words of a row: whole, as a beginning, inside, or but for one letter
  const fit = (word, words) => {
    let best = 0;
    for (const other of words) {
      if (other === word) return 4;
      if (other.startsWith(word)) best = Math.max(best, 3);
      else if (word.length > 2 && other.includes(word)) best = Math.max(best, 2);
      else if (word.length > 4 && /^[a-z]+$/.test(word) && isNear(word, other)) best = Math.max(best, 1);
    }
    return best;
  };
  const score = (query, words) => {
    let total = 0;
    for (const word of query) {
      const found = fit(word, words);
      if (!found) return 0;
      total += found;
    }
    return total;
  };

  const table = document.getElementById("statements");
  if (table) {
    const query = document.getElementById("query"), scope = document.getElementById("scope"), steps = document.getElementById("steps");
    const boxes = [...document.querySelectorAll("input[name=outcome]")];
    const rows = [...table.tBodies[0].rows].map((row) => [row, wordsOf(row.dataset.text)]);
    const apply = () => {
      const asked = wordsOf(query.value);
      const allowed = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
      let shown = 0;
      for (const [row, words] of rows) {
        const fits = allowed.has(row.dataset.outcome) && (!scope.value || row.dataset.scope === scope.value) && (steps.checked || !row.dataset.step);
        row.hidden = !fits || (asked.length > 0 && !score(asked, words));
        shown += row.hidden ? 0 : 1;
      }
      document.getElementById("none").hidden = shown > 0;
    };
    for (const control of [query, scope, steps, ...boxes]) control.addEventListener("input", apply);
    query.form.addEventListener("submit", (event) => event.preventDefault());
  }

  for (const link of document.querySelectorAll(".severities a")) {
    link.addEventListener("click", () => { document.getElementById(link.hash.slice(1)).open = true; });
  }

  const find = document.getElementById("find");
  if (find) {
    const rows = window.statements.map((row) => [row, wordsOf(`${row[0]} ${row[1]} ${row[2]} ${row[4]} ${row[5]}`)]);
    const found = document.getElementById("found"), more = document.getElementById("more");
    find.form.addEventListener("submit", (event) => event.preventDefault());
    find.addEventListener("input", () => {
      const asked = wordsOf(find.value);
      const hits = asked.length ? rows.map(([row, words]) => [score(asked, words), row]).filter(([points]) => points > 0) : [];
      hits.sort((one, other) => other[0] - one[0] || one[1][0].includes("#") - other[1][0].includes("#"));
      found.replaceChildren(...hits.slice(0, 40).map(([, [id, title, outcome, page, scope]]) => {
        const item = document.createElement("li");
        const badge = Object.assign(document.createElement("span"), { className: `badge ${outcome}`, textContent: outcome });
        const link = Object.assign(document.createElement("a"), { href: page, textContent: id });
        item.append(badge, " ", link, scope ? ` (${scope}) ${title}` : ` ${title}`);
        return item;
      }));
      found.hidden = hits.length === 0;
      more.hidden = asked.length === 0;
      more.textContent = hits.length === 0 ? "Nothing matches." : hits.length > 40 ? `${hits.length} match, the first 40 are shown.` : `${hits.length} match.`;
    });
  }
})();
