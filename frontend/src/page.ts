/** Begins: finds the data and the sections, and follows the address. What fails leaves the page as it was. */
import { parsePlace } from "./address";
import { emptyService, parseData } from "./data";
import { all, one } from "./dom";
import { overview } from "./overview";
import { Section } from "./section";

/** A part that fails takes no other part with it. */
function attempt<T>(part: () => T): T | undefined {
  try {
    return part();
  } catch (error) {
    console.error(error);
    return undefined;
  }
}

/** Large drawings for paper, which a browser with scripts has not read yet. They refer to the drawing, and hold no texts. */
function strips(): void {
  for (const unread of all(document, "noscript")) {
    unread.replaceWith(document.createRange().createContextualFragment(unread.textContent ?? ""));
  }
}

/** Everything is printed: nobody can open it on paper. */
function printing(): void {
  let opened: HTMLDetailsElement[] = [];
  matchMedia("print").addEventListener("change", strips);
  addEventListener("beforeprint", () => {
    strips();
    opened = all<HTMLDetailsElement>(document, "details:not([open])");
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    opened = [];
  });
}

function start(): void {
  for (const root of [document.documentElement, document.body]) {
    root.classList.remove("no-js");
    root.classList.add("js");
  }
  const services = parseData(one(document, "script#wflint-data")?.textContent ?? "");
  const sections: Section[] = [];
  for (const element of all(document, "section[data-service]")) {
    const name = element.dataset["service"] ?? "";
    // Without data, the drawing still moves, and the lists are searched.
    const service = services.find((it) => it.id === element.id) ?? emptyService(element.id, name);
    const section = attempt(() => new Section(element, service));
    if (section) sections.push(section);
  }
  attempt(overview);
  printing();
  const follow = (): void => {
    const place = parsePlace(location.hash, services);
    for (const section of sections) {
      if (place?.run !== undefined && place.service === section.id) section.open(place.run, place.step);
      else section.leave();
    }
  };
  // A link to another part of the page leaves a run open; the back button does not.
  let isLink = false;
  addEventListener("click", (event) => {
    isLink = event.target instanceof Element && event.target.closest("a[href^='#']") !== null;
    window.setTimeout(() => (isLink = false), 200);
  });
  addEventListener("popstate", () => {
    if (!isLink || parsePlace(location.hash, services)?.run !== undefined) attempt(follow);
  });
  attempt(follow);
}

start();
