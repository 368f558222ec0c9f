// What can be asked: a list of questions in, the list of answers out as JSON in an element that is no part of the page.

const refused = new WeakSet(); // controls whose value the browser's own validation has stopped
let pressed = []; // what the last press reached: types of trusted events
let stopped = []; // what validation stopped since the last press
let submitted = 0;

addEventListener('invalid', event => { const at = event.composedPath()[0]; refused.add(at); stopped.push(at); }, true);
addEventListener('submit', () => submitted++, true);
for (const type of ['mousedown', 'click'])
  addEventListener(type, event => { if (event.isTrusted) pressed.push({ type, path: event.composedPath() }); }, true);

// From now on it is recorded what a press reaches.
function arm() {
  pressed = [];
  stopped = [];
  submitted = 0;
}

const keyFor = ({ element, family }) => `${idOf(element)}/${family}`;

// The candidate of a key, or, when it is gone, the one that the same question finds now.
function again({ key, q, member }, anew = false) {
  const [id, family] = (key ?? '').split('/');
  const element = elementOf(id);
  if (element?.isConnected) {
    if (!SETS.has(family)) return candidate(element, family);
    const set = fields().find(one => one.element === element && one.family === family);
    if (set) return set;
  }
  const { best } = q && (anew || !key || key.startsWith(DOCUMENT)) ? search(q) : { best: [] };
  if (best.length !== 1) return null;
  const found = best[0].candidate;
  if (!member) return found;
  const meant = found.members?.find(one => optionNames(one).includes(member));
  if (meant) return candidate(meant, familyOf(meant));
  const list = found.family === 'listbox' ? found.element : popupFor(found.element);
  const choice = list && choices(list).find(one => choiceNames(one).includes(member));
  return choice ? candidate(choice, 'option') : null;
}

const SETS = new Set(['radios', 'checks', 'boxes', 'sections', 'pair']);

function describe({ candidate, quality, rule, text }) {
  const { element, family } = candidate;
  return { score: [quality, RULES.indexOf(rule)], key: keyFor(candidate), family, type: element.type ?? element.getAttribute('role') ?? '', label: text.replace(/\s*[:*]+\s*$/, ''), rule, fit: FITS[quality],
    where: whereabouts(element), facts: factsOf(candidate) };
}

function factsOf({ element, family, members }) {
  const facts = {};
  if (family === 'boxes') return { boxes: members.length, keys: members.map(one => `${idOf(one)}/text`) };
  if (family === 'sections') Object.assign(facts, { sections: members.map(sectionOf), keys: members.map(one => `${idOf(one)}/spinbutton`) });
  if (family === 'date' || family === 'readonly' || family === 'sections') facts.dayFirst = !/^en(?:-US)?$/i.test(document.documentElement?.lang || navigator.language);
  if (element.maxLength > 0) facts.maxLength = element.maxLength;
  if (element.multiple) facts.multiple = true;
  if (element.type === 'password') facts.secret = true;
  if (family === 'text' && element.tagName === 'TEXTAREA') facts.multiline = true;
  if (family === 'select' && element.options.length <= 200) facts.options = optionsOf({ element, family });
  if (family === 'file') facts.accept = element.accept;
  if (family === 'combobox') facts.typing = (element.matches('input, textarea') && !element.readOnly) || element.isContentEditable;
  if (family === 'listbox') facts.multiple = element.getAttribute('aria-multiselectable') === 'true';
  if (family === 'slider' || family === 'spinbutton') for (const name of ['min', 'max', 'now', 'text']) if (element.hasAttribute('aria-value' + name)) facts[name] = element.getAttribute('aria-value' + name);
  const hint = element.getAttribute('placeholder') ?? '';
  if (family === 'text' && datelike(element)) Object.assign(facts, { datelike: hint || true, submits: submitsByEnter(element) });
  for (const name of ['min', 'max', 'step']) if (element[name] && typeof element[name] === 'string') facts[name] = element[name];
  return facts;
}

const submitsByEnter = element => Boolean(element.form?.querySelector('button:not([type=button], [type=reset]), input[type=submit], input[type=image]') ?? element.form?.elements.length === 1);

// A text field that means a date: by its placeholder, what it holds, or the calendar that belongs to it.
const datelike = element => /^[dmyjat]{1,4}([./ -])[dmyjat]{1,4}\1[dmyjat]{1,4}$/i.test(element.placeholder ?? '') || /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(element.value ?? '')
  || /date|datum|calendar/i.test(`${element.className} ${element.id} ${element.name}`);

const AIMED = new Set(['text', 'number', 'editable', 'select']);

// Focus, and everything in it selected: what is typed next takes its place.
function aim(element) {
  element.focus();
  if (element.matches('input, textarea')) element.select();
  else if (element.isContentEditable) getSelection().selectAllChildren(element);
  return element.getRootNode().activeElement === element;
}

const OPS = {
  find({ act, ...q }) {
    const { best, elsewhere, hidden, groupKnown } = search(q);
    if (best.length === 1) {
      const found = best[0];
      arm();
      const ready = readiness(found.candidate, act), value = readValue(found.candidate);
      return { found: [describe(found)], ready, value, aimed: act === 'set' && ready.ok && AIMED.has(found.candidate.family) && aim(found.candidate.element) };
    }
    if (best.length) return { found: best.slice(0, 6).map(describe), count: best.length };
    return { found: [], elsewhere: elsewhere.slice(0, 3).map(describe), hidden: hidden.filter(one => one.quality <= BARE).length, groupKnown,
      near: elsewhere.length ? [] : nearMisses(q.name, q.wanted) };
  },
  aim: question => { const one = again(question); return one ? aim(one.element) : false; },
  adopt({ act }, root) {
    const family = root.matches(FIELDS) ? familyOf(root) : 'button';
    const one = candidate(root, family);
    return { found: [describe({ candidate: one, quality: EXACT, rule: 'ref', text: displayName(root) })], ready: readiness(one, act), value: readValue(one) };
  },
  read(question) {
    const one = again(question);
    return one ? { value: readValue(one) } : { absent: true };
  },
  ready({ act, ...question }) {
    arm();
    const one = again(question);
    return one ? readiness(one, act) : { blocked: 'absent' };
  },
  options(question) {
    const one = again(question);
    return one ? optionsOf(one) : null;
  },
  blur() {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (at && at !== document.body && at.tagName !== 'IFRAME') at.blur();
    return at?.tagName ?? null;
  },
  reached({ ...question }) {
    const one = again(question);
    const types = pressed.filter(({ path }) => !one || path.includes(one.element) || path.includes(faceOf(one.element))).map(({ type }) => type);
    return { types, submitted, stopped: stopped.filter(at => at.isConnected && at.validationMessage).map(at => ({ field: displayName(at), message: at.validationMessage })) };
  },
  remember,
  popup: question => { const one = again(question); return one ? popupState(one) : null; },
  scroll: question => { const one = again(question); return one ? scrollPopup(one) : false; },
  chips: question => { const one = again(question); return one ? chips(one.element) : []; },
  pair: question => { const one = again(question); return one?.members ? pairState(one.members) : null; },
  editor: question => { const one = again(question); return one ? cellEditor(one.element) : null; },
  calendar: question => { const one = again(question); return one ? calendarState(one) : null; },
  focused: question => { const one = again(question); let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return Boolean(one && at && (holds(one.element, at) || one.members?.includes(at))); },
  complaint: question => { const one = again(question); return one ? complaint(one.element) : null; },
  invalid,
  lines: visibleLines,
  drawn,
  wake,
  text: shownText,
  rows,
  control,
  unseen,
  passwords,
  title: () => document.title,
};

function optionsOf({ element, family, members }) {
  if (family === 'select')
    return [...element.options].map(option => ({ names: [squeeze(option.label || option.text), squeeze(option.text), option.value], disabled: option.disabled || option.parentElement?.disabled === true, selected: option.selected }));
  return (members ?? []).map(one => ({ key: `${idOf(one)}/${familyOf(one)}`, names: optionNames(one), disabled: disabled(one), selected: checked(one) }));
}

const optionNames = element => [...new Set([...ownNames(element), ...placeNames(element)].map(([text]) => text).concat(element.value ?? []))];

// The texts that can be seen, line by line; shadow roots are read where they stand.
function visibleLines() {
  const lines = [];
  for (const root of roots()) {
    const texts = root === document ? [document.body] : [...root.children];
    for (const element of texts) if (element && !SILENT.has(element.tagName.toUpperCase()) && rendered(element)) lines.push(...(element.innerText ?? '').split('\n'));
  }
  return lines.map(squeeze).filter(Boolean);
}

function answer(root, questions) {
  memo = new Map();
  return questions.map(({ op, ...question }) => OPS[op](question, root));
}

function carrier(answers) {
  const element = document.createElement('i');
  element.textContent = JSON.stringify(answers);
  return element;
}

// A key becomes the element to act on: the control itself, or its face.
function locate({ part, press, ...question }) {
  memo = new Map();
  const pressedElement = press && elementOf(press);
  if (pressedElement?.isConnected) return [pressedElement];
  const one = again(question, true);
  if (!one) return [];
  const element = part === 'face' ? faceOf(one.element) : one.element;
  return element ? [element] : [];
}

const queryAll = (root, selector) => {
  const asked = JSON.parse(selector);
  return Array.isArray(asked) ? [carrier(answer(root, asked))] : locate(asked);
};

return { query: (root, selector) => queryAll(root, selector)[0] ?? null, queryAll };
