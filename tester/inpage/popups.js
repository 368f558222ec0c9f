// Lists that open: which one belongs to a control, what can be chosen in it, and whether there is more of it.

const OPTIONS = '[role=option], [role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=treeitem]';
const LOADING = /^(?:loading|searching|looking|fetching|please wait|l[aä]dt|wird geladen|chargement)\b|^\W*(?:…|\.\.\.)\W*$/i;

let before = new WeakSet(); // what could be seen before the control was pressed

const onScreen = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

function remember() {
  before = new WeakSet();
  for (const root of roots()) for (const element of root.querySelectorAll('*')) if (onScreen(element)) before.add(element);
  return true;
}

// The list that a control has opened: the one it names, or what has appeared since it was pressed.
function popupFor(element) {
  const around = [element, ...ancestors(element)].slice(0, 4);
  const named = around.flatMap(at => [...byIds(at, 'aria-controls'), ...byIds(at, 'aria-owns')]).concat(around.flatMap(at => within(at, '[aria-controls]').flatMap(one => byIds(one, 'aria-controls'))));
  const list = named.find(one => one !== element && onScreen(one) && hasBox(one));
  if (list) return list;
  const fresh = every('*').filter(one => !before.has(one) && onScreen(one) && hasBox(one) && !SILENT.has(one.tagName.toUpperCase()));
  const outer = fresh.filter(one => !fresh.includes(up(one)) && (textOf(one) || one.querySelector(TEXTUAL)) && !holds(one, element));
  return outer.sort((a, b) => belongs(b, element) - belongs(a, element))[0] ?? null;
}

const hasBox = element => { const box = element.getBoundingClientRect(); return box.width > 4 && box.height > 4; };
// How much something that has appeared looks like what a control has opened: lists, in its own widget, next to it, floating.
function belongs(popup, element) {
  const floats = [popup, ...within(popup, '*').slice(0, 3)].some(one => ['absolute', 'fixed'].includes(getComputedStyle(one).position));
  const a = popup.getBoundingClientRect(), b = element.getBoundingClientRect();
  const beside = a.left < b.right + 20 && a.right > b.left - 20 && a.top < b.bottom + 60 && a.bottom > b.top - 60;
  const list = popup.matches('[role=listbox], [role=menu], [role=tree], [role=grid]') || within(popup, '[role=listbox], [role=menu]').length > 0;
  const near = [...ancestors(element)].slice(0, 4).some(at => holds(at, popup));
  return (list ? 1000 : 0) + (beside ? 600 : 0) + (near ? 500 : 0) + (floats ? 300 : 0) + (popup.matches('dialog, [role=dialog]') ? 300 : 0) + Math.min(within(popup, OPTIONS).length, 5) * 100;
}

// What can be chosen in a list, in order; divs without roles count when they stand in a row.
function choices(list) {
  const marked = within(list, OPTIONS).filter(one => visible(one) && onScreen(one));
  if (marked.length) return marked.filter(one => !LOADING.test(textOf(one)));
  const items = within(list, 'li').filter(one => !one.querySelector('li') && textOf(one) && !one.matches('[role=alert], [role=status], [role=presentation], [role=separator]'));
  if (items.length) return items.filter(one => !LOADING.test(textOf(one)));
  let row = [];
  for (const box of below(list)) {
    const children = [...box.children].filter(child => visible(child) && textOf(child) && !child.matches(CONTROLS));
    if (children.length > row.length && children.length > 1) row = children;
  }
  return (row.length ? row : [...list.children].filter(one => textOf(one))).filter(one => !LOADING.test(textOf(one)));
}

function choiceNames(element) {
  const whole = textOf(element), first = lead(element);
  const extra = [element.getAttribute('aria-label'), element.title, element.getAttribute('data-value'), element.getAttribute('value'), element.getAttribute('data-label')];
  return [...new Set([whole, first && squeeze(first), leadLeaf(element), ...extra].filter(Boolean))];
}

// The first piece of text on its own, whatever marks are around parts of it.
function leadLeaf(element) {
  let at = element;
  while (at.children.length) {
    const next = [...at.children].find(child => textOf(child));
    if (!next || (textOf(next) !== textOf(at) && at !== element)) break;
    at = next;
    if ([...at.childNodes].some(node => node.nodeType === Node.TEXT_NODE && /\S/.test(node.data))) break;
  }
  return textOf(at);
}

const offByLook = element => /(?:^|[\s_-])(?:is-)?disabled(?:$|[\s_-])/i.test(element.className?.baseVal ?? element.className ?? '') || ['not-allowed'].includes(getComputedStyle(element).cursor);
const choiceDisabled = element => disabled(element) || offByLook(element) || [...element.children].some(child => child.matches('[disabled]'));
const chosen = element => checked(element) || Boolean(element.querySelector('input:checked, [aria-checked=true]')) || (/(?:^|[\s_-])(?:is-)?(?:selected|checked|chosen)(?:$|\s)/i.test(element.className ?? '') && !element.hasAttribute('aria-selected') && !element.hasAttribute('aria-checked'));

function popupState({ element, family }) {
  const list = family === 'listbox' ? element : popupFor(element);
  if (!list) return { open: false };
  const scroller = [list, ...below(list), ...ancestors(list)].find(one => one.scrollHeight > one.clientHeight + 2 && ['auto', 'scroll'].includes(getComputedStyle(one).overflowY) && one !== document.documentElement && one !== document.body);
  const search = within(list, TEXTUAL).find(one => visible(one) && !readOnly(one)) ?? [...ancestors(list)].slice(0, 2).filter(one => !before.has(one)).flatMap(one => within(one, TEXTUAL)).find(one => visible(one) && one !== element);
  const options = choices(list), more = scroller ? scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 2 : false;
  const announced = within(list, '*').some(one => !one.children.length && LOADING.test(textOf(one)));
  return {
    open: true,
    options: options.map(one => ({ key: `${idOf(one)}/option`, names: choiceNames(one), disabled: choiceDisabled(one), selected: chosen(one) })),
    several: list.getAttribute('aria-multiselectable') === 'true',
    more,
    extent: scroller ? `${scroller.scrollHeight} ${Math.round(scroller.scrollTop)}` : '',
    search: search ? `${idOf(search)}/text` : null,
    loading: Boolean(closest(list, '[aria-busy=true]')) || spins(list) || (announced && !options.length),
    fetching: announced && !more, // a row at the end that says so, once the end has been reached
    calendar: Boolean(calendarIn(list)),
  };
}

function scrollPopup({ element, family }) {
  const list = family === 'listbox' ? element : popupFor(element);
  const scroller = list && [list, ...below(list), ...ancestors(list)].find(one => one.scrollHeight > one.clientHeight + 2 && ['auto', 'scroll'].includes(getComputedStyle(one).overflowY) && one !== document.documentElement && one !== document.body);
  if (!scroller) return false;
  const at = scroller.scrollTop;
  scroller.scrollBy({ top: Math.max(20, scroller.clientHeight - 20), behavior: 'instant' });
  return scroller.scrollTop !== at;
}

// The part of the page that draws one control: up to where its own label or another control begins.
function widgetOf(element) {
  const names = ownNames(element).filter(([, rule]) => rule === 'label' || rule.startsWith('aria')).map(([text]) => plain(text));
  let box = element;
  for (const at of [...ancestors(element)].slice(0, 5)) {
    if (at.matches('body, form, fieldset, label, td, tr, li, [role=group], [role=dialog], dialog')) break;
    const others = within(at, FIELDS).filter(one => one !== element && visible(one) && !holds(one, element) && !holds(element, one) && !one.matches('button, [role=button]'));
    if (others.length || at.querySelector('label, legend, h1, h2, h3, h4, h5, h6')) break;
    if (textLeavesIn(at).some(text => names.includes(plain(text)))) break;
    if (at.getBoundingClientRect().height > 240) break;
    box = at;
  }
  return box;
}

const textLeavesIn = box => textLeaves().filter(({ element }) => holds(box, element) && rendered(element)).map(({ text }) => text);

const REMOVES = /^(?:remove|delete|clear|entfernen|löschen|supprimer|retirer|eliminar|quitar|rimuovi)\b|^[×✕✖⨯✗xX]$/i;

// What is chosen already, drawn as chips with a cross each: { text, remove }.
function chips(element) {
  const box = widgetOf(element), found = [];
  for (const cross of within(box, 'button, [role=button], [class*=remove i], [class*=close i], [class*=delete i], [aria-label]')) {
    if (!onScreen(cross) || cross === element || holds(cross, element) || within(cross, 'button, [role=button]').length) continue;
    const said = cross.getAttribute('aria-label') || cross.title || textOf(cross, { hidden: true });
    if (!REMOVES.test(said) && !/remove|close|delete/i.test(cross.className?.baseVal ?? cross.className ?? '')) continue;
    const chip = [...ancestors(cross)].find(one => textOf(one, { but: cross }));
    if (!chip || chip === box || !holds(box, chip) || holds(chip, element)) continue;
    if (found.some(one => holds(cross, one.cross) || holds(one.cross, cross) || one.chip === chip)) continue;
    found.push({ chip, cross, text: textOf(chip, { but: cross }), remove: `${idOf(cross)}/button` });
  }
  return found.map(({ text, remove }) => ({ text, remove }));
}

// What a drawn select shows as chosen: chips as a list, else its text line by line.
function comboValue(element) {
  const drawn = chips(element);
  if (drawn.length) return drawn.map(({ text }) => text);
  if (element.matches('input, textarea') && element.value) return element.value;
  const box = element.matches('input, textarea') ? widgetOf(element) : element;
  const names = ownNames(element).map(([text]) => plain(text));
  const texts = textLeaves().filter(({ element: at }) => holds(box, at) && onScreen(at) && !closest(at, '[class*=placeholder i], [role=listbox], [role=menu], svg, i'))
    .filter(({ element: at }) => !(closest(at, 'button, [role=button]') && box !== element && !holds(closest(at, 'button, [role=button]'), element)));
  return texts.flatMap(({ text }) => [text, ...afterName(text, names)]).join('\n');
}

// "Sort: Newest" shows Newest.
function afterName(text, names) {
  const [name, ...rest] = text.split(/[:：–-]\s+/);
  return rest.length && names.some(one => one.startsWith(plain(name))) ? [rest.join(': ')] : [];
}
