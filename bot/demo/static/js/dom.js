// Builds elements, and updates existing ones without replacing what hasn't changed.

const SVG = "http://www.w3.org/2000/svg";

/** An element: attributes by name (`on…` listeners, `dataset`-like `data-…`), then children; null ones are left out. */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style")
      for (const [property, set] of Object.entries(value)) element.style.setProperty(property, set);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child != null && child !== false));
  return element;
}

/** Whether this is a phone or tablet, where focusing an input opens a keyboard over half of the screen. */
export const touch = () => matchMedia("(pointer: coarse)").matches;

/** A listener that leaves the focus where it is, in the input that a list belongs to. */
export const keepFocus = (event) => event.preventDefault();

/** Replace an element's content. Focus stays at the same place if it was inside. */
export function fill(element, ...children) {
  const path = focusPath(element);
  element.replaceChildren(...children.flat(3).filter((child) => child != null && child !== false));
  path?.reduce((parent, index) => parent?.children[index], element)?.focus({ preventScroll: true });
  return element;
}

function focusPath(element) {
  const path = [];
  let node = document.activeElement;
  if (node === element || !element.contains(node)) return null;
  for (; node !== element; node = node.parentElement)
    path.unshift([...node.parentElement.children].indexOf(node));
  return path;
}

const ICONS = {
  hash: "M10.99 3.16 10.34 7h5l.73-4.16 1.97.34L17.36 7H21l-.35 2h-3.64l-1.05 6H20l-.35 2h-4.04l-.73 4.16-1.97-.34.67-3.82h-5l-.73 4.16-1.97-.34L6.55 17H3l.35-2h3.55l1.05-6H4l.35-2H8.3l.72-4.18zM9.98 9l-1.05 6h5l1.05-6z",
  thread:
    "M5 4h2v7.500a1.500 1.500 0 0 0 1.500 1.500h5.200V9.400l6.300 4.600-6.300 4.600V15H8.500A3.500 3.500 0 0 1 5 11.500z",
  menu: "M3 5h18v2.2H3zm0 5.900h18v2.200H3zm0 5.900h18V19H3z",
  people:
    "M9 11.500a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM1.500 20c0-3.600 3.200-6 7.500-6s7.500 2.400 7.500 6v.5h-15zM16 11.300a3.600 3.600 0 1 0-1.400-6.900 6 6 0 0 1-.4 6.500c.6.300 1.200.400 1.800.400zM18.400 20.500h4.100V20c0-3.200-2.600-5.400-6.400-5.700a7.600 7.600 0 0 1 2.300 5.700z",
  eye: "M12 5C6.500 5 2.700 9.400 1.500 12c1.200 2.600 5 7 10.500 7s9.300-4.400 10.500-7C21.300 9.400 17.500 5 12 5zm0 11.500a4.500 4.500 0 1 1 0-9 4.500 4.500 0 0 1 0 9zm0-2.300a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400z",
  close:
    "M18.400 4.200 12 10.600 5.600 4.200 4.200 5.600l6.400 6.400-6.400 6.400 1.400 1.400 6.400-6.400 6.400 6.400 1.400-1.400-6.400-6.400 6.400-6.400z",
  chevron: "M5.300 8.300 12 15l6.700-6.700 1.400 1.400L12 17.800 3.900 9.700z",
  external:
    "M14 3h7v7h-2V6.400l-8.300 8.300-1.400-1.400L17.600 5H14zM5 5h6v2H6.500v10.500H17V13h2v6.500H4.500V5z",
  check: "M9.500 16.200 5 11.700l-1.500 1.500 6 6 11-11L19 6.700z",
  crown: "M3 18h18v2H3zM3.500 16 2.300 7.200l5.200 3.600L12 4l4.500 6.800 5.200-3.600L20.500 16z",
  reply: "M10 8V4L2.500 11 10 18v-4.100c5 0 8.500 1.600 11 5.100-1-5-4-10-11-11z",
  play: "M7 4.500v15l12.500-7.500z",
  help: "M12 2.500a9.500 9.500 0 1 0 0 19 9.500 9.500 0 0 0 0-19zm0 15.900a1.300 1.300 0 1 1 0-2.600 1.300 1.300 0 0 1 0 2.600zm1.500-5.300c-.5.400-.6.500-.6 1.300h-2c0-1.700.6-2.200 1.300-2.800.6-.5 1-.800 1-1.600 0-.9-.6-1.500-1.500-1.500-.8 0-1.500.6-1.600 1.600l-2-.3C8.400 7.700 9.900 6.500 11.800 6.500c2.100 0 3.500 1.300 3.500 3.300 0 1.800-1 2.600-1.800 3.300z",
  send: "M3 20.500v-6.800l8.500-1.700L3 10.300V3.500L21.500 12z",
  down: "M11 4h2v11.200l4.600-4.600 1.400 1.400-7 7-7-7 1.400-1.400 4.600 4.600z",
  warning: "M12 2.500 1 21.500h22zm-1 7h2v6h-2zm0 7.700h2v2h-2z",
  slash:
    "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zm9.200 3.200-6 11.600 1.700.9 6-11.600z",
  globe:
    "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm6.900 9h-3c-.1-2.300-.6-4.300-1.400-5.800a8 8 0 0 1 4.400 5.800zM12 4.200c.7.900 1.700 3.200 1.900 6.800h-3.800c.2-3.600 1.200-5.900 1.900-6.800zM9.500 5.200C8.700 6.700 8.200 8.700 8.100 11h-3a8 8 0 0 1 4.400-5.800zM5.100 13h3c.1 2.300.6 4.300 1.400 5.800A8 8 0 0 1 5.100 13zm6.900 6.800c-.7-.9-1.700-3.200-1.900-6.800h3.800c-.2 3.600-1.200 5.900-1.900 6.800zm2.500-1c.8-1.500 1.300-3.500 1.400-5.800h3a8 8 0 0 1-4.400 5.800z",
  bubble:
    "M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8l-5 4.500V17H4a2 2 0 0 1-2-2V6c0-1.100.9-2 2-2zm3 4.500v1.800h10V8.500zm0 3.700V14h7v-1.800z",
  file: "M6 2h8l5 5v13a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V4c0-1.100.9-2 2-2zm7 1.800V8h4.200z",
};

/** A drawn icon: decoration, hidden from screen readers. */
export function icon(name, size = 20) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({
    viewBox: "0 0 24 24",
    width: size,
    height: size,
    "aria-hidden": "true",
    class: `icon icon-${name}`,
  })) {
    svg.setAttribute(key, value);
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  path.setAttribute("fill", "currentColor");
  svg.append(path);
  return svg;
}

/** Make `old` look like `fresh`, keeping every node that can stay: focus, open spoilers and pictures survive. */
export function morph(old, fresh) {
  if (
    old.nodeType !== fresh.nodeType ||
    old.nodeName !== fresh.nodeName ||
    old.dataset?.key !== fresh.dataset?.key
  ) {
    old.replaceWith(fresh);
    return fresh;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  if (old.isEqualNode(fresh)) return old;
  const opened = old.classList.contains("revealed") && old.textContent === fresh.textContent;
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    if (name === "style")
      old.style.cssText = fresh.style.cssText; // the page's security policy forbids setting the attribute
    else old.setAttribute(name, value);
  }
  if (opened) old.classList.add("revealed");
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  after.forEach((child, index) => (index < before.length ? morph(before[index], child) : old.append(child)));
  before.slice(after.length).forEach((child) => child.remove());
  return old;
}
