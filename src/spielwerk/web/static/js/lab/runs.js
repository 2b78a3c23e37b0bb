// The list of training runs, and beginning one.

import { Failure, get, post } from "../api.js";
import { byId, html, keyed } from "../dom.js";
import { formatNumber, hasText, t } from "../text.js";
import { gameMenu, percent, repeat, showSettings, showState, tellHere } from "./common.js";

/** @param {any} run */
function makeRun(run) {
  const state = html("span", { class: "state" });
  return html(
    "a",
    { class: "run", href: `/lab/runs/${encodeURIComponent(run.name)}` },
    html("strong", { text: run.name }),
    state,
    html("progress", { "aria-label": t("lab.run.progress") }),
    html("span", { class: "soft" }),
  );
}

/** @param {any} element @param {any} run */
function updateRun(element, run) {
  const [, state, progress, words] = element.children;
  showState(state, run.state);
  progress.max = run.games;
  progress.value = run.done;
  const parts = [run.game, t("lab.run.done", { done: formatNumber(run.done), games: formatNumber(run.games) })];
  if (run.success !== null) parts.push(t("lab.run.success-short", { share: percent(run.success) }));
  words.textContent = parts.join(" · ");
}

repeat(async () => {
  const runs = await get("/api/lab/runs");
  keyed(byId("runs"), runs, (run) => run.name, makeRun, updateRun);
  byId("no-runs").hidden = runs.length > 0;
  return true;
}, 2000);

const form = byId("begin");
/** @type {any[]} */ let kinds = [];

function chosenKind() {
  return kinds.find((kind) => kind.kind === form.kind.value);
}

function showPreset() {
  const preset = chosenKind()?.presets.find((/** @type {any} */ one) => one.name === form.preset.value);
  byId("remark").textContent = preset?.remark ?? "";
  showSettings(byId("settings"), preset?.settings ?? {});
}

/** @param {string} [wanted] */
function showPresets(wanted = "default") {
  const presets = chosenKind()?.presets ?? [];
  form.preset.replaceChildren(
    ...presets.map((/** @type {any} */ one) =>
      html("option", { value: one.name, text: t("lab.runs.preset-games", { name: one.name, games: formatNumber(one.games) }) }),
    ),
    ...(presets.length ? [] : [html("option", { value: "", text: t("lab.runs.no-preset") })]),
  );
  if (presets.some((/** @type {any} */ one) => one.name === wanted)) form.preset.value = wanted;
  showPreset();
}

/** @param {string} [wanted] */
async function showKinds(wanted = form.kind.value) {
  try {
    kinds = await get("/api/lab/kinds", { game: form.game.value });
    wrong("");
  } catch (error) {
    return wrong(error);
  }
  form.kind.replaceChildren(
    ...kinds.map((kind) => {
      const key = `lab.runs.kinds.${kind.kind}`;
      return html("option", { value: kind.kind, text: hasText(key) ? t(key) : kind.kind });
    }),
  );
  if (kinds.some((kind) => kind.kind === wanted)) form.kind.value = wanted;
  showPresets();
}

/** Say beside the form what is wrong. @param {any} error */
function wrong(error) {
  if (error && !(error instanceof Failure && error.message)) tellHere(error);
  byId("wrong").textContent = error ? error.message : "";
  byId("wrong").lang = "en";
}

async function begin() {
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  try {
    const run = await post("/api/lab/runs", {
      game: form.game.value,
      kind: form.kind.value,
      preset: form.preset.value || null,
      changes: form.changes.value.split("\n").map((/** @type {string} */ line) => line.trim()).filter(Boolean),
      seed: form.seed.value ? Number(form.seed.value) : null,
      name: form.elements.name.value || null,
    });
    location.href = `/lab/runs/${encodeURIComponent(run.name)}`;
  } catch (error) {
    wrong(error);
    button.disabled = false;
  }
}

if (form) {
  const query = new URLSearchParams(location.search);
  if (query.get("game")) form.game.value = query.get("game");
  if (query.get("features")) form.changes.value = `features=${query.get("features")}\n`;
  gameMenu(form);
  form.game.addEventListener("change", () => showKinds());
  form.kind.addEventListener("change", () => showPresets());
  form.preset.addEventListener("change", showPreset);
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    begin();
  });
  showKinds(query.get("kind") ?? "td");
}
