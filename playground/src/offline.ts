/** The service worker: after one load, the page comes from the browser's cache, as the version that was loaded. */

/** Put in by the build: a name that changes with the files, and the files. */
declare const VERSION: string;
declare const FILES: string[];

const PREFIX = "wflint-playground-";
const NAME = PREFIX + VERSION;

interface Extendable extends Event {
  waitUntil: (what: Promise<unknown>) => void;
}
interface Fetching extends Extendable {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}

addEventListener("install", (event) => {
  const requests = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  (event as Extendable).waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)));
});

addEventListener("activate", (event) => {
  const old = async (): Promise<void> => {
    for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
  };
  (event as Extendable).waitUntil(old());
});

addEventListener("fetch", (event) => {
  const { request, respondWith } = event as Fetching;
  const folder = new URL("./", location.href).href;
  const address = request.url.split(/[?#]/)[0] ?? "";
  const name = address.slice(folder.length) || "index.html";
  // Other pages of the site are not kept.
  if (request.method !== "GET" || !address.startsWith(folder) || !FILES.includes(name)) return;
  const cached = async (): Promise<Response> => {
    const cache = await caches.open(NAME);
    return (await cache.match(name)) ?? fetch(request);
  };
  respondWith.call(event, cached());
});
