// A name, as a person says it, to the control that is meant: the rules of docs/form.md, in their order.

function search({ name, wanted = 'field', within: group = null, takes = null, near = null, inner = false }) {
  const asked = asking(name);
  if (inner) return { best: innerField().map(candidate => ({ candidate, quality: EXACT, order: 0, rule: 'label', text: name })), elsewhere: [], hidden: [], groupKnown: true, group };
  const pool = wanted === 'field' ? fields() : wanted === 'click' ? pressables() : [...fields(), ...pressables()];
  let fits = grade(pool, asked, ownOf);
  const enough = () => fits.some(one => one.quality <= BARE && usable(one) && (takes !== 'files' || one.candidate.family === 'file'));
  const further = wanted !== 'field' ? [() => plainTexts(asked, fits)] : takes === 'files' ? [() => filesNear(asked), () => grade(pressables(), asked, ownOf)]
    : [() => looseTriggers(asked), () => underHeading(asked), () => grade(writingFrames(), asked, namesAll), () => grade(plainCells(), asked, namesAll)];
  if (!enough()) fits = grade(pool, asked, namesAll);
  for (const look of further) if (!enough()) fits = [...fits, ...look()];
  const seen = fits.filter(usable), hidden = fits.filter(one => !usable(one));
  let inside = seen, groupKnown = true;
  if (group !== null) {
    for (const some of [seen.filter(one => one.quality <= BARE), seen]) {
      const scoped = insideOf(group, some.map(one => one.candidate));
      groupKnown = scoped.places > 0;
      inside = seen.filter(one => scoped.candidates.includes(one.candidate));
      if (inside.length) break;
    }
  }
  const best = choose(inside, { takes, near, wanted });
  return { best, elsewhere: seen.filter(one => !inside.includes(one)), hidden, groupKnown, group };
}

const ownOf = ({ element, family, members }) => (family === 'pair' ? pairNames(element, members) : members ? setNames({ element, family, members }) : family === 'button' ? pressNames(element) : ownNames(element));
const placesOf = ({ element, family, members }) => (members || inToolbar(element) || (family === 'button' && !element.matches(TOGGLES)) ? [] : placeNames(element));
const namesAll = one => [...ownOf(one), ...placesOf(one)];
const usable = ({ candidate }) => remembered('usable', candidate, ({ element, family, members }) => family === 'file' || (members ?? [element]).some(one => faceOf(one)));

// A pair of lists goes by the name of the second one, or of what is around both.
function pairNames(element, members) {
  const box = around(members);
  return [...ownNames(element), ...[box, ...ancestors(box)].slice(0, 3).filter(isGroup).flatMap(ownNames), ...textBeside(box, -1, 2).map(({ text }) => [text, 'text before'])];
}

function grade(pool, asked, names) {
  const fits = [];
  for (const candidate of pool) {
    let best = null;
    for (const [text, rule] of names(candidate)) {
      const quality = rule === 'test id' ? (text === asked.text ? BARE : null) : fit(asked, text);
      if (quality >= OPENS && rule.startsWith('text ') && (quality > OPENS || text.length > 60)) continue; // prose is no label
      if (quality === null) continue;
      const order = RULES.indexOf(rule);
      if (!best || quality < best.quality || (quality === best.quality && order < best.order)) best = { candidate, quality, order, rule, text };
    }
    if (best) fits.push(best);
  }
  return fits;
}

function pressables() {
  if (!memo.has('pressables')) {
    memo.set('pressables', every(PRESSABLE).filter(one => !(one.matches('[role=radio], [role=checkbox]') && one.querySelector('input'))).map(one => candidate(one, 'button')));
  }
  return memo.get('pressables');
}

function pressNames(element) {
  return remembered('press names', element, one => {
    const names = [];
    const text = one.matches('input') ? (one.matches(TOGGLES) ? '' : one.value || { submit: 'Submit', reset: 'Reset' }[one.type] || '') : textOf(one, { controls: true });
    if (text) names.push([text, 'text']);
    const drawn = one.querySelector('svg title');
    if (!text && drawn) names.push([drawn.textContent, 'title']);
    const first = text && one.children.length ? lead(one) : null;
    if (first && squeeze(first) !== text) names.push([squeeze(first), 'text']);
    return [...names, ...ownNames(one)];
  });
}

// Any text can be pressed, if nothing that is made for it has the name.
function plainTexts(asked, known) {
  const found = new Map();
  for (const { text, element } of textLeaves()) {
    const whole = fit(asked, text) !== null && fit(asked, text) <= BARE ? element : up(element);
    if (!whole || whole.matches('body, html, option') || found.has(whole) || known.some(one => holds(one.candidate.element, whole) && usable(one))) continue;
    const quality = fit(asked, remembered('text', whole, one => textOf(one, { controls: true })));
    if (quality !== null && quality <= BARE && visible(whole)) found.set(whole, { candidate: candidate(whole, 'button'), quality, order: RULES.length, rule: 'text', text });
  }
  const all = [...found.values()];
  return all.filter(one => !all.some(other => other !== one && holds(one.candidate.element, other.candidate.element)));
}

// A list drawn with nothing but divs: what can be pressed right after a text of that name.
function looseTriggers(asked) {
  const found = [];
  for (const { text, element } of textLeaves()) {
    const quality = fit(asked, text);
    if (quality === null || quality > BARE || !visible(element) || pressable(element)) continue;
    const trigger = pressableAfter(element);
    if (trigger) found.push({ candidate: candidate(trigger, 'combobox'), quality, order: RULES.indexOf('text before'), rule: 'text before', text });
  }
  return found;
}

function pressableAfter(title) {
  for (let at = title, depth = 0; at && depth < 3; at = up(at), depth++) {
    for (let beside = at.nextElementSibling; beside; beside = beside.nextElementSibling) {
      if (beside.matches(HEADINGS + ', label')) return null;
      const first = [...below(beside)].find(one => one.matches(FIELDS) || (visible(one) && pressable(one)));
      if (first && inToolbar(first)) continue;
      if (first) return first.matches(FIELDS + ', a[href]') ? null : first;
    }
  }
  return null;
}

// The best of those that fit; several are returned only when nothing tells them apart.
function choose(fits, { takes, near, wanted }) {
  const steps = [
    all => all.filter((one, at) => all.findIndex(other => other.candidate.element === one.candidate.element && Boolean(other.candidate.members) === Boolean(one.candidate.members)) === at),
    all => inModal(all),
    all => prefer(all, one => !unspoken(one.candidate.members?.[0] ?? one.candidate.element) || one.candidate.element.matches(TOGGLES)),
    all => lowestOf(all, one => one.quality),
    all => (takes ? prefer(all, one => accepts(one.candidate, takes)) : all),
    all => (wanted === 'field' ? all : lowestOf(all, one => pressClass(one.candidate))),
    all => lowestOf(all, one => one.order),
    all => innermost(all),
    all => (near ? sameForm(all, near) : all),
  ];
  return steps.reduce((left, step) => (left.length > 1 ? step(left) : left), fits);
}

const prefer = (all, test) => (all.some(test) ? all.filter(test) : all);
const lowestOf = (all, key) => { const low = Math.min(...all.map(key)); return all.filter(one => key(one) === low); };

function inModal(all) {
  const top = topModal();
  return top ? prefer(all, one => holds(top, one.candidate.element)) : all;
}

// Which families can take a value of this kind.
function accepts({ element, family }, takes) {
  if (family === 'pair') return takes === 'list';
  if (takes === 'toggle') return family === 'check' || family === 'radio';
  if (takes === 'files') return family === 'file';
  if (takes === 'list') return family === 'checks' || (family === 'select' && element.multiple) || family === 'combobox' || family === 'listbox' || family === 'tags';
  return family !== 'check' && family !== 'radio' && family !== 'file' && family !== 'frame';
}

function pressClass({ element, family }) {
  if (element.matches('button, a[href], input[type=submit], input[type=button], input[type=reset], input[type=image], summary, [role=button], [role=link], [role=tab], [role^=menuitem]')) return 0;
  if (element.matches('[role=option], [role=treeitem]')) return 1;
  return family === 'button' && element.matches(PRESSABLE) ? 2 : 3;
}

// Of two that are one inside the other, the inner one holds the value.
function innermost(all) {
  return all.filter(one => !all.some(other => other !== one && one.candidate.element !== other.candidate.element && holds(one.candidate.element, other.candidate.element)));
}

function sameForm(all, near) {
  const last = elementOf(near);
  const form = last && closest(last, 'form, [role=form], dialog, [role=dialog]');
  return form ? prefer(all, one => holds(form, one.candidate.element)) : all;
}

// Names on the page that resemble one that is not there, most alike first.
function nearMisses(name, wanted) {
  const asked = plain(name);
  const pool = wanted === 'field' ? fields() : pressables();
  const seen = new Map();
  for (const candidate of pool) {
    if (!usable({ candidate })) continue;
    const [text] = [...ownOf(candidate), ...placesOf(candidate)].find(([, rule]) => rule !== 'test id') ?? [];
    if (text && text.length <= 60) seen.set(text.replace(/\s*[:*]+\s*$/, ''), alike(asked, plain(text)));
  }
  const few = seen.size <= 3; // all of them are worth telling
  return [...seen].filter(([, score]) => few || score >= 0.45).sort((a, b) => b[1] - a[1]).slice(0, 3).map(([text]) => text);
}

// How alike two names are, from 0 to 1: a word in common counts for much, a slip of the finger for little.
function alike(a, b) {
  const words = a.split(' ').some(word => word.length > 2 && b.split(' ').includes(word)) ? 0.35 : 0;
  return Math.min(1, 1 - edits(a, b) / Math.max(a.length, b.length, 1) + words);
}

// How many letters have to be changed, added or left out.
function edits(a, b) {
  let row = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}
