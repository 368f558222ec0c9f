// Calendars that are drawn: which month they show, their days, and how to turn the page.

const MONTHS = (() => {
  const names = new Map();
  for (const language of new Set([document.documentElement?.lang || 'en', navigator.language, 'en', 'de', 'fr', 'es', 'it', 'pt', 'nl'])) {
    for (const style of ['long', 'short']) {
      let format;
      try { format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' }); } catch { continue; }
      for (let month = 0; month < 12; month++) {
        const name = format.format(new Date(Date.UTC(2026, month, 15))).toLowerCase().replace(/\.$/, '');
        if (!names.has(name) && !/^\d/.test(name)) names.set(name, month + 1);
      }
    }
  }
  return names;
})();

// The date that a text writes in full, as YYYY-MM-DD; null when it does not.
function dateIn(text) {
  const iso = /(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (iso) return iso[0];
  const month = monthIn(text), year = /\b(\d{4})\b/.exec(text), day = /(?<!\d)(\d{1,2})(?!\d)/.exec(text.replace(/\d{4}/, ' '));
  return month && year && day ? `${year[1]}-${two(month)}-${two(day[1])}` : null;
}

const two = number => String(number).padStart(2, '0');
const monthIn = text => text.toLowerCase().split(/[^\p{L}]+/u).map(word => MONTHS.get(word)).find(Boolean) ?? null;

// A box with a grid of days: at least 28 cells that hold 1 to 31.
function calendarIn(box) {
  if (!box) return null;
  const cells = within(box, '*').filter(one => /^\d{1,2}$/.test(dayText(one)) && Number(dayText(one)) >= 1 && Number(dayText(one)) <= 31 && ![...one.children].some(child => /^\d{1,2}$/.test(dayText(child))) && onScreen(one) && !one.matches('option'));
  return cells.length >= 28 && cells.length <= 200 ? cells : null;
}

const dayText = element => (element.childElementCount > 3 ? '' : squeeze(element.textContent ?? ''));
const OUTSIDE = /prev|next|outside|other|adjacent|\bold\b|\bnew\b|off|muted|inactive|not-?current|hidden/i;

function calendarState({ element }) {
  const box = calendarBox(element), cells = calendarIn(box);
  if (!cells) return null;
  const days = cells.map(cell => {
    const button = closest(cell, 'button, [role=button], [role=gridcell], td, a') ?? cell;
    const press = holds(box, button) && button !== box ? button : cell;
    const full = [cell, press, ...press.children].flatMap(at => [at.getAttribute('aria-label'), at.title, at.getAttribute('data-date'), at.getAttribute('data-day'), at.getAttribute('data-value'), at.getAttribute('datetime')]).map(text => text && dateIn(text)).find(Boolean);
    const data = full ?? fromParts(press) ?? fromParts(cell);
    const classes = `${cell.className} ${press.className}`;
    return { key: `${idOf(press)}/day`, day: Number(dayText(cell)), date: data ?? null, outside: OUTSIDE.test(classes), disabled: choiceDisabled(press) || choiceDisabled(cell) };
  });
  markOutside(days);
  const header = headerOf(box, cells[0]);
  return { days, ...header };
}

function fromParts(cell) {
  const { year, month, day } = cell.dataset;
  return year && month && day ? `${year}-${two(Number(month) + 1)}-${two(day)}` : null;
}

// In a sheet the month runs from its 1 to its last day: what stands before and after is the neighbours'.
function markOutside(days) {
  const start = days.findIndex(({ day }) => day === 1);
  if (start < 0 || start > 6) return;
  let end = days.findIndex(({ day }, at) => at > start && day === 1);
  if (end < 0) end = days.length;
  days.forEach((one, at) => { if (at < start || at >= end) one.outside = true; });
}

function calendarBox(element) {
  const list = popupFor(element);
  if (list && calendarIn(list)) return list;
  return every('[role=dialog], [role=grid], [class*=calendar i], [class*=datepicker i], [class*=picker i], table').filter(one => onScreen(one) && calendarIn(one)).sort((a, b) => b.querySelectorAll('*').length - a.querySelectorAll('*').length)[0] ?? (list || null);
}

// Month and year shown, and what turns back and forth.
function headerOf(box, firstCell) {
  const above = within(box, '*').filter(one => onScreen(one) && one.compareDocumentPosition(firstCell) & Node.DOCUMENT_POSITION_FOLLOWING && !holds(one, firstCell));
  const texts = above.filter(one => !one.children.length || one.matches('select, button')).map(one => one.matches('select') ? one.selectedOptions[0]?.text ?? '' : one.matches('input') ? one.value : textOf(one));
  const month = texts.map(monthIn).find(Boolean) ?? numericMonth(texts);
  const year = texts.map(text => /\b(?:19|20)\d{2}\b/.exec(text)?.[0]).find(Boolean);
  const turns = within(box, 'button, [role=button], a, [class*=prev i], [class*=next i]').filter(one => onScreen(one) && !within(one, 'button, [role=button]').length);
  const said = one => `${one.getAttribute('aria-label') ?? ''} ${one.title} ${one.className?.baseVal ?? one.className} ${textOf(one, { hidden: true })}`;
  const pick = (words, not) => turns.find(one => words.test(said(one)) && !/year|decade/i.test(said(one)) && !(not && not.test(said(one))) && !disabled(one) && !/\bday\b/i.test(one.className ?? ''));
  const back = pick(/prev|back|zurück|vorig|précéd|anterior|[‹<◀←❮]/i), forth = pick(/next|forward|weiter|nächst|suivant|siguiente|[›>▶→❯]/i);
  return { month: month ?? null, year: year ? Number(year) : null, selects: selectsIn(box), back: back ? `${idOf(back)}/button` : null, forth: forth ? `${idOf(forth)}/button` : null };
}

// Lists in the header from which month or year are chosen: the number that each option stands for.
function selectsIn(box) {
  return within(box, 'select').filter(onScreen).map(select => {
    const texts = [...select.options].map(option => option.text.trim());
    const months = texts.map(text => monthIn(text) ?? (/^\d{1,2}$/.test(text) ? Number(text) : null)), years = texts.map(text => (/^\d{4}$/.test(text) ? Number(text) : null));
    return { key: `${idOf(select)}/select`, months: months.every(Boolean) ? months : null, years: years.every(Boolean) ? years : null };
  });
}

const numericMonth = texts => { for (const text of texts) { const found = /^(\d{1,2})\s*[/.-]\s*(?:19|20)\d{2}$/.exec(text); if (found) return Number(found[1]); } return null; };
