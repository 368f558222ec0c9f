// What a control is called: every name that a person may read off it, with the rule that gives it.

// The order among names that fit equally well; docs/form.md tells it.
const RULES = ['ref', 'label', 'aria-labelledby', 'aria-label', 'legend', 'column header', 'row header', 'text', 'placeholder', 'title', 'alt',
  'text before', 'text after', 'test id'];

const MARKS = /\s*(?:[*:：†‡]+|\((?:required|optional|pflichtfeld|obligatoire|requis)\)|\b(?:required|optional)\b)\s*$/i;

// Case, spacing, closing colons and required marks are not part of a name.
function plain(text) {
  let name = squeeze(text).replace(/[“”„]/g, '"').replace(/[‘’]/g, "'").replace(/…/g, '...').toLowerCase();
  for (let last = ''; last !== name; ) {
    last = name;
    name = name.replace(MARKS, '').replace(/^\s*[*]+\s*/, '');
  }
  return name || squeeze(text).toLowerCase();
}

// Without remarks in brackets, closing dots, counts and symbols: "Files (3) …" is "files".
const bare = name => squeeze(name.replace(/\s*[([{][^)\]}]*[)\]}]\s*/g, ' ').replace(/[^\p{L}\p{N}]+$/u, '').replace(/^[^\p{L}\p{N}]+/u, ''));

const EXACT = 0, SAME = 1, BARE = 2, OPENS = 3, HOLDS = 4;
const FITS = ['is', 'is', 'is, without remarks', 'begins with', 'contains'];

// How well a name fits what was asked for; null when it does not.
function fit(asked, text) {
  if (!text) return null;
  if (squeeze(text) === asked.text) return EXACT;
  const name = remembered2('plain', text, plain);
  if (name === asked.plain) return SAME;
  const short = bare(name);
  if (short && short === asked.bare) return BARE;
  const at = (' ' + name + ' ').search(asked.words);
  if (at < 0) return null;
  return at === 0 ? OPENS : HOLDS;
}

function remembered2(about, text, learn) {
  let known = memo.get(about);
  if (!known) memo.set(about, (known = new Map()));
  if (!known.has(text)) known.set(text, learn(text));
  return known.get(text);
}

function asking(text) {
  const name = plain(text);
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return { text: squeeze(text), plain: name, bare: bare(name), words: new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'u') };
}

function labelsOf(element) {
  const found = new Set(element.labels ?? []);
  if (!element.labels && element.id)
    for (const label of element.getRootNode().querySelectorAll?.(`label[for="${CSS.escape(element.id)}"]`) ?? []) found.add(label);
  if (!element.labels) {
    const wrapping = closest(element, 'label');
    if (wrapping && (!wrapping.control || wrapping.control === element || holds(element, wrapping.control))) found.add(wrapping);
  }
  return [...found];
}

// A custom element often carries the label of the control in its shadow root.
function hostOf(element) {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot)) return null;
  const own = [...root.querySelectorAll(CONTROLS + ', button, [role]')].filter(one => one === element || visible(one));
  return own.length <= 1 || own[0] === element ? root.host : null;
}

const NAMED_BY_CONTENT = '[role=checkbox], [role=radio], [role=switch], [role=menuitemcheckbox], [role=menuitemradio], [aria-pressed], button[aria-haspopup]';

// Names that are the element's own, without a look around: [text, rule] pairs.
function ownNames(element) {
  return remembered('own names', element, one => {
    const names = [];
    const add = (text, rule) => text && squeeze(text) && names.push([squeeze(text), rule]);
    for (const label of labelsOf(one)) {
      add(textOf(label, { but: one }), 'label');
      add(lead(label), 'label');
    }
    add(byIds(one, 'aria-labelledby').map(part => (part === one ? one.getAttribute('aria-label') ?? '' : textOf(part, { hidden: true }))).join(' '), 'aria-labelledby');
    add(one.getAttribute('aria-label'), 'aria-label');
    if (one.matches(NAMED_BY_CONTENT)) for (const text of [textOf(one, { controls: true }), lead(one)]) add(text, 'text');
    if (isGroup(one)) for (const [text, rule] of groupNames(one)) add(text, rule);
    add(one.getAttribute('placeholder') ?? one.getAttribute('data-placeholder') ?? one.getAttribute('aria-placeholder'), 'placeholder');
    add(one.title, 'title');
    add(one.getAttribute('alt'), 'alt');
    const host = hostOf(one);
    if (host) {
      for (const label of labelsOf(host)) add(textOf(label, { but: host }), 'label');
      add(host.getAttribute('label'), 'label');
      add(host.getAttribute('aria-label'), 'aria-label');
      add(byIds(host, 'aria-labelledby').map(part => textOf(part)).join(' '), 'aria-labelledby');
      if (!one.matches(TEXTUAL)) add(textOf(host, { hidden: true }), 'label');
      add(host.getAttribute('placeholder'), 'placeholder');
    }
    for (const [text, rule] of lentNames(one)) add(text, rule);
    for (const attribute of ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa', 'name', 'id', 'formcontrolname'])
      add(one.getAttribute(attribute), 'test id');
    return names;
  });
}

// The first line of a label: the title of a card, without what explains it.
function lead(label) {
  const strong = label.querySelector('strong, b, h1, h2, h3, h4, h5, h6, [class*=title i]');
  if (strong && shows(strong)) return textOf(strong);
  const first = [...label.childNodes].find(node => (node.nodeType === Node.TEXT_NODE ? /\S/.test(node.data) : node.nodeType === Node.ELEMENT_NODE && !node.matches(CONTROLS) && textOf(node)));
  return first && (first.nodeType === Node.TEXT_NODE ? first.data : textOf(first));
}

const isGroup = element => element.matches('fieldset, [role=radiogroup], [role=group], [role=region]');

function groupNames(element) {
  const legend = element.matches('fieldset') && [...element.children].find(child => child.tagName === 'LEGEND');
  const names = legend ? [[textOf(legend), 'legend'], [lead(legend), 'legend']] : [];
  return names;
}

// Names from the place in the page: headers of the table, the text before; of what is ticked, the text after.
function placeNames(element) {
  return remembered('place names', element, one => {
    const beside = direction => textBeside(one, direction, direction > 0 ? 1 : 3);
    const after = beside(1), toggle = one.matches(TOGGLES);
    const texts = toggle && after.length ? after : [...after.filter(({ element }) => overlaps(element, one)), ...beside(-1)];
    return [...headerNames(one), ...texts.map(({ text }) => [text, toggle && after.length ? 'text after' : 'text before'])];
  });
}

// A label that floats over a field has its middle inside it.
function overlaps(label, element) {
  const a = label.getBoundingClientRect(), b = element.getBoundingClientRect();
  const x = (a.left + a.right) / 2, y = (a.top + a.bottom) / 2;
  return x > b.left && x < b.right && y > b.top && y < b.bottom;
}

// Texts next to a control, nearest first, up to the next control: { text, element }.
function textBeside(element, direction, most) {
  const face = faceOf(element) ?? element;
  const leaves = textLeaves();
  const order = memo.get('leaf order') ?? memo.set('leaf order', new Map(leaves.map((leaf, at) => [leaf.node, at]))).get('leaf order');
  const found = [];
  const follows = node => face.compareDocumentPosition(node) & (direction > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING);
  // Climb until an ancestor holds text on that side, then read the pieces in order from the control on.
  let at = face;
  for (let depth = 0; at && depth < 8 && found.length < most; depth++) {
    for (let beside = sibling(at, direction); beside; beside = sibling(beside, direction)) {
      if (beside.nodeType === Node.TEXT_NODE ? !/\S/.test(beside.data) : beside.nodeType !== Node.ELEMENT_NODE) continue;
      if (beside.nodeType === Node.TEXT_NODE) { found.push({ text: squeeze(beside.data), element: beside.parentElement ?? at }); continue; }
      if (beside.matches('br, hr, wbr') || !shows(beside)) continue;
      if (isControlled(beside)) return found.slice(0, most);
      const text = textOf(beside);
      if (text && text.length <= 160) found.push({ text, element: beside });
      if (text && beside.matches('h1, h2, h3, h4, h5, h6, hr, [role=heading]')) return found.slice(0, most);
      if (found.length >= most) break;
    }
    at = up(at);
    if (!at || at.matches('body, form, fieldset, [role=group], [role=radiogroup], [role=dialog], dialog, table, ul, ol') && found.length) break;
    if (at && at.matches('body')) break;
  }
  return found.slice(0, most);
}

const sibling = (node, direction) => (direction > 0 ? node.nextSibling : node.previousSibling);
const isControlled = element => element.matches(CONTROLS) || element.querySelector(CONTROLS) !== null;

// In a table: the header of the column, then the header of the row.
function headerNames(element) {
  const cell = closest(element, 'td, th, [role=gridcell], [role=cell]');
  if (!cell) return [];
  const row = closest(cell, 'tr, [role=row]'), table = closest(cell, 'table, [role=grid], [role=table], [role=treegrid]');
  if (!row || !table) return [];
  const names = [];
  const at = position(cell, row);
  const heads = remembered('head rows', table, one => within(one, 'tr, [role=row]').filter(r => within(r, 'th, [role=columnheader]').length > 1 || closest(r, 'thead')));
  for (const head of heads) {
    if (head === row) continue;
    const header = cellsOf(head).find(({ from, to }) => from <= at && at < to);
    if (header) names.push([textOf(header.cell), 'column header']);
  }
  const first = cellsOf(row)[0]?.cell;
  const own = row.querySelector('th, [role=rowheader]') ?? (first !== cell ? first : null);
  if (own && !holds(own, element)) names.push([textOf(own), 'row header']);
  return names.filter(([text]) => text);
}

function cellsOf(row) {
  let at = 0;
  return [...row.children].filter(cell => cell.matches('td, th, [role]')).map(cell => {
    const from = at;
    at += cell.colSpan ?? 1;
    return { cell, from, to: at };
  });
}

const position = (cell, row) => cellsOf(row).find(one => one.cell === cell)?.from ?? -1;
