// A learning curve, drawn by Plotly. Its script is large and comes only when there is a curve.

import { language, t } from "../text.js";

/** @typedef {{games: number, success: number, epsilon: number | null, epsilon_first: number | null, alpha: number | null}} Row */

/** @type {Promise<any> | null} */ let loading = null;

/** @param {string} address @returns {Promise<any>} */
function plotly(address) {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => done(/** @type {any} */ (window).Plotly);
    script.onerror = () => failed(new Error("Plotly cannot be loaded"));
    document.head.append(script);
  });
  return loading;
}

/** A colour of the page as it looks now. @param {string} name */
function colour(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** The least of 1, 2, 5, 10 … that nothing exceeds. @param {(number | null)[]} values */
function roundTop(values) {
  const most = Math.max(...values.map((value) => value ?? 0));
  if (most <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(most));
  return unit * ([1, 2, 5].find((step) => most <= step * unit * (1 + 1e-9)) ?? 10);
}

/** An axis from 0 to a round number, with three ticks. @param {(number | null)[]} values */
function smallAxis(values) {
  const top = roundTop(values);
  const ticks = [0, top / 2, top];
  const words = ticks.map((tick) => tick.toLocaleString(language, { maximumSignificantDigits: 2 }));
  return { range: [0, 1.05 * top], tickvals: ticks, ticktext: words };
}

/**
 * @param {HTMLElement} element whose `data-script` says where Plotly is
 * @param {Row[]} rows @param {number} games of the whole training
 */
export async function drawCurve(element, rows, games) {
  const Plotly = await plotly(String(element.dataset.script));
  const [ink, soft, edge, accent, first, bad] = ["--ink", "--soft", "--edge", "--accent", "--even", "--bad"].map(colour);
  const x = rows.map((row) => row.games);
  const line = { type: "scatter", mode: rows.length > 60 ? "lines" : "lines+markers", x, marker: { size: 5 } };
  const traces = [
    { ...line, name: t("lab.run.success"), y: rows.map((row) => 100 * row.success), line: { color: accent, width: 2.5 }, hovertemplate: "%{y:.1f} %" },
    { ...line, mode: "lines", name: t("lab.run.epsilon"), y: rows.map((row) => row.epsilon), yaxis: "y2", line: { color: first, dash: "dash" }, hovertemplate: "%{y:.3g}" },
    { ...line, mode: "lines", name: t("lab.run.alpha"), y: rows.map((row) => row.alpha), yaxis: "y3", line: { color: bad, dash: "dot" }, hovertemplate: "%{y:.3g}" },
  ];
  if (rows.some((row) => row.epsilon_first !== null))
    traces.push({ ...line, mode: "lines", name: t("lab.run.epsilon-first"), y: rows.map((row) => row.epsilon_first), yaxis: "y2", line: { color: first, dash: "longdashdot" }, hovertemplate: "%{y:.3g}" });
  const narrow = element.clientWidth < 520;
  const axis = { gridcolor: edge, linecolor: edge, zerolinecolor: edge, tickcolor: edge, fixedrange: true };
  const layout = {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: ink, family: getComputedStyle(document.body).fontFamily, size: narrow ? 11 : 13 },
    margin: narrow ? { l: 46, r: 46, t: 8, b: 52 } : { l: 62, r: 62, t: 8, b: 52 },
    separators: language === "de" ? ",." : ".,",
    hovermode: "x unified",
    hoverlabel: { bgcolor: colour("--panel"), bordercolor: edge, font: { color: ink } },
    legend: { orientation: "h", itemwidth: 30, y: 1.02, yanchor: "bottom", font: { color: soft } },
    xaxis: { ...axis, title: { text: t("lab.run.games"), standoff: 8 }, range: [0, games], anchor: "y2", nticks: narrow ? 4 : 8, tickformat: narrow && games >= 10_000 ? "~s" : ",d", tickangle: 0 },
    yaxis: { ...axis, domain: [0.4, 1], range: [-2, 102], ticksuffix: narrow ? " %" : "", ...(narrow ? {} : { title: { text: `${t("lab.run.success")} (%)`, standoff: 8 } }) },
    yaxis2: { ...axis, domain: [0, 0.3], ...smallAxis(rows.flatMap((row) => [row.epsilon, row.epsilon_first])), ...(narrow ? {} : { title: { text: "ε", standoff: 6 } }) },
    yaxis3: { ...axis, overlaying: "y2", side: "right", ...smallAxis(rows.map((row) => row.alpha)), showgrid: false, ...(narrow ? {} : { title: { text: "α", standoff: 6 } }), automargin: true },
    showlegend: true,
  };
  await Plotly.react(element, traces, layout, { displayModeBar: false, responsive: true, displaylogo: false, locale: "en" });
}

/** Draw again when light turns to dark. @param {() => void} draw */
export function whenThemeChanges(draw) {
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
