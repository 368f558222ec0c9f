// Fields that are reached in a roundabout way: editors in frames, cells edited in place, files behind a button, pairs of lists.

// A frame in which people write: named by its title, by the text before it, or by the hidden control that it stands for.
function writingFrames() {
  return every('iframe').filter(one => visible(one) && !transparent(one)).map(one => candidate(one, 'frame'));
}

// The only thing to write in that this frame holds.
function innerField() {
  const all = fields().filter(one => ['editable', 'editor', 'text'].includes(one.family) && usable({ candidate: one }));
  const hosts = all.filter(one => one.family !== 'text');
  return hosts.length === 1 ? hosts : all.length === 1 ? all : [];
}

// Fields without a name of their own in a column that is no table: what stands at the head of it, right above.
function underHeading(asked) {
  const heads = textLeaves().filter(({ text, element }) => { const quality = fit(asked, text); return quality !== null && quality <= BARE && visible(element); });
  const nameless = heads.length ? fields().filter(one => !one.members && usable({ candidate: one }) && !ownNames(one.element).some(([, rule]) => rule !== 'test id')) : [];
  return heads.flatMap(({ text, element }) => {
    const head = element.getBoundingClientRect(), quality = fit(asked, text);
    const below = nameless.filter(one => { const box = one.element.getBoundingClientRect(); return box.top >= head.bottom - 2 && box.left < head.right && box.right > head.left; });
    return below.map(candidate => ({ candidate, quality, order: RULES.indexOf('column header'), rule: 'column header', text }));
  });
}

// Cells that show text and turn into an input when they are pressed; their column names them.
function plainCells() {
  return every('td, [role=gridcell], [role=cell]').filter(one => visible(one) && !one.querySelector(CONTROLS + ', button, a[href]')).map(one => candidate(one, 'cell'));
}

// What has opened in or over a cell to edit it.
function cellEditor(cell) {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body || !at.matches(FIELDS)) return null;
  return holds(cell, at) || overlaps(at, cell) || overlaps(cell, at) ? { key: `${idOf(at)}/${familyOf(at)}`, family: familyOf(at) } : null;
}

const cellValue = cell => { const input = cell.querySelector('input, textarea, select'); return input ? input.value : squeeze(textOf(cell)); };

// File inputs that belong to a button, a drop zone or a text of that name: the only one near it.
function filesNear(asked) {
  const named = [...grade(pressables(), asked, ownOf), ...textLeaves().filter(({ text }) => fit(asked, text) !== null).map(({ text, element }) => ({ candidate: { element }, quality: fit(asked, text), text, order: RULES.length, rule: 'text before' }))];
  const found = new Map();
  for (const { candidate: { element }, quality, text } of named) {
    const box = [element, ...ancestors(element)].find(at => within(at, 'input[type=file]').length);
    const inputs = box ? within(box, 'input[type=file]') : [];
    if (inputs.length === 1 && !(found.get(inputs[0])?.quality <= quality)) found.set(inputs[0], { candidate: candidate(inputs[0], 'file'), quality, order: RULES.indexOf('text before'), rule: 'text before', text });
  }
  return [...found.values()];
}

// Two lists and buttons that move options from one to the other: the second one is the field.
function pairsOfLists() {
  const found = [];
  for (const list of every('select[multiple], [role=listbox][aria-multiselectable=true]')) {
    if (!visible(list)) continue;
    const box = [...ancestors(list)].slice(0, 4).find(at => within(at, 'select[multiple], [role=listbox]').filter(visible).length > 1);
    const lists = box ? within(box, 'select[multiple], [role=listbox]').filter(visible) : [];
    const moves = box ? within(box, 'button, [role=button], a, input[type=button]').filter(one => visible(one) && lists[0].compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING || visible(one) && MOVES.test(pressSaid(one))) : [];
    if (lists.length === 2 && lists[1] === list && moves.some(one => MOVES.test(pressSaid(one)))) found.push(candidate(list, 'pair', lists));
  }
  return found;
}

const MOVES = /[<>«»‹›←→⇐⇒▶◀]|add|choose|move|remove|assign|select|hinzu|entfern|ajouter|retirer|añadir|quitar/i;
const ALL = /\ball\b|alle\b|tous|todos|>>|<<|»|«|⇉|⇇/i;
const FORTH = /[>»›→⇒▶]|add|choose|assign|right|hinzu|ajouter|añadir/i, BACK = /[<«‹←⇐◀]|remove|left|entfern|retirer|quitar/i;
const pressSaid = one => [textOf(one, { hidden: true }), one.getAttribute('aria-label') ?? '', one.title, one.value ?? ''].join(' ');

function pairState(members) {
  const box = around(members);
  const buttons = within(box, 'button, [role=button], a, input[type=button]').filter(one => visible(one) && !ALL.test(pressSaid(one)));
  const towards = words => buttons.find(one => words.test(pressSaid(one)));
  const listed = list => (list.tagName === 'SELECT' ? optionsOf({ element: list, family: 'select' }).map((one, at) => ({ ...one, key: `${idOf(list.options[at])}/option` })) : choices(list).map(one => ({ key: `${idOf(one)}/option`, names: choiceNames(one), disabled: choiceDisabled(one), selected: chosen(one) })));
  const key = one => (one ? `${idOf(one)}/button` : null);
  return { native: members[0].tagName === 'SELECT', lists: members.map(list => ({ key: `${idOf(list)}/list`, options: listed(list) })), forth: key(towards(FORTH)), back: key(towards(BACK)) };
}
