// SPDX-License-Identifier: GPL-2.0-only
// The fault matrix: protocols over networks for one fault, coloured by verdict or cost; a cell tells its run.
"use strict";

const [PROTOCOL, NETWORK, FAULT, VERDICT, KIND, BROKEN, COST] = [0, 1, 2, 3, 4, 5, 6];
const VERDICTS = "verdict";

/** An element with text. */
function make(tag, text = "", properties = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  made.textContent = text;
  return made;
}

/** A number with three digits. */
function digits(value) {
  return value === null ? "" : Number(value.toPrecision(3)).toString();
}

/** Black or white, what is read better on a colour. */
function inkOn(colour) {
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000000" : "#ffffff";
}

/** A colour between white and blue for a share of a scale. */
function shade(share) {
  const mix = (from, to) => Math.round(from + (to - from) * share).toString(16).padStart(2, "0");
  return `#${mix(235, 0)}${mix(243, 74)}${mix(250, 128)}`;
}

class Matrix {
  constructor(element) {
    this.told = JSON.parse(element.querySelector("script").textContent);
    this.fault = this.choice("Fault", this.told.faults.map(([name]) => name));
    this.colour = this.choice("Colour and number", [VERDICTS, ...this.told.costs]);
    this.slider = make("input", "", { type: "range", min: 0, max: this.told.faults.length - 1, value: 0 });
    this.slider.setAttribute("aria-label", "Fault");
    const controls = make("div", "", { className: "controls" });
    controls.append(this.fault.box, this.colour.box, this.slider);
    this.meaning = make("p");
    this.key = make("ul", "", { className: "key" });
    this.table = make("table");
    this.text = make("div", "", { className: "told" });
    this.text.setAttribute("aria-live", "polite");
    const wide = make("div", "", { className: "wide", tabIndex: 0, role: "region" });
    wide.setAttribute("aria-label", "Fault matrix");
    wide.append(this.table);
    element.append(controls, this.meaning, this.key, wide, this.text);
    this.fault.select.addEventListener("input", () => { this.slider.value = this.fault.select.selectedIndex; this.draw(); });
    this.slider.addEventListener("input", () => { this.fault.select.selectedIndex = this.slider.value; this.draw(); });
    this.colour.select.addEventListener("input", () => this.draw());
    const broken = this.told.cells.find((cell) => cell[BROKEN]);
    if (broken) this.slider.value = this.fault.select.selectedIndex = broken[FAULT];
    this.draw();
  }

  /** A field with a choice. */
  choice(name, options) {
    const box = make("div");
    const select = make("select", "", { id: `matrix-${name.split(" ")[0].toLowerCase()}` });
    select.append(...options.map((option) => make("option", option)));
    box.append(make("label", name, { htmlFor: select.id }), select);
    return { box, select };
  }

  /** Draws the table of the chosen fault. */
  draw() {
    const fault = this.fault.select.selectedIndex;
    const cost = this.told.costs.indexOf(this.colour.select.value);
    this.meaning.textContent = `${this.told.faults[fault][0]}: ${this.told.faults[fault][1]}.`;
    const cells = new Map(this.told.cells.filter((cell) => cell[FAULT] === fault)
      .map((cell) => [`${cell[PROTOCOL]} ${cell[NETWORK]}`, cell]));
    const values = this.told.cells.map((cell) => cell[COST + cost]).filter((value) => value > 0);
    const scale = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
    this.drawKey(cost);
    const head = make("tr");
    head.append(make("th"), ...this.told.networks.map((name) => {
      const column = make("th", "", { scope: "col" });
      column.append(make("span", name));
      return column;
    }));
    const thead = make("thead");
    thead.append(head);
    const tbody = make("tbody");
    this.told.protocols.forEach((protocol, row) => {
      const line = make("tr");
      line.append(make("th", protocol, { scope: "row" }));
      this.told.networks.forEach((network, column) => {
        const place = make("td");
        const cell = cells.get(`${row} ${column}`);
        if (cell) place.append(this.button(cell, cost, scale));
        line.append(place);
      });
      tbody.append(line);
    });
    this.table.replaceChildren(thead, tbody);
    this.text.replaceChildren(make("p", "Choose a cell for its run.", { className: "soft" }));
  }

  /** Explains the colours. */
  drawKey(cost) {
    const entries = cost < 0 ? Object.entries(this.told.colours)
      : [["least", shade(0)], ["most, on a logarithmic scale", shade(1)]];
    const items = entries.map(([name, colour]) => {
      const item = make("li");
      const mark = make("i");
      mark.style.background = colour;
      item.append(mark, name);
      return item;
    });
    if (cost >= 0) items.push(make("li", "italic, dashed frame: not every message was delivered"));
    this.key.replaceChildren(...items, make("li", "red frame: promise broken"));
  }

  /** A cell. */
  button(cell, cost, [low, high]) {
    const value = cost < 0 ? null : cell[COST + cost];
    const made = make("button", cost < 0 ? "" : digits(value), { type: "button" });
    let colour = cost < 0 ? this.told.colours[cell[KIND]] : "#f1f3f5";
    if (value > 0) colour = shade(high > low ? (Math.log(value) - low) / (high - low) : 0);
    made.style.background = colour;
    if (colour.length === 7) made.style.color = inkOn(colour);
    made.classList.toggle("broken", cell[BROKEN]);
    made.classList.toggle("partial", value !== null && this.told.partial.some((name) => cell[VERDICT].includes(name)));
    const title = `${this.told.protocols[cell[PROTOCOL]]} over ${this.told.networks[cell[NETWORK]]}: ${cell[VERDICT]}`;
    made.title = title;
    made.setAttribute("aria-label", cost < 0 ? title : `${title}, ${digits(value)}`);
    made.addEventListener("click", () => {
      this.table.querySelectorAll("[aria-pressed]").forEach((one) => one.removeAttribute("aria-pressed"));
      made.setAttribute("aria-pressed", "true");
      this.tell(cell, title);
    });
    return made;
  }

  /** Tells the run of a cell. */
  tell(cell, title) {
    const costs = this.told.costs.map((name, place) => [name, cell[COST + place]]).filter(([, value]) => value !== null)
      .map(([name, value]) => `${name} ${digits(value)}`);
    const told = cell[cell.length - 1];
    const last = told.startsWith("relnet ") ? make("pre", told, { tabIndex: 0 }) : make("p", told);
    this.text.replaceChildren(make("p", `${title}${cell[BROKEN] ? "; the promise is broken" : ""}. ${costs.join("; ")}`), last);
  }
}

document.querySelectorAll("[data-matrix]").forEach((element) => new Matrix(element));
