// What kinds of control there are, which elements are one, and what stands for it when the real one cannot be seen.

const EDITABLE = '[contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"]';
const TEXTUAL = 'input:not([type]), input[type=text], input[type=email], input[type=tel], input[type=url], input[type=search], ' +
  'input[type=password], input[type=number], textarea, ' + EDITABLE;
const TOGGLES = 'input[type=checkbox], input[type=radio], [role=checkbox], [role=switch], [role=radio], [role=menuitemcheckbox], [role=menuitemradio]';
const FIELDS = 'input:not([type=hidden]):not([type=submit]):not([type=button]):not([type=reset]):not([type=image]), textarea, select, ' + EDITABLE +
  ', [role=textbox], [role=searchbox], [role=combobox], [role=listbox], [role=slider], [role=spinbutton], [role=checkbox], [role=switch], ' +
  '[role=radio], [role=menuitemcheckbox], [role=menuitemradio], button[aria-haspopup], [role=button][aria-haspopup], button[aria-pressed], [role=button][aria-pressed]';
const PRESSABLE = 'button, a[href], input[type=submit], input[type=button], input[type=reset], input[type=image], summary, ' +
  '[role=button], [role=link], [role=tab], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=option], [role=treeitem], ' +
  '[role=switch], [role=checkbox], [role=radio], input[type=checkbox], input[type=radio], input[type=file]';
const DATES = new Set(['date', 'time', 'datetime-local', 'month', 'week']);

function familyOf(element) {
  const role = element.getAttribute('role');
  if (element.tagName === 'INPUT') return inputFamily(element, role);
  if (element.tagName === 'SELECT') return 'select';
  if (element.tagName === 'TEXTAREA') return role === 'combobox' ? 'combobox' : 'text';
  if (role === 'combobox') return 'combobox';
  if (element.matches(EDITABLE)) return 'editable';
  if (role === 'switch' || role === 'checkbox' || role === 'menuitemcheckbox') return 'check';
  if (role === 'radio' || role === 'menuitemradio') return 'radio';
  if (role === 'slider' || role === 'spinbutton' || role === 'listbox') return role;
  if (role === 'textbox' || role === 'searchbox') return element.isContentEditable ? 'editable' : 'combobox';
  if (element.hasAttribute('aria-pressed')) return 'check';
  if (element.hasAttribute('aria-haspopup')) return 'combobox';
  return 'button';
}

function inputFamily(element, role) {
  const type = element.type;
  if (type === 'checkbox') return 'check';
  if (type === 'radio' || type === 'file' || type === 'color' || type === 'range' || type === 'number') return type;
  if (DATES.has(type)) return 'date';
  if (role === 'slider') return 'slider';
  if (role === 'spinbutton') return 'text';
  const popup = element.getAttribute('aria-haspopup');
  if (role === 'combobox' || ['list', 'both', 'inline'].includes(element.getAttribute('aria-autocomplete')) || popup === 'listbox') return 'combobox';
  if (closest(element, '[role=combobox]')) return 'combobox';
  return element.readOnly ? 'readonly' : 'text';
}

// All controls that can hold a value, each as { element, family }; sets of radios and of checkboxes stand beside their members.
function fields() {
  if (memo.has('fields')) return memo.get('fields');
  const found = [];
  memo.set('fields', found);
  for (const element of every(FIELDS)) {
    if (element.matches(TOGGLES) && !element.matches('input') && element.querySelector('input[type=checkbox], input[type=radio]')) continue;
    if (element.matches(EDITABLE) && element.parentElement?.isContentEditable) continue;
    if (element.matches('[role=combobox]:not(input, textarea, select)') && within(element, TEXTUAL).some(visible)) continue;
    if (element.matches('[role=listbox]') && popupOf(element)) continue;
    found.push(candidate(element, familyOf(element)));
  }
  for (const editor of editors()) found.push(candidate(editor, 'editor'));
  found.push(...toggleSets(), ...boxSets(), ...sectionSets());
  for (const pair of pairsOfLists()) found.splice(found.findIndex(one => one.element === pair.element), 1, pair);
  for (const { stand } of lenders().values()) if (stand.family !== 'frame' && !found.some(one => one.element === stand.element)) found.push(stand);
  return found;
}

// One box for each character: together they are one field.
function boxSets() {
  const rows = new Map();
  for (const { element } of fieldsLike(one => one.family === 'text' && one.element.maxLength === 1 && visible(one.element))) {
    let row = up(element);
    for (let depth = 0; row && depth < 2 && row.querySelectorAll('input').length < 3; depth++) row = up(row);
    if (row) rows.set(row, [...(rows.get(row) ?? []), element]);
  }
  return [...rows.values()].filter(boxes => boxes.length >= 3).map(boxes => candidate(boxes[0], 'boxes', boxes));
}

function candidate(element, family, members = null) {
  const known = remembered('candidates', element, () => new Map());
  if (!known.has(family)) known.set(family, { element, family, members });
  return known.get(family);
}

// A list that belongs to a control which opens it is not a field of its own.
function popupOf(list) {
  if (!list.id) return null;
  const named = `[aria-controls~="${CSS.escape(list.id)}"], [aria-owns~="${CSS.escape(list.id)}"]`;
  return list.getRootNode().querySelector(named) ?? document.querySelector(named);
}

// Code editors catch the keys in a text area that nobody sees; what a person sees is the box around it.
function editors() {
  if (memo.has('editors')) return memo.get('editors');
  const found = [];
  for (const area of every('textarea')) {
    if (!rendered(area) || (visible(area) && !transparent(area))) continue;
    for (const [depth, box] of [...ancestors(area)].slice(0, 3).entries()) {
      if (!visible(box) || transparent(box) || box.matches('body, form, fieldset, label') || box.getBoundingClientRect().height < 16) continue;
      if (depth < 3 && !labelsOf(area).length && !box.querySelector('input, select')) found.push(box);
      break;
    }
  }
  memo.set('editors', found);
  return found;
}

// Radios of one name, and checkboxes of one group, are together one field with several options.
function toggleSets() {
  const sets = new Map();
  const toggles = fieldsLike(one => (one.family === 'radio' || one.family === 'check') && !inToolbar(one.element));
  for (const one of toggles) {
    const key = one.family === 'radio' ? radioKey(one.element) : checkKey(one.element);
    if (key) sets.set(key, [...(sets.get(key) ?? []), one]);
  }
  return [...sets.values()].filter(set => set[0].family === 'radio' || set.length > 1)
    .map(set => candidate(set[0].element, set[0].family === 'radio' ? 'radios' : 'checks', set.map(one => one.element)));
}

const fieldsLike = test => memo.get('fields').filter(test);

const keys = new WeakMap();
let keyCount = 0;
const keyOf = (thing, tail) => {
  if (!thing) return null;
  if (!keys.has(thing)) keys.set(thing, ++keyCount);
  return `${keys.get(thing)} ${tail}`;
};

function radioKey(element) {
  const group = closest(element, '[role=radiogroup]');
  if (group) return keyOf(group, 'group');
  if (element.matches('input') && element.name) return keyOf(element.form ?? hostOfRoot(element), element.name);
  return keyOf(closest(element, '[role=group], fieldset') ?? up(element), 'radios');
}

function hostOfRoot(element) {
  const root = element.getRootNode();
  return root.host && root.querySelectorAll('input[type=radio]').length < 2 ? up(root.host) ?? root : root;
}

function checkKey(element) {
  const group = closest(element, '[role=group], fieldset, [role=listbox]');
  if (group && !within(group, TEXTUAL + ', select, input[type=radio]').some(visible)) return keyOf(group, 'checks');
  return element.name && !element.id?.startsWith(element.name + '-switch') ? keyOf(element.form ?? element.getRootNode(), element.name) : null;
}

const SECTIONS = [['year', /year|jahr|ann[ée]e|a[ñn]o|anno/i, 9999], ['month', /month|monat|mois|mes\b|mese/i, 12], ['minute', /minute|minuto/i, 59], ['second', /second|sekunde|segundo/i, 59],
  ['half', /am\/?pm|meridiem|day ?period/i, null], ['hour', /hour|stunde|heure|hora\b|ora\b/i, 23], ['day', /day|tag\b|jour|d[íi]a|giorno/i, 31]];

// What one section of a date or time is for.
function sectionOf(element) {
  const said = `${element.getAttribute('aria-label') ?? ''} ${element.dataset.type ?? ''} ${element.dataset.segment ?? ''}`;
  const kind = SECTIONS.find(([, words]) => words.test(said))?.[0] ?? null;
  return kind === 'hour' && element.getAttribute('aria-valuemax') === '12' ? 'hour12' : kind;
}

// Sections of a date that stand together are one field.
function sectionSets() {
  const rows = new Map();
  for (const { element } of fieldsLike(one => one.element.matches('[role=spinbutton]') && sectionOf(one.element))) {
    const row = closest(element, '[role=group], [role=presentation]') ?? up(element);
    rows.set(row, [...(rows.get(row) ?? []), element]);
  }
  return [...rows.values()].filter(parts => parts.length > 1 && new Set(parts.map(sectionOf)).size === parts.length).map(parts => candidate(parts[0], 'sections', parts));
}

// The smallest element that holds all members of a set.
function around(members) {
  let box = members[0];
  while (box && !members.every(one => holds(box, one))) box = up(box);
  return box ?? members[0];
}

// The names of a set: of the group around it, when the group holds nothing else, or of the text before.
function setNames({ element, members, family }) {
  const box = around(members);
  const names = [];
  for (const group of [box, ...ancestors(box)].slice(0, 4)) {
    const others = within(group, CONTROLS).filter(one => !members.includes(one) && visible(one) && !members.some(member => holds(member, one)));
    if (others.length) break;
    if (isGroup(group) || group.hasAttribute('aria-labelledby') || group.hasAttribute('aria-label') || group.tagName.includes('-'))
      for (const [text, rule] of ownNames(group)) if (rule !== 'test id' || group !== box) names.push([text, rule === 'label' ? 'legend' : rule]);
  }
  const start = members.length > 1 ? topBelow(box, members[0]) : faceOf(members[0]) ?? members[0];
  for (const { text } of textBeside(start, -1, 3)) names.push([text, 'text before']);
  if (box !== start) for (const { text } of textBeside(box, -1, 3)) names.push([text, 'text before']);
  if (element.name) names.push([element.name, 'test id']);
  return names;
}

// The child of `box` in which `element` lies.
function topBelow(box, element) {
  let at = element;
  while (up(at) && up(at) !== box) at = up(at);
  return at;
}

// What a person presses when they mean this control; null when nothing of it can be seen.
function faceOf(element) {
  return remembered('face', element, one => {
    if (visible(one) && !(transparent(one) && one.matches(TOGGLES + ', input[type=file], select'))) return one;
    const labels = one.matches(TOGGLES + ', input[type=file]') ? labelsOf(one).filter(visible) : [];
    if (labels.length) return labels.find(label => holds(label, one)) ?? labels[0];
    if (one.matches(TOGGLES)) {
      const box = up(one);
      const beside = [...(box?.children ?? [])].find(other => other !== one && visible(other) && !other.matches(CONTROLS + ', a, button'));
      if (beside) return beside;
      if (box && visible(box) && box.querySelectorAll(TOGGLES).length === 1) return box;
    }
    return visible(one) ? one : null;
  });
}

// The control that is seen instead of a hidden native one: what a select box library puts beside it.
function standIn(hidden) {
  const wanted = '[role=combobox], [role=listbox], [aria-haspopup], [role=textbox], [role=searchbox], [role=slider], [role=spinbutton], ' + EDITABLE;
  for (let at = hidden, depth = 0; at && depth < 2; at = up(at), depth++) {
    for (const direction of [1, -1]) {
      let beside = direction > 0 ? at.nextElementSibling : at.previousElementSibling;
      for (let steps = 0; beside && steps < 3; steps++) {
        const editor = editors().find(one => one === beside || holds(beside, one));
        if (editor) return candidate(editor, 'editor');
        const frame = [...below(beside)].find(one => one.matches('iframe') && visible(one));
        if (frame) return candidate(frame, 'frame');
        const inner = [...below(beside)].find(one => one.matches(wanted + ', input, textarea') && visible(one) && !inToolbar(one));
        if (inner) return labelsOf(inner).length ? null : candidate(inner, familyOf(inner));
        const trigger = direction > 0 && [...below(beside)].find(one => visible(one) && pressable(one) && !inToolbar(one));
        if (trigger) return candidate(trigger, 'combobox');
        beside = direction > 0 ? beside.nextElementSibling : beside.previousElementSibling;
      }
    }
  }
  return null;
}

// What formats a text is not where it is written.
const inToolbar = element => Boolean(closest(element, '[role=toolbar], [role=menubar], [class*=toolbar i], [class*=menubar i]'));
const pressable = element => element.matches('button, [role=button], [tabindex], [onclick]') || getComputedStyle(element).cursor === 'pointer';

// What stands for hidden controls that have a name: the element, with { stand, names }.
function lenders() {
  if (memo.has('lenders')) return memo.get('lenders');
  const lent = new Map();
  memo.set('lenders', lent);
  for (const hidden of every('select, textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=submit], [type=button])')) {
    if (visible(hidden) && !transparent(hidden)) continue;
    if (!labelsOf(hidden).length && !hidden.hasAttribute('aria-label')) continue;
    const stand = standIn(hidden);
    if (stand) lent.set(stand.element, { stand, names: [...(lent.get(stand.element)?.names ?? []), ...ownNames(hidden)] });
  }
  return lent;
}

const lentNames = element => lenders().get(element)?.names ?? [];
