// Makes the picture of a report interactive: values at the pointer, hiding series, logarithmic axes, zoom. The script only moves the parts of the picture to
// other scales, using the values in their data-* attributes; "reset" shows the original picture.
"use strict";
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(d => { d.open = true; })); // show everything on paper
(() => {
const svg = document.querySelector("figure svg"), chart = svg && svg.querySelector(".chart");
if (!chart) return;
const [LEFT, TOP, WIDTH, HEIGHT] = chart.dataset.frame.split(" ").map(Number);
const NS = "http://www.w3.org/2000/svg", TEXT = 12;
const axes = chart.querySelector(".axes"), originalAxes = axes.innerHTML, xUnit = chart.dataset.xUnit;
const names = [...axes.querySelectorAll(".tick.name")].map(e => ({ v: +e.dataset.x, text: e.textContent, y: e.getAttribute("y") }));
const readScale = text => { const [low, high, kind] = text.split(" "); return { low: +low, high: +high, log: kind === "log" }; };
const original = { x: readScale(chart.dataset.x), y: [chart.dataset.left, chart.dataset.right].map(t => t ? readScale(t) : null) };
let now = structuredClone(original);

const at = (s, v) => s.log ? (v > 0 ? Math.log2(v / s.low) / Math.log2(s.high / s.low) : -1e4) : (v - s.low) / (s.high - s.low);
const value = (s, part) => s.log ? s.low * 2 ** (part * Math.log2(s.high / s.low)) : s.low + part * (s.high - s.low);
const X = (s, v) => LEFT + WIDTH * at(s, v), Y = (s, v) => TOP + HEIGHT * (1 - at(s, v));
const number = text => text === undefined || text === "" ? NaN : +text;

const series = [...chart.querySelectorAll(".series")].map(g => {
	const curve = g.querySelector(".curve");
	const marks = [...g.querySelectorAll(".point")].map(e => ({ e, x: +e.dataset.x, y: number(e.dataset.y), low: number(e.dataset.low), high: number(e.dataset.high) }));
	const far = curve && curve.dataset.points ? curve.dataset.points.split(" ").map(p => { const [x, y] = p.split(","); return { x: +x, y: number(y) }; }) : null;
	return { g, curve, marks, points: far || marks, axis: +g.dataset.axis, label: (g.classList.contains("published") ? "published " : "") + g.dataset.label,
		unit: g.dataset.unit, shown: true, bound: !!far && !marks.length };
});
const keys = [...svg.querySelectorAll(".key")].filter(k => !k.closest(".side")); // the smaller charts below do not change
const strips = [...svg.querySelectorAll(".strip")].map(g => ({ g, label: g.dataset.label, unit: g.dataset.unit, curve: g.querySelector(".curve"),
	marks: [...g.querySelectorAll(".point")].map(e => ({ e, x: +e.dataset.x, y: +e.dataset.y, cy: +e.querySelector("circle").getAttribute("cy") })) }));

// --- ticks, with the same rules as the program (plot/chart_scale.c) ---
function bytes(v) {
	let p = 0;
	while (p < 4 && v >= 1024 && v % 1024 === 0) { v /= 1024; p++; }
	return v + " " + ["B", "KiB", "MiB", "GiB", "TiB"][p];
}
function plain(v) { return String(+v.toPrecision(6)); }
function count(v) {
	let p = 0;
	while (p < 5 && Math.abs(v) >= 10000) { v /= 1000; p++; }
	return plain(v) + ["", "k", "M", "G", "T", "P"][p];
}
function power(v) {
	if (v < 1) return "1/" + power(1 / v);
	let p = 0;
	if (v < 1) return String(+v.toPrecision(3));
	while (p < 5 && v >= 1024) { v /= 1024; p++; }
	return plain(v) + ["", "k", "M", "G", "T", "P"][p];
}
function niceStep(least, inBytes) {
	if (inBytes) return 2 ** Math.ceil(Math.log2(least) - 1e-9);
	const unit = 10 ** Math.floor(Math.log10(least) + 1e-9);
	return [1, 2, 5, 10].map(k => k * unit).find(step => step >= least * (1 - 1e-9));
}
function ticks(s, unit, max) {
	const list = [], inBytes = unit === "B";
	if (s.log && s.high >= 2 * s.low) {
		const first = Math.ceil(Math.log2(s.low) - 1e-9), last = Math.floor(Math.log2(s.high) + 1e-9), every = Math.max(1, Math.ceil((last - first + 1) / max));
		for (let k = first; k <= last; k += every) list.push({ v: 2 ** k, text: inBytes && k >= 0 ? bytes(2 ** k) : power(2 ** k) });
		return list;
	}
	let step = niceStep((s.high - s.low) / max, inBytes);
	while (Math.floor(s.high / step + 1e-9) - Math.ceil(s.low / step - 1e-9) + 1 > max) step = niceStep(step * 1.5, inBytes);
	for (let k = Math.ceil(s.low / step - 1e-9); k * step <= s.high * (1 + 1e-9); k++) list.push({ v: k * step, text: inBytes ? bytes(k * step) : count(k * step) });
	return list;
}
function add(parent, name, attributes, text) {
	const e = document.createElementNS(NS, name);
	for (const k in attributes) e.setAttribute(k, attributes[k]);
	if (text !== undefined) e.textContent = text;
	parent.appendChild(e);
	return e;
}
function drawAxes() {
	if (JSON.stringify(now) === JSON.stringify(original)) { axes.innerHTML = originalAxes; return; }
	axes.textContent = "";
	for (const t of names.length ? names : ticks(now.x, xUnit, Math.floor(WIDTH / (5.5 * TEXT)))) {
		const x = X(now.x, t.v);
		if (x < LEFT - 1 || x > LEFT + WIDTH + 1) continue;
		add(axes, "path", { class: "grid", d: `M${x},${TOP}V${TOP + HEIGHT}`, stroke: "#dddddd", fill: "none" });
		add(axes, "text", { class: "tick", x, y: t.y || TOP + HEIGHT + 1.4 * TEXT, "text-anchor": "middle" }, t.text);
	}
	now.y.forEach((s, axis) => {
		const unit = (series.find(o => o.axis === axis) || {}).unit;
		for (const t of s ? ticks(s, unit, Math.floor(HEIGHT / (3 * TEXT))) : []) {
			const y = Y(s, t.v);
			if (!axis || !now.y[0]) add(axes, "path", { class: "grid", d: `M${LEFT},${y}H${LEFT + WIDTH}`, stroke: "#dddddd", fill: "none" });
			add(axes, "text", { class: "tick", x: axis ? LEFT + WIDTH + 6 : LEFT - 6, y: y + 0.35 * TEXT, "text-anchor": axis ? "start" : "end" }, t.text);
		}
	});
}

// --- moving the parts of the picture ---
function path(points, y) {
	let d = "", down = false, before = -Infinity;
	for (const p of points) {
		if (!isNaN(p.y)) d += (down && p.x >= before ? "L" : "M") + X(now.x, p.x).toFixed(2) + "," + y(p).toFixed(2);
		down = !isNaN(p.y);
		before = p.x;
	}
	return d;
}
function moveSeries(o) {
	const s = now.y[o.axis], was = original.y[o.axis];
	if (o.curve) o.curve.setAttribute("d", path(o.points, p => Y(s, p.y)));
	for (const p of o.marks) {
		const dx = X(now.x, p.x) - X(original.x, p.x), dy = isNaN(p.y) ? 0 : Y(s, p.y) - Y(was, p.y), bar = p.e.querySelector(".bar");
		p.e.setAttribute("transform", `translate(${dx.toFixed(2)},${dy.toFixed(2)})`);
		const column = p.e.querySelector(".column");
		if (column) {
			const [left, right] = [column.dataset.left, column.dataset.right].map(v => X(now.x, +v) - dx), bottom = TOP + HEIGHT;
			column.setAttribute("d", `M${left},${Math.min(Y(was, p.y), bottom - dy)}H${right}V${bottom - dy}H${left}z`);
		}
		if (bar) {
			const x = X(original.x, p.x), low = Y(s, p.low) - dy, high = Y(s, p.high) - dy;
			bar.setAttribute("d", `M${x},${low}V${high}M${x - 3},${high}h6M${x - 3},${low}h6`);
		}
	}
}
function redraw() {
	drawAxes();
	series.forEach(moveSeries);
	for (const o of strips) {
		for (const p of o.marks) {
			p.e.setAttribute("transform", `translate(${(X(now.x, p.x) - X(original.x, p.x)).toFixed(2)},0)`);
			p.e.style.display = at(now.x, p.x) < -1e-9 || at(now.x, p.x) > 1 + 1e-9 ? "none" : "";
		}
		const seen = o.marks.filter(p => p.e.style.display !== "none");
		if (o.marks.length) o.curve.setAttribute("d", path(seen, p => p.cy));
	}
	near.style.display = hint.style.display = "none";
}

// --- scales ---
function fitY(axis) {
	const s = now.y[axis];
	let low = Infinity, high = -Infinity;
	for (const o of series)
		if (o.axis === axis && o.shown && !o.bound)
			for (const p of o.points) {
				const part = at(now.x, p.x);
				if (isNaN(p.y) || part < 0 || part > 1) continue;
				low = Math.min(low, isNaN(p.low) ? p.y : p.low, p.y);
				high = Math.max(high, isNaN(p.high) ? p.y : p.high, p.y);
			}
	if (!(high >= low)) return;
	if (s.log && low > 0) {
		s.low = 2 ** Math.floor(Math.log2(low));
		s.high = Math.max(2 ** Math.ceil(Math.log2(high)), 2 * s.low);
		return;
	}
	s.log = false;
	if (!isZoomed()) low = Math.min(low, 0);
	high = Math.max(high, isZoomed() ? high : 0);
	if (high === low) high = low + (Math.abs(low) || 1);
	const step = niceStep((high - low) / 5);
	s.low = Math.floor(low / step + 1e-9) * step;
	s.high = Math.ceil(high / step - 1e-9) * step;
}
function isZoomed() { return now.x.low !== original.x.low || now.x.high !== original.x.high; }
function refit() {
	if (!isZoomed() && now.x.log === original.x.log && series.every(o => o.shown) && now.y.every((s, i) => !s || s.log === original.y[i].log)) now = structuredClone(original);
	else now.y.forEach((s, axis) => s && fitY(axis));
	redraw();
}
function zoom(low, high) {
	if (high - low < 1e-9 * Math.abs(high)) return;
	now.x.low = Math.max(low, original.x.low);
	now.x.high = Math.min(high, original.x.high);
	refit();
}

// --- tools ---
const figure = svg.closest("figure"), tools = document.createElement("div"), hint = document.createElement("div");
tools.className = "tools";
hint.className = "hint";
hint.style.display = "none";
figure.prepend(tools);
figure.appendChild(hint);
const near = add(chart, "circle", { class: "near", r: 7 });
near.style.display = "none";
function button(text, title, press, pressed) {
	const b = document.createElement("button");
	b.type = "button";
	b.textContent = text;
	b.title = title;
	const show = () => { if (pressed) b.setAttribute("aria-pressed", String(pressed())); };
	b.addEventListener("click", () => { press(); buttons.forEach(f => f()); });
	buttons.push(show);
	show();
	tools.appendChild(b);
}
const buttons = [];
const positive = (pick, list) => list.every(v => isNaN(pick(v)) || pick(v) > 0);
if (series.every(o => positive(p => p.x, o.points)) && original.x.low > 0)
	button("log x", "logarithmic x axis", () => { now.x.log = !now.x.log; refit(); }, () => now.x.log);
if (series.every(o => positive(p => p.y, o.points)))
	button("log y", "logarithmic y axes", () => { const log = !now.y.some(s => s && s.log); now.y.forEach(s => { if (s) s.log = log; }); refit(); }, () => now.y.some(s => s && s.log));
button("zoom in", "zoom in; or drag across the picture", () => zoom(value(now.x, 0.25), value(now.x, 0.75)));
button("zoom out", "zoom out", () => zoom(value(now.x, -0.5), value(now.x, 1.5)));
button("reset", "the original picture (double click)", reset);
function reset() {
	now = structuredClone(original);
	series.forEach((_, i) => setShown(i, true));
	redraw();
}
function setShown(i, on) {
	series[i].shown = on;
	series[i].g.classList.toggle("off", !on);
	keys.filter(k => +k.dataset.series === i).forEach(k => k.classList.toggle("off", !on));
}
keys.forEach(k => {
	const i = +k.dataset.series;
	k.setAttribute("tabindex", "0");
	k.setAttribute("role", "button");
	const toggle = () => { setShown(i, !series[i].shown); refit(); buttons.forEach(f => f()); };
	k.addEventListener("click", toggle);
	k.addEventListener("keydown", e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); toggle(); } });
});

// --- pointer: shows the nearest value; dragging zooms ---
function pointerPosition(event) {
	const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
	return { x: p.x, y: p.y, inside: p.x >= LEFT - 8 && p.x <= LEFT + WIDTH + 8 && p.y >= TOP - 8 && p.y <= TOP + HEIGHT + 8 };
}
function nearest(p) {
	let best = null, least = 40;
	for (const o of series)
		for (const q of o.shown && !o.bound ? o.points : []) {
			const x = X(now.x, q.x), y = isNaN(q.y) ? TOP + HEIGHT : Y(now.y[o.axis], q.y), far = Math.hypot(x - p.x, y - p.y);
			if (far < least && x >= LEFT - 1 && x <= LEFT + WIDTH + 1) { least = far; best = { o, q, x, y }; }
		}
	return best;
}
function rounded(v) { return v.toFixed(Math.abs(v) >= 9.95 || Number.isInteger(v) ? 0 : 1); } // as units_format_rounded
function formatValue(v, unit) { return unit === "B" ? bytes(v) : plain(v) + (unit ? " " + unit : ""); }
function showHint(found, event) {
	const { o, q } = found;
	let text = `${o.label}\nat ${(names.find(n => n.v === q.x) || { text: formatValue(q.x, xUnit) }).text}: ${isNaN(q.y) ? "not measured" : formatValue(q.y, o.unit)}`;
	if (!isNaN(q.low)) text += `\nquartiles ${plain(q.low)} to ${plain(q.high)}`;
	for (const s of strips) {
		const m = s.marks.find(p => p.x === q.x);
		if (m) text += `\n${s.label} ${rounded(m.y)} ${s.unit}`;
	}
	hint.textContent = text;
	hint.style.display = near.style.display = "";
	near.setAttribute("cx", found.x);
	near.setAttribute("cy", found.y);
	const box = figure.getBoundingClientRect(), w = hint.offsetWidth;
	hint.style.left = Math.min(event.clientX - box.left + 14, box.width - w) + "px";
	hint.style.top = event.clientY - box.top + 14 + "px";
}
let from = null, band = null;
svg.addEventListener("pointerdown", e => {
	const p = pointerPosition(e);
	if (!p.inside || e.button) return;
	from = p.x;
	band = add(chart, "rect", { class: "select", x: from, y: TOP, width: 0, height: HEIGHT });
	svg.setPointerCapture(e.pointerId);
});
svg.addEventListener("pointermove", e => {
	const p = pointerPosition(e);
	if (from !== null) {
		const a = Math.max(LEFT, Math.min(from, p.x)), b = Math.min(LEFT + WIDTH, Math.max(from, p.x));
		band.setAttribute("x", a);
		band.setAttribute("width", Math.max(0, b - a));
	}
	const found = p.inside && from === null ? nearest(p) : null;
	if (found) showHint(found, e);
	else hint.style.display = near.style.display = "none";
});
svg.addEventListener("pointerup", e => {
	if (from === null) return;
	const a = +band.getAttribute("x"), w = +band.getAttribute("width");
	band.remove();
	from = band = null;
	if (w > 8) zoom(value(now.x, (a - LEFT) / WIDTH), value(now.x, (a + w - LEFT) / WIDTH));
});
svg.addEventListener("pointerleave", () => { hint.style.display = near.style.display = "none"; });
svg.addEventListener("dblclick", () => { reset(); buttons.forEach(f => f()); });
})();
