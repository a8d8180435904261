/** Activities of one version of a workflow in another. */

/** What activities are called, by pointer, in the order of the document. */
export type Titles = ReadonlyMap<string, string>;

/**
 * Finds activities of one version in another: at its place if it is still called so there, else at the nearest place
 * that is called so, else at its place.
 */
export function locator(before: Titles, after: Titles): (pointer: string) => string | undefined {
  const order = new Map(Array.from(before.keys(), (pointer, place) => [pointer, place]));
  const named = new Map<string, { pointer: string; place: number }[]>();
  Array.from(after).forEach(([pointer, title], place) => {
    const same = named.get(title) ?? [];
    same.push({ pointer, place });
    named.set(title, same);
  });
  return (pointer) => {
    const title = before.get(pointer);
    if (title === undefined || after.get(pointer) === title) return after.has(pointer) ? pointer : undefined;
    const place = order.get(pointer) ?? 0;
    const far = (it: { place: number }): number => Math.abs(it.place - place);
    const [nearest] = (named.get(title) ?? []).sort((a, b) => far(a) - far(b));
    return nearest?.pointer ?? (after.has(pointer) ? pointer : undefined);
  };
}
