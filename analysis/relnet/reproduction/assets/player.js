// SPDX-License-Identifier: GPL-2.0-only
// Plays the events of a counterexample or a recorded run: a line a peer, downwards, and an arrow a frame.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const [TOP, DOWN, WIDTH, MARGIN] = [34, 26, 620, 90];
/** Room beside the lines from which on each event is written there [pixels]. */
const NOTES = 220;
const LETTER = 6.2;
const SPEEDS = [["slow", 1500], ["normal", 750], ["fast", 250]];
const LONGEST_LABEL = 30;

/** An element with text. */
function make(tag, text = "", properties = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  made.textContent = text;
  return made;
}

/** An element of a drawing. */
function draw(tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

class Player {
  constructor(element) {
    Object.assign(this, JSON.parse(element.querySelector("script").textContent));
    this.element = element;
    this.step = -1;
    this.timer = 0;
    this.controls();
    this.text = make("p", "", { className: "told" });
    this.text.setAttribute("aria-live", "polite");
    this.view = make("div", "", { className: "view", tabIndex: 0, role: "img" });
    this.view.setAttribute("aria-label", `Sequence chart of ${this.steps.length} steps between ${this.peers.join(", ")}`);
    element.append(this.text, this.view);
    element.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.layOut()).observe(this.view);
    this.layOut();
    this.go(0);
  }

  /** Buttons and a slider. */
  controls() {
    const bar = make("div", "", { className: "controls" });
    const button = (text, label, act) => {
      const made = make("button", text, { type: "button", title: label });
      made.setAttribute("aria-label", label);
      made.addEventListener("click", act);
      bar.append(made);
      return made;
    };
    button("|<", "First step", () => this.go(0));
    button("<", "Step back", () => this.go(this.step - 1));
    this.playing = button("Play", "Play", () => this.toggle());
    button(">", "Step", () => this.go(this.step + 1));
    button(">|", "Last step", () => this.go(this.steps.length - 1));
    this.slider = make("input", "", { type: "range", min: 0, max: this.steps.length - 1, value: 0 });
    this.slider.setAttribute("aria-label", "Step");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.speed = make("select");
    this.speed.setAttribute("aria-label", "Speed");
    this.speed.style.width = "auto";
    this.speed.append(...SPEEDS.map(([name, wait]) => make("option", name, { value: wait })));
    this.speed.value = SPEEDS[1][1];
    this.count = make("span", "", { className: "count" });
    bar.append(this.slider, this.count, this.speed);
    this.element.append(bar);
  }

  /** Arrow keys step, the space bar plays, except in a field. */
  key(event) {
    if (["INPUT", "SELECT"].includes(event.target.tagName)) return;
    if (event.key === "ArrowRight") this.go(this.step + 1);
    else if (event.key === "ArrowLeft") this.go(this.step - 1);
    else if (event.key === " " && event.target.tagName !== "BUTTON") this.toggle();
    else return;
    event.preventDefault();
  }

  toggle() {
    if (this.timer) { this.stop(); return; }
    if (this.step === this.steps.length - 1) this.go(0);
    this.playing.textContent = "Pause";
    const next = () => {
      this.go(this.step + 1, true);
      if (this.step < this.steps.length - 1) this.timer = setTimeout(next, Number(this.speed.value));
      else this.stop();
    };
    this.timer = setTimeout(next, Number(this.speed.value));
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.playing.textContent = "Play";
  }

  /** Draws lines of peers for the width that there is. */
  layOut() {
    const room = this.view.clientWidth || WIDTH;
    if (room === this.room) return;
    this.room = room;
    const hasNotes = room > WIDTH * 0.7 + NOTES;
    const width = Math.min(WIDTH, hasNotes ? room - NOTES : room);
    this.width = hasNotes ? room : width;
    this.notes = hasNotes ? width : 0;
    const margin = Math.min(MARGIN, width / 5);
    const gap = this.peers.length > 1 ? (width - 2 * margin) / (this.peers.length - 1) : 0;
    this.lines = this.peers.map((_, peer) => margin + gap * peer);
    this.height = TOP + DOWN * (this.steps.length + 1);
    this.drawing = draw("svg", { viewBox: `0 0 ${this.width} ${this.height}`, width: this.width, height: this.height });
    this.drawing.style.width = `${this.width}px`;
    this.moving = draw("g", {});
    this.peers.forEach((name, peer) => this.drawing.append(
      draw("text", { x: this.lines[peer], y: 16, "text-anchor": "middle" }, name),
      draw("line", { x1: this.lines[peer], x2: this.lines[peer], y1: 24, y2: this.height - 6, stroke: "#aab3bc" })));
    this.drawing.append(this.moving);
    this.view.replaceChildren(this.drawing);
    this.paint();
  }

  /** Shows the events up to a step. */
  go(step, playing = false) {
    if (!playing) this.stop();
    this.step = Math.max(0, Math.min(this.steps.length - 1, step));
    this.slider.value = this.step;
    this.count.textContent = `${this.step + 1} of ${this.steps.length}`;
    const told = this.steps[this.step];
    const time = told.at === undefined ? "" : `${told.at.toFixed(3)} us  `;
    this.text.replaceChildren(make("strong", `${time}${this.peers[told.peer] ?? ""}: `), told.text,
      ...(told.repeats ? [make("em", " This repeats for ever.")] : []));
    this.paint();
  }

  paint() {
    const down = (step) => TOP + DOWN * (step + 0.5);
    this.moving.replaceChildren();
    const repeated = this.steps.findIndex((step) => step.repeats);
    if (repeated >= 0 && repeated <= this.step) {
      this.moving.append(draw("rect", { x: 2, y: down(repeated) - DOWN / 2, width: this.width - 4,
        height: DOWN * (this.step - repeated + 1), fill: "#fdf3cd" }));
    }
    const begun = new Map();
    for (const arrow of this.arrows) {
      if (arrow.sent > this.step) continue;
      const before = begun.get(arrow.sent) ?? 0;
      begun.set(arrow.sent, before + 1);
      this.paintArrow(arrow, down, before);
    }
    this.steps.slice(0, this.step + 1).forEach((told, place) => {
      const now = place === this.step;
      this.moving.append(draw("circle", { cx: this.lines[told.peer] ?? this.lines[0], cy: down(place), r: now ? 6 : 3,
        fill: now ? "#b3470f" : "#0068a3" }));
      if (this.notes) this.paintNote(told, down(place));
    });
    this.view.scrollTop = Math.max(0, down(this.step) - this.view.clientHeight * 0.7);
  }

  /** The text of an event beside the lines. */
  paintNote(told, y) {
    const time = told.at === undefined ? "" : `${told.at.toFixed(1)} us  `;
    const text = `${time}${this.peers[told.peer] ?? ""} ${told.text}`;
    const letters = Math.floor((this.width - this.notes) / LETTER);
    const shown = text.length > letters ? `${text.slice(0, letters - 1)}\u2026` : text;
    this.moving.append(draw("text", { x: this.notes, y: y + 4, class: "quiet" }, shown));
  }

  /**
   * An arrow from the step of its sending to that of its end, or to now. The label is further along if other arrows
   * begin at the same step, or the labels would cover each other.
   */
  paintArrow(arrow, down, before) {
    const ended = arrow.ended >= 0 && arrow.ended <= this.step;
    const [begin, aim] = [this.lines[arrow.sender], this.lines[arrow.receiver]];
    const start = down(arrow.sent);
    const stop = ended ? down(arrow.ended) : Math.max(start + DOWN / 2, down(this.step));
    const whole = arrow.ended >= 0 ? down(arrow.ended) : down(this.steps.length);
    const lost = ended && !arrow.arrived;
    const share = lost ? 0.75 : ended ? 1 : Math.min(0.9, (stop - start) / Math.max(1, whole - start));
    const end = begin + (aim - begin) * share;
    const colour = lost ? "#b00020" : "#3a4652";
    const dash = ended && arrow.arrived ? {} : { "stroke-dasharray": "5 3" };
    this.moving.append(draw("line", { x1: begin, y1: start, x2: end, y2: stop, stroke: colour, "stroke-width": 1.4, ...dash }));
    const angle = Math.atan2(stop - start, end - begin);
    if (lost) {
      this.moving.append(draw("text", { x: end, y: stop + 4, "text-anchor": "middle", fill: colour, style: `fill: ${colour}` }, "\u00d7"));
    } else {
      const wing = (turn) => `${end - 8 * Math.cos(angle + turn)},${stop - 8 * Math.sin(angle + turn)}`;
      this.moving.append(draw("polygon", { points: `${end},${stop} ${wing(0.4)} ${wing(-0.4)}`, fill: colour }));
    }
    const label = arrow.label.length > LONGEST_LABEL ? `${arrow.label.slice(0, LONGEST_LABEL - 1)}\u2026` : arrow.label;
    const along = Math.min(0.9, 0.3 + 0.3 * before);
    this.moving.append(draw("text", { x: begin + (aim - begin) * along,
      y: start + (stop - start) * along / Math.max(share, along) - 5, "text-anchor": "middle" }, label));
  }
}

document.querySelectorAll("[data-player]").forEach((element) => new Player(element));
