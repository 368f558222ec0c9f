// Whether a person could use a control right now, where they would press it, and what is in the way.

// { ok } or { blocked: "hidden" | "disabled" | "read-only" | "covered", … }; brings the control into view for a press.
function readiness({ element, family, members }, act) {
  const face = (members ?? [element]).map(faceOf).find(Boolean);
  if (!element.isConnected) return { blocked: 'absent' };
  if (!face && family !== 'file') return { blocked: 'hidden', busy: busy(element) };
  if (members ? members.every(disabled) : disabled(element)) return { blocked: 'disabled', hint: hintOf(element), busy: busy(element) };
  if (act === 'set' && TYPED.has(family) && readOnly(element)) return { blocked: 'read-only', hint: hintOf(element), busy: busy(element) };
  if (act === 'look' || !face) return { ok: true };
  const modal = topModal();
  if (modal && !holds(modal, element)) return { blocked: 'covered', ...describeCover(modal) };
  if (act === 'set' && !PRESSED.has(family)) return veiled(face) ?? { ok: true };
  if (moving(face)) return { blocked: 'moving', busy: true };
  const free = pressPoint(face);
  return free.point ? { ok: true, position: free.position, press: idOf(free.element) } : { blocked: 'covered', ...describeCover(free.cover), busy: busy(element) || spins(free.cover) };
}

// Keys reach what is under a small thing that lies over it; nobody fills in what is under a veil.
function veiled(face) {
  const box = face.getBoundingClientRect();
  const hit = topmost(box.left + box.width / 2, box.top + box.height / 2);
  if (!hit || holds(face, hit) || holds(hit, face) || reaches(hit, face)) return null;
  const veil = [hit, ...ancestors(hit)].find(one => { const { width, height } = one.getBoundingClientRect(); return !holds(one, face) && width * height > innerWidth * innerHeight / 3; });
  if (!veil) return null;
  const free = pressPoint(face);
  return free.point ? null : { blocked: 'covered', ...describeCover(free.cover), busy: busy(face) || spins(free.cover) };
}

// The dialog on top that shuts off the rest of the page: it says so, or what is around it covers the window.
function topModal() {
  return remembered('modal', document, () => every('dialog, [aria-modal=true], [role=dialog], [role=alertdialog]').filter(one => visible(one) && (one.matches(':modal, [aria-modal=true]') || (one.matches('[role]') && overlaid(one)))).at(-1) ?? null);
}

const overlaid = dialog => [dialog, ...ancestors(dialog)].slice(0, 4).some(one => {
  const { width, height } = one.getBoundingClientRect();
  return getComputedStyle(one).position === 'fixed' && width * height > innerWidth * innerHeight * 0.6;
});

// A transition that is under way ends by itself; a loop does not, and does not count.
function moving(element) {
  return document.getAnimations().some(one => one.playState === 'running' && one.effect?.target && holds(one.effect.target, element) && Number.isFinite(one.effect.getComputedTiming().endTime)
    && one.effect.getKeyframes().some(frame => ['transform', 'translate', 'top', 'left', 'right', 'bottom', 'height', 'width', 'scale', 'margin'].some(name => name in frame)));
}

const TYPED = new Set(['text', 'number', 'editable', 'editor', 'date', 'color', 'range']);
const PRESSED = new Set(['check', 'radio', 'editor', 'combobox', 'readonly', 'boxes', 'cell', 'button']); // the others are pressed part by part, if at all

function pressPoint(face) {
  const rects = () => [...face.getClientRects()].filter(box => box.width >= 1 && box.height >= 1);
  let boxes = rects();
  if (!boxes.length) boxes = [face.getBoundingClientRect()];
  if (!boxes.some(inView)) { face.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }); boxes = rects(); }
  let found = freePoint(face, boxes);
  if (!found.point) {
    face.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    found = freePoint(face, rects());
  }
  return found;
}

const inView = box => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;

// The middle, when it is free; then points around it. `position` is told only when it is not the middle.
function freePoint(face, boxes) {
  let cover = null;
  for (const box of boxes) {
    for (const [dx, dy] of [[.5, .5], [.25, .5], [.75, .5], [.1, .5], [.9, .5], [.5, .2], [.5, .8], [.04, .5], [.96, .5], [.1, .15], [.9, .85]]) {
      const x = box.left + box.width * dx, y = box.top + box.height * dy;
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const hit = topmost(x, y);
      if (hit && reaches(hit, face)) {
        const element = holds(face, hit) ? face : closest(hit, 'label');
        const outer = element.getBoundingClientRect();
        const middle = Math.abs(x - outer.left - outer.width / 2) < 1 && Math.abs(y - outer.top - outer.height / 2) < 1;
        return { point: true, element, position: middle ? null : { x: x - outer.left, y: y - outer.top } };
      }
      cover ??= hit;
    }
  }
  return { point: false, cover };
}

// A press at `hit` means `face`: it is it or a part of it, and no other control inside.
function reaches(hit, face) {
  if (!holds(face, hit)) return closest(hit, 'label')?.control === face;
  const own = closest(hit, 'a[href], button, [role=button], input, select, textarea');
  return !own || own === face || holds(own, face) || face.matches('label') && own === face.control || !face.matches('label, [role=radio], [role=checkbox]');
}

function describeCover(hit) {
  if (!hit) return { by: 'something outside the window' };
  let box = hit;
  for (let at = hit; at && !at.matches('body, html'); at = up(at)) if (['fixed', 'absolute', 'sticky'].includes(getComputedStyle(at).position) || at.matches('dialog, [role=dialog]')) box = at;
  const name = box.getAttribute('aria-label') || headingOf(box) || squeeze(textOf(box)).slice(0, 60);
  const what = name ? quoted(name) : `<${box.tagName.toLowerCase()}${box.id ? ' id=' + box.id : box.classList[0] ? ' class=' + box.classList[0] : ''}>`;
  const buttons = within(box, 'button, [role=button], a[href], input[type=button], input[type=submit]').filter(visible).map(one => textOf(one) || one.getAttribute('aria-label') || one.value || '').filter(Boolean);
  return { by: what, loading: spins(box), removers: buttons.slice(0, 3) };
}

const spins = element => Boolean(element && (element.matches('[aria-busy=true], [role=progressbar]') || element.querySelector('[role=progressbar], [aria-busy=true]')));
