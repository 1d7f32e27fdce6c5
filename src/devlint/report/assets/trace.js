"use strict";
// Draws the ways of the values over the lanes. Everything else is in the page itself and needs no script.
const sheet = document.getElementById("sheet");
const ways = document.getElementById("ways");
const chips = [...document.querySelectorAll(".v[data-name]")];

function middle(element, side) {
  const box = element.getBoundingClientRect(), base = sheet.getBoundingClientRect();
  const x = side === "left" ? box.left : side === "right" ? box.right : box.left + Math.min(box.width / 2, 14);
  return [x - base.left, box.top + box.height / 2 - base.top];
}

function draw(from, to, kind, color, across) {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const [x1, y1] = from, [x2, y2] = to;
  const bend = across ? `C ${(x1 + x2) / 2} ${y1}, ${(x1 + x2) / 2} ${y2},` : `C ${x1} ${(y1 + y2) / 2}, ${x2} ${(y1 + y2) / 2},`;
  path.setAttribute("d", `M ${x1} ${y1} ${bend} ${x2} ${y2}`);
  path.setAttribute("class", kind);
  if (color) path.style.stroke = color;
  if (kind === "move") path.setAttribute("marker-end", "url(#arrow)");
  ways.appendChild(path);
  return path;
}

const color = element => getComputedStyle(element).getPropertyValue("--c");

function drawAll() {
  ways.querySelectorAll("path:not(.mark)").forEach(path => path.remove());
  const last = new Map();
  for (const chip of chips) {
    const start = chip.dataset.from && document.getElementById(chip.dataset.from);
    if (start) draw(middle(start, "right"), middle(chip, "left").map((v, i) => i ? v : v - 2), "move", color(chip), true);
    const key = chip.dataset.block + "\0" + chip.dataset.name, before = last.get(key);
    if (before && !chip.dataset.again) draw(middle(before), start ? middle(start) : middle(chip), "way", color(before), false);
    if (!chip.dataset.again) last.set(key, chip);
  }
  for (const end of document.querySelectorAll('.v.clash[id$="-a"]')) {
    const other = document.getElementById(end.dataset.other);
    if (other) draw(middle(end, "right"), middle(other, "left"), "clash", null, true);
  }
}

const rowsOf = chip => (chip.dataset.rows || "").split(" ").filter(Boolean).map(row => document.getElementById("L" + row)).filter(Boolean);

function follow(chip) {
  const name = CSS.escape(chip.dataset.name || "");
  const start = document.getElementById(chip.dataset.from || "");
  const end = middle(start || chip);
  let before = null;
  for (const line of rowsOf(chip)) {
    line.classList.add("lit");
    const stop = line.querySelector(`.v[data-name="${name}"]`) || line.querySelector(".v[data-name]");
    // A line that binds nothing is passed in the lane in which the way is.
    const here = stop ? middle(stop) : [before ? before[0] : end[0], middle(line.querySelector("td.number"))[1]];
    if (before) draw(before, here, "trail", color(chip), false);
    before = here;
  }
  if (before) draw(before, end, "trail", color(chip), false);
}

function light(chip, on) {
  document.querySelectorAll("tr.lit").forEach(row => row.classList.remove("lit"));
  ways.querySelectorAll("path.trail").forEach(path => path.remove());
  if (!on) return;
  follow(chip);
  const other = chip.dataset.other && document.getElementById(chip.dataset.other);
  if (other) follow(other);
}

for (const chip of document.querySelectorAll(".v")) {
  chip.addEventListener("mouseenter", () => light(chip, true));
  chip.addEventListener("mouseleave", () => light(chip, false));
  chip.addEventListener("focus", () => light(chip, true));
  chip.addEventListener("blur", () => light(chip, false));
}
new ResizeObserver(drawAll).observe(sheet);
drawAll();
