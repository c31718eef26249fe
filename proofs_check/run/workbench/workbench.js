"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const root = document.documentElement;
  at("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  const fields = ["rule", "loss", "state", "rate", "momentum", "moves", "start", "variables", "given", "when", "then", "target", "sentence"];
  const syntax = () => document.querySelector("input[name=syntax]:checked").value;
  const lines = (id) => at(id).value.split("\n").map((line) => line.trim()).filter(Boolean);
  const pairs = (id) => Object.fromEntries(lines(id).map((line) => { const i = line.indexOf(":"); return i < 0 ? [line, ""] : [line.slice(0, i).trim(), line.slice(i + 1).trim()]; }));

  const question = () => {
    if (syntax() === "sentence") return { latex: at("sentence").value };
    const statement = { syntax: syntax(), variables: pairs("variables"), given: lines("given") };
    const rule = at("rule").value;
    if (rule === "map" || rule === "flow") statement.dynamics = { [rule]: pairs("moves") };
    else if (rule) {
      const body = { loss: at("loss").value, state: at("state").value.split(",").map((name) => name.trim()).filter(Boolean) };
      if (rule !== "gradient_flow") body.rate = at("rate").value;
      if (rule === "heavy_ball" || rule === "nesterov") body.momentum = at("momentum").value;
      statement.dynamics = { [rule]: body };
    }
    if (rule) statement.start = pairs("start");
    const when = at("when").value, claim = at("then").value;
    statement.then = !when ? claim : { [when]: when === "converges_to" ? [claim, at("target").value] : claim };
    return { statement };
  };

  const arrange = () => {
    const rule = at("rule").value, own = rule === "map" || rule === "flow";
    at("sentence-part").hidden = syntax() !== "sentence";
    at("fields").hidden = syntax() === "sentence";
    at("loss-part").hidden = !rule || own;
    at("moves-part").hidden = !own;
    at("start-part").hidden = !rule;
    at("rate-part").hidden = rule === "gradient_flow";
    at("momentum-part").hidden = rule !== "heavy_ball" && rule !== "nesterov";
    at("target").hidden = at("when").value !== "converges_to";
  };

  const post = async (path, body) => {
    const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    return { ok: response.ok, answer: await response.json() };
  };

  const say = (sentence) => { at("problem").textContent = sentence; at("problem").hidden = !sentence; };
  // markup comes from our own server, which lets only plain MathML through
  const mathematics = (place, shown) => { if (shown.mathml) place.innerHTML = shown.mathml; else place.textContent = shown.latex; };

  let seen = null, asked = 0;
  const look = async () => {
    const turn = ++asked;
    const { ok, answer } = await post("/look", question());
    if (turn !== asked) return;
    if (!ok) { say(answer.error); return; }
    say("");
    seen = answer;
    mathematics(at("typeset"), answer);
    at("dynamics-part").hidden = !answer.moves;
    at("motion-part").hidden = answer.sliders.length === 0;
    if (answer.moves) {
      mathematics(at("dynamics"), answer.dynamics);
      at("equilibria").replaceChildren(...answer.equilibria.map((row) => {
        const line = document.createElement("tr");
        for (const [name, part] of [["equilibrium", row], ["multiplier", row.multiplier], ["attracts for", row.stable]]) {
          const cell = document.createElement("td");
          if (part) { const label = document.createElement("span"); label.className = "dim"; label.textContent = name; const shown = document.createElement("div"); mathematics(shown, part); cell.append(label, shown); }
          line.append(cell);
        }
        return line;
      }));
      slide(answer.sliders);
    }
  };

  let later = 0;
  const soon = () => { arrange(); clearTimeout(later); later = setTimeout(look, 250); };

  const values = {};
  const slide = (sliders) => {
    at("sliders").replaceChildren(...sliders.map((one) => {
      const value = values[one.name] !== undefined && values[one.name] >= one.low && values[one.name] <= one.high ? values[one.name] : one.value;
      values[one.name] = value;
      const row = document.createElement("label");
      row.className = "slider";
      const name = Object.assign(document.createElement("span"), { textContent: one.name });
      const input = Object.assign(document.createElement("input"), { type: "range", min: one.low, max: one.high, step: one.step, value });
      const output = Object.assign(document.createElement("output"), { textContent: Number(value).toPrecision(4) });
      input.addEventListener("input", () => { values[one.name] = Number(input.value); output.textContent = values[one.name].toPrecision(4); move(); });
      row.append(name, input, output);
      return row;
    }));
    move();
  };

  let moving = false, again = false;
  const move = async () => {
    if (moving) { again = true; return; }
    moving = true;
    const { ok, answer } = await post("/trajectory", { ...question(), values });
    moving = false;
    if (ok) { draw(at("picture"), answer.times, Object.entries(answer.states), 600); portrait(answer); }
    if (again) { again = false; move(); }
  };

  const element = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const range = (numbers) => {
    const finite = numbers.filter((value) => value !== null);
    let low = Math.min(...finite), high = Math.max(...finite);
    if (!(high > low)) { low -= 0.5; high += 0.5; }
    return [low, high];
  };
  const draw = (svg, across, curves, width) => {
    const shown = curves.slice(0, 4), [left, right] = range(across), [low, high] = range(shown.flatMap(([, up]) => up));
    const x = (value) => 46 + (width - 60) * (value - left) / (right - left);
    const y = (value) => 230 - 210 * (value - low) / (high - low);
    const parts = [element("line", { class: "axis", x1: 46, x2: width - 14, y1: 230, y2: 230 }), element("line", { class: "axis", x1: 46, x2: 46, y1: 20, y2: 230 })];
    for (const value of [low, high]) parts.push(element("text", { x: 42, y: y(value) + 4, "text-anchor": "end" }, value.toPrecision(3)));
    for (const value of [left, right]) parts.push(element("text", { x: x(value), y: 246, "text-anchor": "middle" }, Number(value.toPrecision(3))));
    shown.forEach(([name, up], index) => {
      const points = up.map((value, i) => (value === null || across[i] === null ? null : `${x(across[i]).toFixed(1)},${y(value).toFixed(1)}`)).filter(Boolean);
      parts.push(element("polyline", { class: `line-${index}`, points: points.join(" ") }));
      parts.push(element("text", { class: `key-${index}`, x: 60 + 60 * index, y: 14 }, name));
    });
    svg.replaceChildren(...parts);
  };
  const portrait = (answer) => {
    const states = Object.entries(answer.states);
    at("portrait-part").hidden = states.length < 2;
    if (states.length >= 2) draw(at("portrait"), states[0][1].map((value) => value ?? 0), [[`${states[1][0]} over ${states[0][0]}`, states[1][1]]], 300);
  };

  const row = (table, name, text) => {
    if (!text) return;
    const line = table.insertRow();
    line.append(Object.assign(document.createElement("th"), { textContent: name }));
    line.insertCell().textContent = text;
  };
  const point = (found) => found && Object.entries(found).map(([name, value]) => `${name} = ${value}`).join(", ");
  const show = (answer) => {
    at("verdict-part").hidden = false;
    const place = at("verdict");
    if (answer.state === "working") {
      const engines = answer.engines.map((one) => one.engine);
      place.replaceChildren(Object.assign(document.createElement("p"), { className: "engines", textContent: engines.length ? `asked: ${engines.join(", ")} …` : "waiting for its turn …" }));
      return;
    }
    if (answer.state === "refused") { place.replaceChildren(Object.assign(document.createElement("p"), { className: "problem", textContent: answer.error })); return; }
    const verdict = answer.verdict, badge = Object.assign(document.createElement("span"), { className: `badge ${verdict.outcome}`, textContent: verdict.outcome });
    const line = document.createElement("p");
    line.append(badge, ` ${verdict.means}.`);
    const table = Object.assign(document.createElement("table"), { className: "facts" });
    row(table, "counterexample", point(verdict.counterexample));
    row(table, "nearest true statement", verdict.correction);
    row(table, "known by", [verdict.strength, verdict.engine, ...verdict.trust].filter(Boolean).join(", "));
    row(table, "example of the hypotheses", point(verdict.witness));
    for (const note of verdict.notes) row(table, "note", note);
    row(table, "engines", answer.engines.map((one) => one.engine).join(", ") || "remembered");
    row(table, "time", `${verdict.seconds} s`);
    place.replaceChildren(line, table);
  };

  const remember = (answer, state, shown) => {
    const item = document.createElement("li");
    const badge = Object.assign(document.createElement("span"), { className: `badge ${answer.verdict.outcome}`, textContent: answer.verdict.outcome });
    const back = Object.assign(document.createElement("button"), { type: "button", title: "go back to this statement" });
    mathematics(back, shown);
    back.addEventListener("click", () => { restore(state); show(answer); });
    item.append(badge, " ", back);
    at("history").prepend(item);
  };
  const state = () => ({ syntax: syntax(), ...Object.fromEntries(fields.map((id) => [id, at(id).value])) });
  const restore = (kept) => {
    document.querySelector(`input[name=syntax][value=${kept.syntax}]`).checked = true;
    for (const id of fields) at(id).value = kept[id];
    arrange();
    look();
  };

  let newest = 0;
  at("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const turn = ++newest, kept = state();
    await look();
    if (!at("problem").hidden) return;
    const typeset = { mathml: seen.mathml, latex: seen.latex };
    show({ state: "working", engines: [] });
    let { answer } = await post("/check", { ...question(), effort: at("effort").value });
    if (answer.id === undefined) answer = { state: "refused", error: answer.error };
    while (answer.state === "working" && turn === newest) {
      show(answer);
      await new Promise((resolve) => setTimeout(resolve, 300));
      answer = await (await fetch(`/verdict/${answer.id}`)).json();
    }
    if (turn !== newest) return;
    show(answer);
    if (answer.state === "done") remember(answer, kept, typeset);
  });

  const copy = async (button, text) => {
    if (!text) { say("there is no such text of this statement: write the file by hand"); return; }
    await navigator.clipboard.writeText(text);
    const before = button.textContent;
    button.textContent = "copied";
    setTimeout(() => { button.textContent = before; }, 1500);
  };
  at("copy-latex").addEventListener("click", (event) => copy(event.target, seen && seen.latex));
  at("copy-test").addEventListener("click", (event) => copy(event.target, seen && seen.file && `${seen.file}\n\nfrom proofs_check import as_property_test  # noqa: E402\n\ntest_statement = as_property_test(statement)\n`));
  at("save").addEventListener("click", () => {
    if (!seen || !seen.file) { say("this statement has no file: write it by hand"); return; }
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([seen.file], { type: "text/x-python" })), download: "lemmas_workbench.py" });
    link.click();
    URL.revokeObjectURL(link.href);
  });

  at("form").addEventListener("input", soon);
  arrange();
  look();
})();
