// The documents of a service as frozen objects. They are made when somebody asks for them, in pieces: a piece is an activity
// or a workflow without the activities in it, or any other document as a whole. `host` has the documents, whose values it
// numbers.
(host) => {
  "use strict";
  // For each document, its objects that were asked for, by their numbers.
  let objects;
  // Where an object is: the document and the number of a piece; else the object around it, and the key there.
  let places;
  let service;

  const isObject = (value) => typeof value === "object" && value !== null;

  // Notes and freezes what is in an object.
  const adopt = (object) => {
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (!isObject(value)) continue;
      places.set(value, { around: object, key });
      adopt(value);
      Object.freeze(value);
    }
  };

  const pieceOf = (document, id) => {
    const known = objects[document].get(id);
    if (known !== undefined) return known;
    const piece = host.parse(document, id);
    objects[document].set(id, piece);
    places.set(piece, { document, id });
    adopt(piece);
    // The host leaves these out, unless they are not an array.
    const activities = host.activities(document, id);
    if (activities >= 0) defineActivities(piece, document, activities);
    return Object.freeze(piece);
  };

  const defineActivities = (piece, document, list) => {
    let made;
    const get = () => {
      if (made !== undefined) return made;
      const item = (id) => (host.isObject(document, id) ? pieceOf(document, id) : host.parse(document, id));
      made = host.items(document, list).map(item);
      places.set(made, { around: piece, key: "activities" });
      for (const [index, value] of made.entries()) {
        if (!isObject(value) || places.has(value)) continue;
        places.set(value, { around: made, key: String(index) });
        adopt(value);
        Object.freeze(value);
      }
      return Object.freeze(made);
    };
    Object.defineProperty(piece, "activities", { get: Object.freeze(get), set: undefined });
  };

  // The object of a number.
  const objectOf = (document, id) => {
    const known = objects[document].get(id);
    if (known !== undefined) return known;
    const [piece, keys] = host.path(document, id);
    let object = pieceOf(document, piece);
    for (const key of keys) object = object[key];
    objects[document].set(id, object);
    return object;
  };

  // Document and number of an object or array; undefined if no document has it.
  const placeOf = (node) => {
    const keys = [];
    let place = isObject(node) ? places.get(node) : undefined;
    while (place !== undefined && place.around !== undefined) {
      keys.push(place.key);
      place = places.get(place.around);
    }
    if (place === undefined) return undefined;
    const id = keys.reduceRight((id, key) => host.child(place.document, id, key), place.id);
    return { document: place.document, id };
  };

  // The objects around a place that visitors can get, from the nearest to the service.
  const around = ({ document, id }) => [...host.around(document, id).map((id) => objectOf(document, id)), service];

  // `kinds` has the kind of each document, in the order of visits.
  const start = (name, kinds) => {
    objects = kinds.map(() => new Map());
    places = new Map();
    const made = {};
    const listOf = (kind) => {
      const get = () => {
        const own = () => [...kinds.keys()].filter((document) => kinds[document] === kind);
        made[kind] ??= Object.freeze(own().map((document) => objectOf(document, host.root(document))));
        return made[kind];
      };
      return { get: Object.freeze(get), enumerable: true };
    };
    service = Object.create(Object.prototype, {
      name: { value: name, enumerable: true },
      workflows: listOf("workflow"),
      forms: listOf("form"),
      cases: listOf("signing-case"),
    });
    Object.freeze(service);
  };

  return { start, objectOf, placeOf, around, service: () => service };
}
