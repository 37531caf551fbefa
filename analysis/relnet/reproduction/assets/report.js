// SPDX-License-Identifier: GPL-2.0-only
// Contents of a narrow page, and filters of claims.
"use strict";

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

/** Shows the rows that have all words, and the chosen paper and verdict; the choice is part of the address. */
function connectFilters(form) {
  const rows = [...document.querySelectorAll("table.claims tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const given = new URLSearchParams(location.search);
  for (const field of form.elements) {
    if (field.name && given.has(field.name)) field.value = given.get(field.name);
  }
  const show = () => {
    const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const paper = form.elements.paper.value;
    const verdict = form.elements.verdict.value;
    let count = 0;
    rows.forEach((row, place) => {
      const fits = (!paper || row.dataset.paper === paper) && (!verdict || row.dataset.verdict === verdict) &&
        words.every((word) => texts[place].includes(word));
      row.hidden = !fits;
      count += fits;
    });
    form.querySelector("[data-count]").textContent = `${count} of ${rows.length} claims`;
    const kept = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    history.replaceState(null, "", kept.size ? `?${kept}` : location.pathname);
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}

connectMenu();
document.querySelectorAll("[data-filters]").forEach(connectFilters);
