// What a control holds, and whether it can be used.

const shown = element => (element.innerText ?? '').replace(/\u00a0/g, ' ').replace(/[\u200b\ufeff]/g, '').replace(/\r/g, '').replace(/\n$/, '');

function readValue({ element, family, members }) {
  if (family === 'check') return checked(element);
  if (family === 'radio') return checked(element);
  if (family === 'radios') return members.filter(checked).map(optionLines)[0] ?? null;
  if (family === 'checks') return members.filter(checked).map(optionLines);
  if (family === 'select') {
    const chosen = [...element.selectedOptions].map(option => squeeze(option.label || option.text));
    return element.multiple ? chosen : chosen[0] ?? null;
  }
  if (family === 'file') return [...element.files].map(file => file.name);
  if (family === 'editable') return lines(element);
  if (family === 'editor') return editorText(element);
  if (family === 'combobox' || family === 'readonly') return comboValue(element);
  if (family === 'listbox') return choices(element).filter(chosen).map(one => choiceNames(one).slice(0, 3).join('\n'));
  if (family === 'pair') return pairState(members).lists[1].options.map(({ names }) => names[0]);
  if (family === 'cell') return cellValue(element);
  if (family === 'frame') return null;
  if (family === 'sections') return members.map(one => one.getAttribute('aria-valuetext')?.match(/^\d+$/)?.[0] ?? one.getAttribute('aria-valuenow') ?? shown(one)).join(' ');
  if (family === 'boxes') return members.map(one => one.value).join('');
  if (family === 'slider' || family === 'spinbutton') return element.getAttribute('aria-valuenow') ?? element.value ?? shown(element);
  if ('value' in element && element.matches('input, textarea')) return element.value;
  return squeeze(textOf(element, { hidden: true }));
}

const checked = element => (element.matches('input') ? element.checked : ['aria-checked', 'aria-pressed', 'aria-selected'].some(name => element.getAttribute(name) === 'true'));
// Every name of an option on a line of its own: whichever was asked for is among them.
const optionLines = element => optionNames(element).join('\n');
const optionName = element => ownNames(element).find(([, rule]) => rule !== 'test id')?.[0] ?? placeNames(element)[0]?.[0] ?? element.value ?? '';

// Block by block, as a person reads the lines.
function lines(element) {
  const text = shown(element);
  return text.replace(/\n\n/g, (gap, at) => (blocks(element) ? '\n' : gap));
}

const blocks = element => [...element.children].some(child => child.matches('p'));

function editorText(box) {
  const rows = within(box, '.CodeMirror-line, .cm-line, .view-line, .ace_line');
  return (rows.length ? rows.map(shown).join('\n') : shown(box)).replace(/\u200b/g, '');
}

const disabled = element => element.matches(':disabled') || [element, ...ancestors(element)].some(at => at.inert || at.getAttribute('aria-disabled') === 'true');
const readOnly = element => Boolean(element.readOnly) || element.getAttribute('aria-readonly') === 'true';
const busy = element => document.readyState === 'loading' || Boolean(closest(element, '[aria-busy=true]'));

// Why a control is off, in the page's own words.
function hintOf(element) {
  for (const at of [element, ...ancestors(element)].slice(0, 3)) {
    const described = byIds(at, 'aria-describedby').map(part => textOf(part, { hidden: true })).join(' ');
    const hint = described || at.getAttribute('aria-description') || at.title || at.getAttribute('data-tooltip') || at.getAttribute('data-tip') || at.getAttribute('data-original-title');
    if (hint && squeeze(hint)) return squeeze(hint).slice(0, 160);
  }
  const beside = textBeside(element, 1, 1)[0]?.text;
  return beside && beside.length <= 120 && closest(element, 'button, [role=button], input[type=submit]') ? beside : null;
}

// The messages of the page about values that it does not take, native and drawn.
function invalid() {
  const found = new Map();
  for (const element of every('input, select, textarea')) {
    if (!element.willValidate || element.validity.valid || !element.matches(':user-invalid') && !refused.has(element)) continue;
    found.set(element, { field: displayName(element), message: element.validationMessage });
  }
  for (const element of every('[aria-invalid=true]')) {
    if (found.has(element) || !visible(element)) continue;
    const told = [...byIds(element, 'aria-errormessage'), ...byIds(element, 'aria-describedby')].map(part => textOf(part)).filter(Boolean).join(' ');
    found.set(element, { field: displayName(element), message: told || drawnMessage(element) || 'marked as invalid' });
  }
  return [...found.values()].slice(0, 12);
}

// What the page says about one control right now.
function complaint(element) {
  if (element.willValidate && !element.validity.valid && element.validationMessage) return element.validationMessage;
  const told = byIds(element, 'aria-errormessage').map(part => textOf(part)).join(' ') || drawnMessage(element);
  return told || every('[role=alert]').filter(visible).map(one => textOf(one)).find(Boolean) || null;
}

function drawnMessage(element) {
  for (const box of [...ancestors(element)].slice(0, 5)) {
    if (box.matches('form, body') || within(box, FIELDS).filter(one => one !== element && visible(one)).length > 2) break;
    const message = within(box, '[role=alert], [class*=error i], [class*=invalid i], [class*=danger i], [class*=help i]').find(one => !one.matches(CONTROLS) && !holds(one, element) && visible(one) && textOf(one));
    if (message) return textOf(message).slice(0, 200);
  }
  return null;
}

function displayName(element) {
  const own = ownNames(element).find(([, rule]) => rule !== 'test id') ?? placeNames(element)[0] ?? ownNames(element)[0];
  return own ? own[0].replace(/\s*[:*]+\s*$/, '') : element.tagName.toLowerCase();
}
