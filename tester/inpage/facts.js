// What a check asks about: texts that a person can read, rows, and the state of one control. Reading changes nothing.

const ROWS = 'tr, [role=row], li, [role=listitem], [role=option], [role=treeitem], article, [role=article]';
const TABLES = 'table, [role=grid], [role=table], [role=treegrid]';

// -- texts ------------------------------------------------------------------------------------------------------------

// All that can be read, as one string, and where in it each piece of text stands.
function prose() {
  if (memo.has('prose')) return memo.get('prose');
  const pieces = [];
  let flat = '';
  const add = (text, node) => {
    const folded = text.replace(/[\u200b\ufeff\u00ad]/g, '').replace(/\s+/g, ' ');
    const fresh = flat.endsWith(' ') || !flat ? folded.replace(/^ /, '') : folded;
    if (fresh && node) pieces.push({ from: flat.length, to: flat.length + fresh.length, node });
    flat += fresh;
  };
  (function gather(node) {
    if (node.nodeType === Node.TEXT_NODE) return void (seenOn(node) && add(node.data, node));
    if (node.nodeType !== Node.ELEMENT_NODE || SILENT.has(node.tagName.toUpperCase()) || faded(node)) return;
    const button = node.matches('input[type=submit], input[type=button], input[type=reset]');
    if (node.matches(CONTROLS) && !button) return;
    const loose = !tight(node);
    if (loose) add(' ');
    if (button) add(node.value, node);
    for (const child of shownIn(node)) gather(child);
    if (loose) add(' ');
  })(document.documentElement);
  memo.set('prose', { flat, pieces });
  return memo.get('prose');
}

function shownIn(element) {
  const slotted = element.tagName === 'SLOT' ? element.assignedNodes({ flatten: true }) : [];
  if (slotted.length) return slotted;
  return element.matches('details:not([open])') ? [...element.children].filter(one => one.tagName === 'SUMMARY').slice(0, 1) : (element.shadowRoot ?? element).childNodes;
}

const faded = element => !element.checkVisibility({ opacityProperty: true }) && getComputedStyle(element).display !== 'contents';
const ownerOf = node => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement ?? node.getRootNode().host);
const seenOn = node => /\S/.test(node.data) && getComputedStyle(ownerOf(node)).visibility === 'visible';

// A text has a place on the page that a person can bring into view.
function drawnOn(node) {
  const owner = ownerOf(node);
  return getComputedStyle(owner).display === 'contents' ? visible(up(owner)) : visible(owner);
}

const LETTER = /[\p{L}\p{N}_]/u, NO_GAPS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const inWord = (a, b) => Boolean(a && b) && LETTER.test(a) && LETTER.test(b) && !NO_GAPS.test(a) && !NO_GAPS.test(b);

// Where a text stands as words of its own, whatever its case: { shown, element, exact }.
function occurrences(value) {
  const wanted = squeeze(value), { flat, pieces } = prose();
  const found = [], lower = flat.toLowerCase(), sought = wanted.toLowerCase();
  if (!sought || lower.length !== flat.length) return found;
  for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const parts = pieces.filter(piece => piece.from < end && piece.to > at);
    if (!parts.length || !parts.every(({ node }) => drawnOn(node))) continue;
    const word = !inWord(flat[at - 1], flat[at]) && !inWord(flat[end - 1], flat[end]);
    const shown = flat.slice(at, end);
    found.push({ shown, word, exact: shown === wanted || styled(shown, ownerOf(parts[0].node)) === wanted, element: common(parts.map(({ node }) => ownerOf(node))) });
  }
  return found;
}

function styled(text, element) {
  const { textTransform } = getComputedStyle(element);
  if (textTransform === 'uppercase') return text.toUpperCase();
  if (textTransform === 'lowercase') return text.toLowerCase();
  return textTransform === 'capitalize' ? text.replace(/(^|\s)(\S)/g, (_, gap, letter) => gap + letter.toUpperCase()) : text;
}

function common(elements) {
  let box = elements[0];
  while (box && !elements.every(one => holds(box, one))) box = up(box);
  return box ?? document.documentElement;
}

// How many elements show a text (one that shows it twice counts once, one around another not at all), and what else is known.
function shownText({ value, within: place = null }) {
  const scopes = place === null ? null : scopesOf(place);
  const inside = element => !scopes || scopes.some(scope => scope(element));
  const everywhere = occurrences(value), all = everywhere.filter(({ element }) => inside(element));
  const count = distinct(all.filter(one => one.word && one.exact)).length;
  const facts = { count, known: !scopes || scopes.length > 0 };
  if (count) return facts;
  const wanted = squeeze(value);
  const other = all.find(one => one.word) ?? all.find(one => one.exact);
  const field = every(CONTROLS).find(one => visible(one) && inside(one) && squeeze(String(one.value ?? one.textContent)).includes(wanted));
  const nearest = textLeaves().filter(({ element }) => inside(element) && visible(element)).map(({ text }) => [alike(plain(wanted), plain(text)), text]).sort((a, b) => b[0] - a[0])[0];
  return { ...facts, elsewhere: everywhere.some(one => one.word && one.exact), word: other && !other.word ? wordAround(other.shown) : null, otherCase: other?.word ? other.shown : null, field: field ? displayName(field) : null,
    hidden: textLeaves().some(({ text, element }) => inside(element) && text.includes(wanted)),
    near: nearest && nearest[0] >= 0.5 ? nearest[1].slice(0, 120) : null };
}

function wordAround(text) {
  const { flat } = prose();
  const at = flat.indexOf(text);
  let from = at, to = at + text.length;
  while (from > 0 && LETTER.test(flat[from - 1])) from--;
  while (to < flat.length && LETTER.test(flat[to])) to++;
  return flat.slice(from, to);
}

const distinct = found => innermostOf(new Set(found.map(({ element }) => element)));

// Those that have no other of them inside.
function innermostOf(elements) {
  const outer = new Set();
  for (const one of elements) for (const at of ancestors(one)) outer.add(at);
  return [...elements].filter(one => !outer.has(one));
}

// -- places -----------------------------------------------------------------------------------------------------------

// The parts of the page that a name means, as tests of an element: groups of that name before what follows a heading,
// that before what stands around any other text.
function scopesOf(name) {
  const places = namedPlaces(name).map(place => ({ ...place, order: place.scope ? 0 : place.element.matches(HEADINGS) ? 1 : 2 }));
  const best = Math.min(...places.map(({ quality, order }) => quality * 10 + order));
  const meant = places.filter(({ quality, order }) => quality * 10 + order === best);
  return meant.map(({ element, scope }) => (scope ? one => holds(scope, one) : surroundings(element)));
}

function surroundings(title) {
  if (!title.matches(HEADINGS)) {
    const row = closest(title, 'tr, [role=row]');
    if (row) return one => holds(row, one);
    let box = title;
    for (let at = up(title); at; at = up(at)) {
      box = at;
      if (squeeze(at.textContent ?? '').length > squeeze(title.textContent ?? '').length) break;
    }
    return one => holds(box, one);
  }
  if (title.matches('caption, legend, summary')) return one => holds(up(title), one);
  const peers = every('h1, h2, h3, h4, h5, h6, [role=heading]').filter(one => one !== title && rank(one) <= rank(title));
  let box = title;
  for (let at = up(title); at && !peers.some(one => holds(at, one)); at = up(at)) box = at;
  if (squeeze(textOf(box)).length > squeeze(textOf(title)).length) return one => holds(box, one);
  const next = peers.find(one => title.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  return one => Boolean(title.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) && (!next || Boolean(one.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING));
}

// -- rows -------------------------------------------------------------------------------------------------------------

function rows({ holds: texts, table = null }) {
  const scopes = table === null ? [() => true] : scopesOf(table);
  const all = every(ROWS).filter(one => visible(one) && scopes.some(scope => scope(one)) && !isHead(one));
  const known = scopes.length > 0;
  if (!texts.length) {
    const pool = innermostOf(prefer(prefer(all, one => closest(one, TABLES)), outsideNav));
    return { count: pool.length, known, total: pool.length, near: [] };
  }
  let fits = innermostOf(prefer(all.filter(one => hasAll(one, texts)), outsideNav));
  if (!fits.length) fits = looseRows(texts, scopes).filter(one => !all.some(row => holds(one, row)));
  return { count: fits.length, known, total: innermostOf(all).length, near: fits.length ? [] : nearRows(all, texts) };
}

const outsideNav = one => !closest(one, 'nav, [role=navigation]');
const isHead = row => { const cells = cellsIn(row); return cells.length > 0 && row.matches('tr, [role=row]') && cells.every(cell => cell.matches('th, [role=columnheader]')); };
const cellsIn = row => (row.matches('tr, [role=row]') ? within(row, 'td, th, [role=cell], [role=gridcell], [role=rowheader], [role=columnheader]').filter(cell => closest(cell, 'tr, [role=row]') === row) : []);

// Each text stands in one of the cells; in an item without cells, anywhere in it.
function hasAll(row, texts) {
  const cells = remembered('cell texts', row, one => { const cells = cellsIn(one); return (cells.length ? cells : [one]).map(cell => textOf(cell)); });
  return texts.every(text => cells.some(cell => hasWords(cell, squeeze(text))));
}

function hasWords(whole, part) {
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1))
    if (!inWord(whole[at - 1], whole[at]) && !inWord(whole[at + part.length - 1], whole[at + part.length])) return true;
  return false;
}

// Rows drawn with nothing but divs: what holds all the texts and has siblings of its kind.
function looseRows(texts, scopes) {
  const found = new Set();
  for (const { element } of occurrences(texts[0]).filter(one => one.word && one.exact)) {
    for (let at = element; at && !at.matches('body, html'); at = up(at)) {
      if (!texts.every(text => hasWords(remembered('text', at, textOf), squeeze(text)))) continue;
      const kin = [...(up(at)?.children ?? [])].filter(one => one !== at && one.tagName === at.tagName && one.className === at.className);
      if (kin.length && scopes.some(scope => scope(at))) { found.add(at); break; }
    }
  }
  return innermostOf([...found]);
}

function nearRows(all, texts) {
  const scored = innermostOf(all).map(row => [texts.filter(text => hasAll(row, [text])).length, row]).filter(([score]) => score > 0);
  return scored.sort((a, b) => b[0] - a[0]).slice(0, 2).map(([, row]) => cellsIn(row).map(cell => textOf(cell)).filter(Boolean).join(' | ').slice(0, 160) || textOf(row).slice(0, 160));
}

// -- controls ---------------------------------------------------------------------------------------------------------

// The control that a name means, hidden ones included, with what it holds and how it is.
function control({ name, wanted, within: place = null }) {
  const { best, hidden, elsewhere, groupKnown } = search({ name, wanted, within: place });
  const meant = best.length ? best : hidden.filter(one => one.quality <= BARE).slice(0, 1);
  return { found: meant.slice(0, 6).map(one => ({ ...describe(one), ...stateOf(one.candidate) })), count: meant.length, elsewhere: elsewhere.slice(0, 3).map(describe), hidden: 0, groupKnown,
    near: meant.length || elsewhere.length ? [] : nearMisses(name, wanted) };
}

function stateOf({ element, family, members }) {
  const all = members ?? [element];
  const value = readValue({ element, family, members });
  let focus = document.activeElement;
  while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
  return { value, visible: all.some(one => faceOf(one)), disabled: all.every(disabled), readOnly: readOnly(element), checked: all.some(checked), focused: all.some(one => focus && holds(one, focus)), toggles: element.matches(TOGGLES) || element.hasAttribute('aria-pressed') };
}
