// Elements as a person meets them: what is there, what can be seen, what says what; through open shadow roots.

const idToRef = new Map();
const elementToId = new WeakMap();
const DOCUMENT = Math.random().toString(36).slice(2, 8); // ids never survive a navigation

function idOf(element) {
  if (!elementToId.has(element)) {
    const id = `${DOCUMENT}:${idToRef.size + 1}`;
    elementToId.set(element, id);
    idToRef.set(id, new WeakRef(element));
  }
  return elementToId.get(element);
}

const elementOf = id => idToRef.get(id)?.deref();

// What one question has learnt about the page is kept until the next: the page does not move in between.
let memo = new Map();

function remembered(about, element, learn) {
  let known = memo.get(about);
  if (!known) memo.set(about, (known = new WeakMap()));
  if (!known.has(element)) known.set(element, learn(element));
  return known.get(element);
}

function roots() {
  if (!memo.has('roots')) {
    const found = [document];
    for (let i = 0; i < found.length; i++)
      for (const element of found[i].querySelectorAll('*')) if (element.shadowRoot) found.push(element.shadowRoot);
    memo.set('roots', found);
  }
  return memo.get('roots');
}

const every = selector => roots().flatMap(root => [...root.querySelectorAll(selector)]);

// Every element below (and with) one, through shadow roots.
function* below(element) {
  yield element;
  for (const child of element.shadowRoot?.children ?? []) yield* below(child);
  for (const child of element.children) yield* below(child);
}

const within = (element, selector) => [...below(element)].filter(one => one !== element && one.matches(selector));

const up = node => node.parentElement ?? (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);

function* ancestors(element) {
  for (let at = up(element); at; at = up(at)) yield at;
}

function closest(element, selector) {
  for (let at = element; at; at = up(at)) if (at.matches(selector)) return at;
  return null;
}

function holds(outer, inner) {
  for (let at = inner; at; at = up(at)) if (at === outer) return true;
  return false;
}

function byIds(element, attribute) {
  const root = element.getRootNode();
  return (element.getAttribute(attribute) ?? '').split(/\s+/).filter(Boolean)
    .map(id => root.getElementById?.(id) ?? document.getElementById(id)).filter(Boolean);
}

const SILENT = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'HEAD', 'SVG', 'IFRAME', 'OBJECT']);
const INLINE = new Set(['A', 'B', 'I', 'EM', 'STRONG', 'MARK', 'CODE', 'ABBR', 'U', 'S', 'FONT', 'SUB', 'SUP', 'WBR', 'BDI', 'Q']);
const CONTROLS = 'input, select, textarea, [contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"], ' +
  '[role=textbox], [role=searchbox], [role=combobox], [role=listbox], [role=slider], [role=spinbutton]';

const squeeze = text => text.replace(/[\s\u200b\u00a0\ufeff]+/g, ' ').trim();
const rendered = element => remembered('rendered', element, one => one.checkVisibility({ visibilityProperty: true }));

// The text that an element shows; what controls hold is theirs and not the text around them.
function textOf(element, { but = null, controls = false, hidden = false } = {}) {
  const parts = [];
  (function gather(node) {
    if (node.nodeType === Node.TEXT_NODE) return parts.push(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || node === but || SILENT.has(node.tagName.toUpperCase())) return;
    if (node !== element && !controls && node.matches(CONTROLS)) return parts.push(' ');
    if (node.tagName === 'IMG') return parts.push(' ', node.alt, ' ');
    if (!hidden && node !== element && (node.getAttribute('aria-hidden') === 'true' || !shows(node))) return;
    const loose = node !== element && !tight(node);
    if (loose) parts.push(' ');
    const slotted = node.tagName === 'SLOT' ? node.assignedNodes({ flatten: true }) : null;
    const children = slotted?.length ? slotted : (node.shadowRoot ?? node).childNodes;
    for (const child of children) gather(child);
    if (loose) parts.push(' ');
  })(element);
  return squeeze(parts.join(''));
}

// Inline parts that touch belong to one word: <span>12 Har</span>bour.
function tight(element) {
  if (INLINE.has(element.tagName)) return true;
  if (element.tagName !== 'SPAN' && element.tagName !== 'SLOT') return false;
  const style = getComputedStyle(element);
  return style.display === 'contents' || (style.display === 'inline' && [style.marginLeft, style.marginRight, style.paddingLeft, style.paddingRight].every(gap => gap === '0px'));
}

// display:contents has no box of its own, and still shows what is inside.
const shows = element => rendered(element) || getComputedStyle(element).display === 'contents';

// Pieces of text that stand alone, in document order: { text, element }.
function textLeaves() {
  if (!memo.has('leaves')) {
    const leaves = [];
    for (const root of roots()) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement ?? root.host;
        if (!element || SILENT.has(element.tagName.toUpperCase()) || !/\S/.test(node.data)) continue;
        leaves.push({ text: squeeze(node.data), element, node });
      }
    }
    memo.set('leaves', leaves);
  }
  return memo.get('leaves');
}

const viewport = () => ({ width: innerWidth, height: innerHeight });

// Has a box that a person can bring into view; opacity is another question (`transparent`).
function visible(element) {
  return remembered('visible', element, one => {
    if (!one.isConnected || !rendered(one)) return false;
    const box = one.getBoundingClientRect();
    if (box.width <= 1 && box.height <= 1) return false;
    if (box.width < 1 || box.height < 1) return false;
    if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return false;
    return !clipped(one) && !outOfReach(one, box);
  });
}

function clipped(element) {
  for (let at = element, depth = 0; at && depth < 4; at = up(at), depth++) {
    const style = getComputedStyle(at);
    if (style.clipPath === 'inset(50%)' || style.clipPath === 'inset(100%)' || /^rect\(0px,? 0px,? 0px,? 0px\)$/.test(style.clip)) return true;
    if (at !== element && style.overflow !== 'visible' && style.overflow !== '') {
      if (at.clientWidth <= 1 || at.clientHeight <= 1) return true;
    }
  }
  return false;
}

// A drawer that waits beside the window cannot be scrolled to.
function outOfReach(element, box) {
  const { width, height } = viewport();
  if (box.right > 0 && box.bottom > 0 && box.left < width && box.top < height) return false;
  for (let at = element; at; at = up(at)) {
    const style = getComputedStyle(at);
    if (at !== element && scrolls(at, style)) return false;
    if (style.position === 'fixed') return true;
  }
  return false;
}

const scrolls = (element, style = getComputedStyle(element)) => (element.scrollHeight > element.clientHeight + 2 && /auto|scroll/.test(style.overflowY)) || (element.scrollWidth > element.clientWidth + 2 && /auto|scroll/.test(style.overflowX));

const transparent = element => !element.checkVisibility({ opacityProperty: true });
const unspoken = element => Boolean(closest(element, '[aria-hidden=true]'));

// The element that a press at a point would reach, through shadow roots.
function topmost(x, y) {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}
