// Which group a control belongs to, and which controls a group name means.

const GROUPS = 'fieldset, [role=group], [role=radiogroup], [role=region], [role=dialog], [role=alertdialog], dialog, form, [role=form], section, article, ' +
  '[role=listitem], li, tr, [role=row], [role=tabpanel], details, table, [role=grid], [role=table], nav, aside, main, header, footer, [role=navigation], [role=search]';
const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role=heading], legend, caption, summary, dt';

// The names of a group element itself.
function namesOfGroup(group) {
  const names = [];
  const legend = [...group.children].find(child => child.matches('legend, caption, summary'));
  if (legend) names.push(textOf(legend), lead(legend) ?? '');
  names.push(byIds(group, 'aria-labelledby').map(part => textOf(part, { hidden: true })).join(' '), group.getAttribute('aria-label') ?? '');
  if (group.matches('tr, [role=row]')) for (const { cell } of cellsOf(group)) names.push(textOf(cell));
  return names.filter(Boolean);
}

// Groups that are called by their kind alone: "the list", "the dialog".
const BY_KIND = {
  list: 'ul, ol, dl, [role=list], [role=listbox], table, [role=table], [role=grid]', table: 'table, [role=table], [role=grid]', grid: '[role=grid], table',
  dialog: 'dialog, [role=dialog], [role=alertdialog]', form: 'form, [role=form]', menu: '[role=menu], [role=menubar], nav, [role=navigation]',
  sidebar: 'aside, [role=complementary]', header: 'header, [role=banner]', footer: 'footer, [role=contentinfo]',
};

// The places where a group's name stands: [{ element, fit, range }]; range is the part of the page that it names.
function namedPlaces(name) {
  const asked = asking(name), places = [];
  const add = (element, quality, scope) => places.push({ element, quality, scope });
  for (const group of every(GROUPS + ', [aria-label], [aria-labelledby]')) {
    if (group.matches(FIELDS + ', ' + PRESSABLE)) continue;
    const best = Math.min(...namesOfGroup(group).map(text => fit(asked, text) ?? 9), 9);
    if (best < 9 && visible(group)) add(group, best, group);
  }
  const kind = Object.hasOwn(BY_KIND, asked.plain) ? BY_KIND[asked.plain] : null;
  if (kind) for (const group of every(kind)) if (visible(group)) add(group, SAME, group);
  for (const { text, element } of textLeaves()) {
    if (text.length > 200) continue;
    let quality = fit(asked, text);
    const whole = wholeOf(element);
    if (whole !== element) quality = lowest(quality, fit(asked, remembered('text', whole, textOf)));
    if (quality !== null && rendered(element)) add(whole, quality, null);
  }
  return places;
}

const lowest = (a, b) => (a === null ? b : b === null ? a : Math.min(a, b));

// The heading, cell or label that a piece of text is a part of.
const wholeOf = element => closest(element, HEADINGS + ', td, th, label, [role=cell], [role=gridcell], [role=rowheader]') ?? element;

// Those of the candidates that a group name means: the ones closest to where the name stands.
function insideOf(name, candidates) {
  const places = namedPlaces(name);
  for (const quality of [...new Set(places.map(place => place.quality))].sort()) {
    const meant = [];
    for (const place of places.filter(place => place.quality === quality)) {
      const inside = nearest(place, candidates);
      if (inside) meant.push(inside);
    }
    if (!meant.length) continue;
    // A name that stands in several places means the smallest of them that holds a candidate.
    const own = meant.filter(one => one.own);
    const pool = own.length ? own : meant;
    const smallest = pool.filter(one => !pool.some(other => other.scope !== one.scope && holds(one.scope, other.scope)));
    return { places: places.length, candidates: [...new Set(smallest.flatMap(one => one.inside))] };
  }
  const counted = places.length ? null : byNumber(name, candidates);
  return counted ? { places: counted.length, candidates: counted } : { places: places.length, candidates: [] };
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

// "row 2", "third item", "last row": rows that have no name of their own are counted, among those that hold a candidate.
function byNumber(name, candidates) {
  const said = /^(?:row|line|item|entry|group|card)\s*#?(\d+)$/i.exec(name)?.[1] ?? /^(\w+)\s+(?:row|line|item|entry|group|card)$/i.exec(name)?.[1]?.toLowerCase();
  const ordinal = said && (Number(said) || Number(/^(\d+)(?:st|nd|rd|th)$/.exec(said)?.[1]) || ORDINALS.indexOf(said) + 1);
  if (!ordinal && said !== 'last') return null;
  const rows = [...new Set(candidates.map(({ element }) => closest(element, 'tr, [role=row], li, [role=listitem], fieldset, article, [role=group]') ?? up(element)))];
  rows.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  const row = said === 'last' ? rows.at(-1) : rows[ordinal - 1];
  return row ? candidates.filter(({ element }) => holds(row, element)) : null;
}

function nearest({ element, scope }, candidates) {
  if (scope) {
    const inside = candidates.filter(one => holds(scope, one.element));
    return inside.length ? { scope, inside, own: true } : null;
  }
  for (let at = element; at && !at.matches('html'); at = up(at)) {
    const { inside, ends } = section(at, element, candidates.filter(one => holds(at, one.element)));
    if (inside.length) return { scope: at, inside, own: false };
    if (ends) return null;
  }
  return null;
}

// In a flat page a heading names what follows it, up to the next heading of its rank; cards end where the next begins.
function section(scope, title, candidates) {
  const top = topBelow(scope, title);
  if (top === title && title === scope) return { inside: candidates, ends: false };
  const heading = rank(top);
  const like = child => child.className === top.className && child.tagName === top.tagName;
  const peers = [...scope.children].filter(child => child !== top && (heading < 7 ? rank(child) <= heading : like(child)));
  if (!peers.length && !title.matches(HEADINGS)) return { inside: candidates, ends: false };
  const next = peers.find(peer => top.compareDocumentPosition(peer) & Node.DOCUMENT_POSITION_FOLLOWING);
  const inside = candidates.filter(({ element }) => {
    const own = holds(top, element);
    const after = top.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
    const before = !next || element.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING;
    return own || (after && before);
  });
  return { inside, ends: peers.length > 0 };
}

function rank(element) {
  const heading = element.matches('h1, h2, h3, h4, h5, h6') ? element : element.querySelector(':scope > h1, :scope > h2, :scope > h3, :scope > h4, :scope > h5, :scope > h6');
  if (heading) return Number(heading.tagName[1]);
  return element.matches('[role=heading]') ? Number(element.getAttribute('aria-level') ?? 2) : 7;
}

// What tells a candidate apart from others of its name: the groups it is in, nearest first.
function whereabouts(element) {
  const where = [];
  for (const group of ancestors(element)) {
    if (where.length >= 2) break;
    if (group.matches('tr, [role=row]')) {
      const first = cellsOf(group).find(({ cell }) => textOf(cell) && !holds(cell, element));
      if (first) where.push(`row ${quoted(textOf(first.cell))}`);
      continue;
    }
    if (!group.matches(GROUPS) || group.matches('main, table')) continue;
    const name = namesOfGroup(group)[0] ?? headingOf(group);
    if (name) where.push(`${kindOfGroup(group)} ${quoted(name)}`);
    else if (group.matches('nav, aside, header, footer, [role=navigation]')) where.push(`the ${kindOfGroup(group)}`);
  }
  if (!where.length) {
    const heading = precedingHeading(element);
    if (heading) where.push(`under ${quoted(textOf(heading))}`);
  }
  return where;
}

const KINDS = { tr: 'row', fieldset: 'group', li: 'item', dialog: 'dialog', form: 'form', nav: 'navigation', aside: 'side bar', article: 'article', section: 'section', details: 'section' };
const kindOfGroup = group => {
  const role = group.getAttribute('role');
  return role === 'radiogroup' ? 'group' : role ?? KINDS[group.tagName.toLowerCase()] ?? group.tagName.toLowerCase();
};

const quoted = text => `“${text.length > 40 ? text.slice(0, 39) + '…' : text}”`;

function headingOf(group) {
  const heading = [...below(group)].find(one => one.matches('h1, h2, h3, h4, h5, h6, [role=heading]'));
  return heading ? textOf(heading) : null;
}

function precedingHeading(element) {
  let found = null;
  for (const heading of every('h1, h2, h3, h4, h5, h6, [role=heading]')) {
    if (!(heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    if (visible(heading)) found = heading;
  }
  return found;
}
