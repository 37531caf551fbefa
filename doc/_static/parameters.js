// SPDX-License-Identifier: GPL-2.0-only
// Search over the parameters of all modules.
"use strict";

const MOST = 60;
const [NAME, OWNER, MODULE, HELP, PLACE] = [0, 1, 2, 3, 4];

/** Lists the parameters that have all words; those whose name has them are first. */
function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length ? PARAMETERS.filter((one) => {
    const told = `${one[NAME]} ${one[OWNER]} ${one[MODULE]} ${one[HELP]}`.toLowerCase();
    return words.every((word) => told.includes(word));
  }) : [];
  const isNamed = (one) => words.some((word) => one[NAME].toLowerCase().includes(word));
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))];
}

/** An entry of the list. */
function entry(one) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href: one[PLACE], textContent: one[NAME] });
  const owner = Object.assign(document.createElement("span"), { textContent: ` ${one[OWNER]}, ${one[MODULE]}: ` });
  item.append(link, owner, one[HELP]);
  return item;
}

const field = document.getElementById("parameter-search");
field.addEventListener("input", () => {
  const found = find(field.value);
  document.querySelector(".parameter-found").replaceChildren(...found.slice(0, MOST).map(entry));
  const count = found.length > MOST ? `The first ${MOST} of ${found.length} parameters.` : `${found.length} parameters.`;
  document.querySelector(".parameter-count").textContent = field.value.trim() ? count : "";
});
