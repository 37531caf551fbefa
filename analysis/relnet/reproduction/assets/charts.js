// SPDX-License-Identifier: GPL-2.0-only
// Curves with values under the mouse: one panel at a time, chosen by a slider, and a second slider that reads all curves
// at one place.
"use strict";

const LIBRARY = "assets/plotly.min.js";
const NARROW = 700;
let library = null;

/** Loads the library once, when the first chart is shown. */
function load() {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = LIBRARY;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  return library;
}

/** A number with four digits. */
function digits(value) {
  return Number(value.toPrecision(4)).toString();
}

/** An element with text. */
function make(tag, text = "", properties = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  made.textContent = text;
  return made;
}

/** The axis of a panel, for the library. */
function axis(told) {
  const made = { title: { text: told.label, standoff: 8 }, type: told.log ? "log" : "linear", gridcolor: "#e6eaee",
    linecolor: "#8b96a1", zeroline: false, automargin: true, exponentformat: "power" };
  if (told.ticks) Object.assign(made, { tickvals: told.ticks, ticktext: told.names, type: "linear" });
  return made;
}

/** A chart of the panels of a figure. */
class Chart {
  constructor(element) {
    this.element = element;
    this.panels = JSON.parse(element.querySelector("script").textContent);
    this.panel = 0;
    this.plot = make("div", "", { className: "plot" });
    this.sliders = make("div", "", { className: "sliders" });
    this.readout = make("ul", "", { className: "readout" });
    element.append(this.sliders, this.plot, this.readout);
    const titles = this.panels.map((panel, place) => panel.title || `panel ${place + 1}`);
    if (this.panels.length > 1) this.slider("Panel", titles, (place) => this.show(place));
    this.reading = this.slider("Read at", [], (place) => this.read(place));
    this.show(0);
  }

  /** A slider with a name and the text of its place. */
  slider(name, texts, change) {
    const input = make("input", "", { type: "range", min: 0, max: Math.max(0, texts.length - 1), value: 0 });
    input.setAttribute("aria-label", name);
    const output = make("output", texts[0] ?? "");
    const told = { input, output, texts };
    input.addEventListener("input", () => {
      output.textContent = told.texts[input.value];
      change(Number(input.value));
    });
    this.sliders.append(make("span", name), input, output);
    return told;
  }

  /** Draws a panel. */
  show(place) {
    this.panel = place;
    const panel = this.panels[place];
    const traces = panel.lines.map((line) => ({
      x: line.x, y: line.y, name: line.name || "curve", showlegend: Boolean(line.name),
      mode: line.dash ? (line.points ? "lines+markers" : "lines") : "markers",
      line: { color: line.colour, dash: line.dash || "solid", width: 2 }, marker: { color: line.colour, size: 6 },
    }));
    const layout = { margin: { l: 50, r: 10, t: 10, b: 40 }, paper_bgcolor: "#fff", plot_bgcolor: "#fff",
      font: { family: "inherit", size: 13, color: "#1d2733" }, hovermode: "x unified", xaxis: axis(panel.x),
      yaxis: axis(panel.y), legend: { orientation: "h", y: -0.25, yanchor: "top" }, shapes: [] };
    Plotly.react(this.plot, traces, layout, { responsive: true, displaylogo: false, displayModeBar: false });
    const places = new Set(panel.lines.flatMap((line) => line.x).filter((x) => x !== null));
    this.places = [...places].sort((first, second) => first - second);
    const names = new Map((panel.x.ticks ?? []).map((tick, index) => [tick, panel.x.names[index]]));
    this.reading.texts = this.places.map((x) => `${panel.x.label || "x"}: ${names.get(x) ?? digits(x)}`);
    this.reading.input.max = this.places.length - 1;
    this.reading.input.value = Math.floor((this.places.length - 1) / 2);
    this.reading.output.textContent = this.reading.texts[this.reading.input.value];
    this.read(Number(this.reading.input.value));
  }

  /** Writes the values of all curves at a place. */
  read(place) {
    const panel = this.panels[this.panel];
    const x = this.places[place];
    const unit = panel.y.label.match(/\[([^\]]+)\]$/)?.[1] ?? "";
    this.readout.replaceChildren();
    for (const line of panel.lines) {
      const at = line.x.indexOf(x);
      if (at < 0 || line.y[at] === null) continue;
      const item = make("li");
      const mark = make("i");
      mark.style.background = line.colour;
      item.append(mark, `${line.name || "curve"}: ${digits(line.y[at])} ${unit}`.trimEnd());
      this.readout.append(item);
    }
    Plotly.relayout(this.plot, { shapes: [{ type: "line", x0: x, x1: x, y0: 0, y1: 1, yref: "paper",
      line: { color: "#8b96a1", width: 1, dash: "dot" } }] });
  }
}

/** Switches between the figure as it was drawn and its curves. */
function connect(figure) {
  const views = figure.querySelector(".views");
  const picture = figure.querySelector(".picture");
  const element = figure.querySelector(".chart");
  let chart = null;
  const choose = async (view) => {
    const explore = view === "chart";
    picture.hidden = explore;
    element.hidden = !explore;
    for (const button of views.children) button.setAttribute("aria-pressed", String(button.dataset.view === view));
    if (explore && !chart) {
      await load();
      chart = new Chart(element);
    }
  };
  views.hidden = false;
  views.addEventListener("click", (event) => {
    if (event.target.dataset.view) choose(event.target.dataset.view);
  });
  const wanted = "open" in element.dataset || innerWidth < NARROW;
  if (!wanted) return;
  // A chart is drawn when it comes into view.
  new IntersectionObserver((entries, observer) => {
    if (entries.some((entry) => entry.isIntersecting)) {
      observer.disconnect();
      choose("chart");
    }
  }, { rootMargin: "300px" }).observe(figure);
}

document.querySelectorAll("figure").forEach((figure) => {
  if (figure.querySelector("[data-chart]")) connect(figure);
});
