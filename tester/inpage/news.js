// What passes while nobody looks: messages that come and go, and frames that were drawn. It is told over the console:
// what this world writes there no page can see, send or stop, and the watch reads it on the other side.

const tell = news => console.debug(CHANNEL, JSON.stringify(news));

const NO_FRAMES = 100; // ms after which a tab that is not shown, and draws nothing, counts as drawn
const PASSING = 15000; // ms that a message may stay and still be one that passes
const BY_HAND = 60; // ms after something a person does in which what vanishes was sent away and did not pass
const LIVE = '[role=alert], [role=status], [role=log], [aria-live=polite], [aria-live=assertive], output';
const NO_MESSAGE = CONTROLS + ', ' + PRESSABLE + ', [role=listbox], [role=menu], [role=tree], [role=grid], [role=tooltip], table';
const MANY = 60; // things looked at after one change of the page; more is a new page and no message

// Tells when the document is ready and two frames have been drawn from now on.
function drawn({ id }) {
  listenEverywhere();
  let done = false;
  const finish = () => {
    if (done) return;
    done = true;
    listenEverywhere();
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => tell({ drawn: id }), { once: true });
    else tell({ drawn: id });
  };
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(finish)));
  setTimeout(finish, NO_FRAMES);
  return true;
}

const SHOWING = ['class', 'style', 'hidden', 'open', 'disabled', 'checked', 'selected', 'value', 'readonly', 'aria-hidden', 'aria-disabled', 'aria-checked',
  'aria-selected', 'aria-expanded', 'aria-pressed', 'aria-invalid', 'aria-valuenow', 'aria-label', 'data-state'];
const heard = new WeakSet(); // documents and shadow roots that are listened to
const spoken = new WeakMap(); // parts of live regions, and what they said last
const passing = new Map(); // what has appeared lately: node -> { text, since }
let touched = new Set(), changed = new Set(), emptied = new Set(), gone = [], byHand = -Infinity, due = false, waking = false, greeted = false;

const observer = new MutationObserver(records => {
  const replaced = new Set(records.filter(one => one.addedNodes.length).map(one => one.target));
  for (const { type, target, addedNodes, removedNodes } of records) {
    if (type === 'attributes') changed.add(target);
    else if (type === 'characterData') touched.add(target);
    else if (removedNodes.length && target.nodeType === Node.ELEMENT_NODE) emptied.add(target);
    for (const node of addedNodes) touched.add(node);
    for (const node of removedNodes) if (passing.size) gone.push({ node, passed: !replaced.has(target) && passedByItself() });
  }
  lookSoon();
});

function lookSoon() {
  if (due) return;
  due = true;
  const look = () => { if (due) { due = false; lookAround(); } };
  requestAnimationFrame(look);
  setTimeout(look, NO_FRAMES);
}

// Tells when anything on the page changes next.
function wake() {
  listenEverywhere();
  waking = true;
  return true;
}

for (const type of ['input', 'change', 'transitionend', 'animationend', 'toggle'])
  addEventListener(type, () => { if (waking) lookSoon(); }, { capture: true, passive: true });

const passedByItself = () => performance.now() - byHand > BY_HAND;

function listen(root) {
  if (heard.has(root)) return false;
  heard.add(root);
  observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: SHOWING });
  return true;
}

// Shadow roots make no sign when they come: what is in one that was not there at the last look is as good as new.
function listenEverywhere() {
  memo = new Map();
  for (const root of roots()) if (listen(root) && greeted) for (const node of root.childNodes) touched.add(node);
  if (touched.size) lookSoon();
}

function lookAround() {
  memo = new Map();
  const nodes = [...touched], toggled = [...changed], left = gone;
  touched = new Set();
  changed = new Set();
  for (const one of emptied) if (!brief(one)) spoken.delete(closest(one, LIVE) ?? one);
  emptied = new Set();
  gone = [];
  for (const { node, passed } of left) goneFrom(node, passed);
  for (const node of [...nodes]) if (node.nodeType === Node.ELEMENT_NODE && node.isConnected)
    for (const one of below(node)) if (one.shadowRoot && listen(one.shadowRoot)) nodes.push(...one.shadowRoot.childNodes);
  const few = nodes.slice(0, MANY);
  for (const one of [...few, ...toggled.slice(0, MANY)]) for (const [region, part] of liveParts(one)) speak(region, part);
  for (const one of toggled) vanished(one);
  for (const node of few) appeared(node);
  for (const one of toggled.slice(0, MANY)) appeared(one);
  if (waking) { waking = false; tell({ woken: true }); }
}

// The parts of live regions that a change has to do with: the region as a whole, or the child that changed.
function liveParts(node) {
  const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
  if (!element?.isConnected) return [];
  const region = closest(element, LIVE);
  if (region) return [[region, region === element || region.children.length < 2 || region.getAttribute('aria-atomic') === 'true' ? region : topBelow(region, element)]];
  return within(element, LIVE).map(one => [one, one]);
}

function speak(region, part) {
  const text = rendered(part) ? brief(part) : '';
  if (!text) spoken.delete(part);
  else if (spoken.get(part) !== text) {
    spoken.set(part, text);
    tell({ alert: text, part: idOf(part), age: 0 });
  }
}

const brief = node => (node.nodeType === Node.ELEMENT_NODE ? textOf(node) : squeeze(node.data ?? '')).slice(0, 400);

// Something short that stands in no live region: it is told once it has vanished again, by itself.
function appeared(node) {
  if (passing.has(node) || passing.size >= MANY || !node.isConnected || (node.textContent ?? '').length > 1000) return;
  const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
  if (!element || SILENT.has(element.tagName.toUpperCase()) || element.matches('body, html') || closest(element, LIVE)) return;
  if (closest(element, NO_MESSAGE) || element.isContentEditable || !visible(element) || transparent(element)) return;
  if (within(element, CONTROLS + ', ' + LIVE).length || within(element, PRESSABLE).length > 2) return;
  const text = brief(node);
  if (!text || [...passing.keys()].some(one => one.contains(node))) return;
  for (const one of passing.keys()) if (node.contains(one)) passing.delete(one);
  passing.set(node, { text, since: performance.now() });
}

function goneFrom(node, passed) {
  for (const [one, { text, since }] of passing) if (one === node || node.contains(one)) pass(one, text, since, passed);
}

function vanished(element) {
  for (const [one, { text, since }] of passing) {
    if (!one.isConnected || !(element === one || element.contains(one) || one.contains(element))) continue;
    const shown = one.nodeType === Node.ELEMENT_NODE ? one : one.parentElement;
    if (!visible(shown) || transparent(shown)) pass(one, text, since, passedByItself());
  }
}

function pass(node, text, since, passed) {
  const age = performance.now() - since;
  passing.delete(node);
  if (passed && age <= PASSING) tell({ alert: text, age, part: null });
}

for (const type of ['pointerdown', 'pointermove', 'pointerup', 'click', 'keydown', 'wheel', 'focusout'])
  addEventListener(type, event => { if (event.isTrusted) byHand = performance.now(); }, { capture: true, passive: true });
addEventListener('pointerdown', listenEverywhere, { capture: true, passive: true });

// Messages that a document is born with.
function greet() {
  listenEverywhere();
  greeted = true;
  const age = performance.now() - (performance.getEntriesByType('navigation')[0]?.domInteractive ?? 0);
  for (const one of every('[role=alert], [role=status]')) {
    const text = rendered(one) ? brief(one) : '';
    if (!text || spoken.has(one)) continue;
    spoken.set(one, text);
    tell({ alert: text, part: idOf(one), age: Math.max(0, age) });
  }
}

if (document.readyState === 'loading') { listen(document); addEventListener('DOMContentLoaded', greet, { once: true }); }
else greet();
