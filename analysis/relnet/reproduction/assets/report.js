// SPDX-License-Identifier: GPL-2.0-only
// Contents of a narrow page, and filters and pages of claims.
"use strict";

/** Rows of a page of the table of claims. */
const ROWS = 40;

/** Opens and closes the contents of a narrow page. */
function connectMenu() {
  const button = document.querySelector(".menu");
  const side = document.getElementById("side");
  button.addEventListener("click", () => {
    const open = side.classList.toggle("open");
    button.setAttribute("aria-expanded", String(open));
  });
  side.addEventListener("click", (event) => {
    if (event.target.closest("a")) side.classList.remove("open");
  });
}

/** Shows a page of the rows that have all words, and the chosen paper and verdict; the choice is part of the address. */
function connectFilters(form) {
  const rows = [...document.querySelectorAll("table.claims tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const given = new URLSearchParams(location.search);
  for (const field of form.elements) {
    if (field.name && given.has(field.name)) field.value = given.get(field.name);
  }
  const pages = document.querySelector("[data-pages]");
  let page = Math.max(0, parseInt(given.get("page") ?? 1, 10) - 1 || 0);
  const show = () => {
    const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const paper = form.elements.paper.value;
    const verdict = form.elements.verdict.value;
    let count = 0;
    rows.forEach((row, place) => {
      const fits = (!paper || row.dataset.paper === paper) && (!verdict || row.dataset.verdict === verdict) &&
        words.every((word) => texts[place].includes(word));
      row.hidden = !fits || count < page * ROWS || count >= (page + 1) * ROWS;
      count += fits;
    });
    const most = Math.max(1, Math.ceil(count / ROWS));
    if (page >= most) {
      page = most - 1;
      show();
      return;
    }
    pages.hidden = most === 1;
    pages.querySelector("output").textContent = `page ${page + 1} of ${most}`;
    pages.querySelectorAll("button").forEach((button) => {
      const next = page + Number(button.dataset.step);
      button.disabled = next < 0 || next >= most;
    });
    form.querySelector("[data-count]").textContent = `${count} of ${rows.length} claims`;
    const kept = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    if (page) kept.set("page", page + 1);
    history.replaceState(null, "", kept.size ? `?${kept}` : location.pathname);
  };
  form.addEventListener("input", () => {
    page = 0;
    show();
  });
  pages.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    page += Number(button.dataset.step);
    show();
    form.scrollIntoView();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}

connectMenu();
document.querySelectorAll("[data-filters]").forEach(connectFilters);
