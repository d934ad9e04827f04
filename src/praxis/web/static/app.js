// Keeps a page alive: news from /events, decisions without a reload, keys, times that go on.
// Everything works without it; texts come from the page, so it speaks no language of its own.

const page = document.documentElement;
const main = document.getElementById("main");
const announcer = document.getElementById("announcer");
const lost = document.getElementById("lost");
const down = document.getElementById("down");
const live = document.getElementById("live");
const skew = Date.parse(page.dataset.now) - Date.now();

// --- Bringing the page up to date without disturbing whoever reads it.

function isInUse(form) {
  if (form.contains(document.activeElement) && !document.activeElement.matches("button")) return true;
  return [...form.elements].some((field) =>
    field.matches("textarea, input:not([type=hidden], [type=radio], [type=checkbox])")
      ? field.value !== field.defaultValue
      : field.matches("input[type=radio], input[type=checkbox]") && field.checked !== field.defaultChecked);
}

function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.dataset.key || node.id || "" : "";
}

function isAlike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && keyOf(one) === keyOf(other);
}

function attributesFrom(old, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS") && name !== "style") {
      old.removeAttribute(name);
    }
  }
}

function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
    return;
  }
  // What a person is filling in stays as they saw it, with the version they saw.
  if (old.nodeName === "FORM" && isInUse(old)) return;
  if (old.nodeName === "DETAILS" && !fresh.open && old.open) fresh.open = true;
  attributesFrom(old, fresh);
  if (old.matches("input[type=hidden]")) old.value = fresh.value;
  if (old.matches("textarea, select")) return;
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    let same = at;
    if (!same || !isAlike(same, next)) {
      same = keyOf(next) ? [...old.childNodes].find((each) => isAlike(each, next)) : null;
      if (same && same.contains(document.activeElement)) {
        // Moving a node would take its focus: move what stands before it instead.
        while (at && at !== same) { const gone = at; at = at.nextSibling; old.append(gone); }
      } else if (same) old.insertBefore(same, at);
    }
    if (same) {
      at = same.nextSibling;
      morph(same, next);
    } else {
      const added = document.importNode(next, true);
      if (added.nodeType === Node.ELEMENT_NODE && added.matches(".line")) added.classList.add("changed");
      old.insertBefore(added, at);
    }
  }
  while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
}

function lineAt(index) {
  const lines = [...main.querySelectorAll(".line a.title")];
  return lines[Math.min(index, lines.length - 1)];
}

function replaceMain(text, keepsNotice = false) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const next = fresh.getElementById("main");
  if (!next || fresh.querySelector("[data-unknown]")) return false;
  // What was said of a decision stays until the next one.
  const notice = main.querySelector(".notice");
  if (keepsNotice && notice && !next.querySelector(".notice")) {
    const before = notice.previousElementSibling;
    const place = before ? next.querySelector(`.${before.className}`) : null;
    if (place) place.after(notice.cloneNode(true));
    else next.prepend(notice.cloneNode(true));
  }
  const focused = document.activeElement;
  const wasInside = main.contains(focused) && focused !== main;
  const lines = [...main.querySelectorAll(".line")];
  const index = lines.indexOf(focused.closest?.(".line"));
  morph(main, next);
  document.title = fresh.title;
  if (wasInside && !focused.isConnected) (index >= 0 ? lineAt(index) ?? main : main).focus({ preventScroll: true });
  tellTimes();
  return true;
}

const AT_MOST_EVERY_MS = 400;
let refreshing = null;
let again = false;
async function refresh() {
  if (refreshing) { again = true; return refreshing; }
  refreshing = (async () => {
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (answer.status === 401) { location.reload(); return; }
      const text = await answer.text();
      if (answer.status === 503 || !replaceMain(text, true)) showOld(down, true);
      else showOld(down, false);
    } catch {
      showOld(lost, true);
    }
  })();
  await refreshing;
  refreshing = null;
  if (!again) return;
  again = false;
  await new Promise((done) => setTimeout(done, AT_MOST_EVERY_MS)); // a storm of news is one page
  await refresh();
}

function showOld(banner, isShown) {
  banner.hidden = !isShown;
  document.body.classList.toggle("old", !lost.hidden || !down.hidden);
  const isKnown = lost.hidden && down.hidden && !document.querySelector("[data-unknown]");
  live.hidden = !(isKnown && source?.readyState === EventSource.OPEN);
}

function say(text) {
  announcer.textContent = "";
  if (text) requestAnimationFrame(() => { announcer.textContent = text; });
}

// --- News.

let source = null;
let cursor = "";
let late = 0;

function listen() {
  if (source) return;
  source = new EventSource(cursor ? `/events?after=${cursor}` : "/events");
  source.onopen = () => {
    clearTimeout(late);
    showOld(lost, false);
  };
  source.onerror = () => {
    clearTimeout(late);
    late = setTimeout(() => showOld(lost, true), 1500);
    live.hidden = true;
    if (source.readyState === EventSource.CLOSED) { source = null; setTimeout(listen, 3000); }
  };
  const heard = (event) => { cursor = event.lastEventId || cursor; };
  source.addEventListener("changes", async (event) => {
    heard(event);
    const told = JSON.parse(event.data);
    if (!told.count) return;
    await refresh();
    say(told.say);
  });
  source.addEventListener("reset", (event) => { heard(event); refresh(); });
  source.addEventListener("down", () => { if (!document.querySelector("[data-unknown]")) showOld(down, true); });
  source.addEventListener("up", async () => {
    if (document.querySelector("[data-unknown]") && !document.querySelector("[data-unknown] form")) location.reload();
    else await refresh();
  });
}

function hush() {
  source?.close();
  source = null;
  clearTimeout(late);
}

// A page nobody looks at holds no connection: browsers have few of them for one address.
document.addEventListener("visibilitychange", () => (document.hidden ? hush() : listen()));
addEventListener("pagehide", hush);
addEventListener("pageshow", (event) => { if (event.persisted) { listen(); refresh(); } });

// --- Decisions without losing one's place.

let shown = "";

function goTo(address) {
  history.pushState(null, "", address);
  shown = location.pathname + location.search;
}

function cleaned() {
  const address = new URL(location.href);
  for (const name of ["done", "item", "lang", "replayed"]) address.searchParams.delete(name);
  if (address.href !== location.href) history.replaceState(null, "", address);
  shown = location.pathname + location.search;
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post" || form.action.includes("/rejected/")) return;
  event.preventDefault();
  if (form.dataset.sending) return;
  form.dataset.sending = "yes";
  const button = event.submitter;
  const address = button?.formAction || form.action;
  try {
    const answer = await fetch(address, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const text = await answer.text();
    if (answer.status === 503) { showOld(down, true); document.getElementById("down").focus?.(); return; }
    const fresh = new DOMParser().parseFromString(text, "text/html");
    form.closest("details.menu")?.removeAttribute("open");
    if (answer.ok) form.reset();
    if (answer.ok && answer.redirected) {
      const here = new URL(answer.url);
      for (const name of ["done", "item"]) here.searchParams.delete(name);
      if (here.pathname !== location.pathname) goTo(here);
    }
    const focused = document.activeElement;
    if (form.contains(focused)) (form.closest(".line")?.querySelector("a.title") ?? main).focus({ preventScroll: true });
    delete form.dataset.sending;
    if (answer.ok) replaceMain(text);
    else showRefusal(fresh);
    const said = main.querySelector("#notice, [data-done]");
    if (said) {
      say(said.querySelector("h2, p")?.textContent.trim());
      if (said.id === "notice") { said.scrollIntoView({ block: "start" }); said.focus(); }
    }
  } catch {
    showOld(lost, true);
  } finally {
    delete form.dataset.sending;
  }
});

function showRefusal(fresh) {
  // The answer is the item's page, filled with what was typed and the version to decide about now.
  const next = fresh.getElementById("main");
  if (!next) { location.reload(); return; }
  const canonical = fresh.querySelector("#decide");
  main.replaceChildren(...document.importNode(next, true).childNodes);
  document.title = fresh.title;
  if (canonical) goTo(new URL(canonical.action).pathname.replace(/\/[a-z]+$/, ""));
  tellTimes();
}

// Only another page is loaded anew: a step to a place on this one is none.
addEventListener("popstate", () => { if (location.pathname + location.search !== shown) location.reload(); });

// --- Keys: only while they are switched on, and never while somebody types.

const keys = document.getElementById("keys");
const showKeys = document.getElementById("show-keys");
const keysOn = document.getElementById("keys-on");
showKeys.hidden = false;
keysOn.checked = localStorage.getItem("keys") !== "off";
keysOn.addEventListener("change", () => localStorage.setItem("keys", keysOn.checked ? "on" : "off"));
showKeys.addEventListener("click", () => keys.showModal());

function step(by) {
  const lines = [...main.querySelectorAll(".line a.title")].filter((each) => each.checkVisibility());
  const at = lines.indexOf(document.activeElement.closest?.(".line")?.querySelector("a.title"));
  const next = lines[at < 0 ? (by > 0 ? 0 : lines.length - 1) : Math.min(Math.max(at + by, 0), lines.length - 1)];
  next?.focus();
  next?.closest(".line").scrollIntoView({ block: "nearest" });
}

function press(...verbs) {
  const place = document.activeElement.closest?.(".line") ?? document.getElementById("decide");
  for (const verb of verbs) {
    const button = place?.querySelector(`button[data-verb="${verb}"]`);
    if (button) { button.form.requestSubmit(button); return; }
  }
}

const does = {
  j: () => step(1),
  k: () => step(-1),
  a: () => press("acknowledge"),
  r: () => press("resolve"),
  p: () => press("pin", "unpin"),
  "/": () => document.getElementById("seek").focus(),
  "?": () => keys.showModal(),
};
// The keys of a Russian layout lie elsewhere: the place of the key is what counts.
const places = { KeyJ: "j", KeyK: "k", KeyA: "a", KeyR: "r", KeyP: "p" };

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const menu = document.activeElement.closest?.("details.menu[open]");
    if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat && !"jk".includes(event.key)) return;
  if (!keysOn.checked || keys.open) return;
  if (document.activeElement.matches("input, textarea, select, [contenteditable]")) return;
  const key = event.shiftKey && event.key !== "?" ? "" : does[event.key] ? event.key : places[event.code];
  if (!does[key]) return;
  event.preventDefault();
  does[key]();
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

// --- Times go on while nothing else happens.

const words = new Intl.RelativeTimeFormat(page.lang, { numeric: "always" });
const steps = [[60, 1, "second"], [3600, 60, "minute"], [86400, 3600, "hour"], [45 * 86400, 86400, "day"]];

function tellTimes() {
  const now = Date.now() + skew;
  for (const time of document.querySelectorAll("time[data-relative]")) {
    const seconds = (Date.parse(time.dateTime) - now) / 1000;
    const size = Math.abs(seconds);
    const [, unit, name] = steps.find(([below]) => size < below) ?? [];
    if (!name) continue;
    const text = size < 10 ? page.dataset.just : words.format(Math.sign(seconds) * Math.floor(size / unit), name);
    if (time.textContent !== text) time.textContent = text;
  }
}
setInterval(tellTimes, 15000);

cleaned();
if (!document.hidden) listen();
