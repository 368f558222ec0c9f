// What a person does not see although it is there, and what they see although it must not be told.

const UNSEEN = 60; // texts that are told at most

// Texts that are drawn so that nobody can read them: see-through, tiny, in the colour of their ground, out of sight.
function unseen() {
  const found = new Set();
  for (const { text, element } of textLeaves()) {
    if (found.size >= UNSEEN) break;
    if (rendered(element) && !readable(element) && !namesWhatIsSeen(element)) found.add(text.slice(0, 400));
  }
  return [...found];
}

// The hidden text of a button that shows nothing but a picture is its name.
function namesWhatIsSeen(element) {
  const button = closest(element, PRESSABLE);
  return Boolean(button) && button !== element && readable(button);
}

const readable = element => remembered('readable', element, one => {
  if (transparent(one)) return false;
  const style = getComputedStyle(one);
  if (parseFloat(style.fontSize) < 3) return false;
  if (style.display !== 'contents' && !visible(one)) return false;
  return style.backgroundImage !== 'none' || style.textShadow !== 'none' || !blends(style.color, groundOf(one));
});

// The colour behind an element; null when it is a picture, or not known.
function groundOf(element) {
  return remembered('ground', element, one => {
    const style = getComputedStyle(one);
    if (style.backgroundImage !== 'none') return null;
    const [, , , alpha = 1] = channels(style.backgroundColor);
    if (alpha > 0.5) return style.backgroundColor;
    if (style.position !== 'static') return null; // it may stand on something that is no ancestor of it
    const outer = up(one);
    return outer ? groundOf(outer) : 'rgb(255, 255, 255)';
  });
}

const channels = colour => (colour.match(/[\d.]+/g) ?? []).map(Number);

function blends(colour, ground) {
  const [red, green, blue, alpha = 1] = channels(colour);
  if (alpha < 0.05) return true;
  if (!ground || !/^rgb/.test(ground) || !/^rgb/.test(colour)) return false;
  const [r, g, b] = channels(ground);
  return Math.abs(red - r) + Math.abs(green - g) + Math.abs(blue - b) < 12;
}

// The refs of the latest view under which passwords stand; `loose` counts those that have none.
function passwords() {
  const typed = every('input[type=password]').filter(one => one.value && rendered(one));
  const refs = typed.map(one => one._ariaRef?.ref).filter(Boolean);
  return { refs, loose: typed.length - refs.length };
}
