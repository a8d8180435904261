/** The table of services: sorted by a column, filtered by a text. */
import { all, button, make, one } from "./dom";

/** A cell's `data-value`, else the percentage in it, else its text: numbers before words. */
export function sortKey(sort: string | undefined, text: string): number | string {
  const own = sort ?? /(\d+(?:\.\d+)?)\s*%/.exec(text)?.[1] ?? /^\s*(\d+)\b/.exec(text)?.[1] ?? text.trim();
  return own !== "" && Number.isFinite(Number(own)) ? Number(own) : own.toLowerCase();
}

export function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  if (typeof b === "number") return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

export function overview(): void {
  const rows = all(document, "[data-row]");
  const table = rows[0]?.closest("table");
  if (table) sortable(table);
  const input = one<HTMLInputElement>(document, 'input[data-search^="service"]');
  if (input) searchable(input, rows);
}

function sortable(table: HTMLTableElement): void {
  const [body] = Array.from(table.tBodies);
  const heads = all<HTMLTableCellElement>(table, "thead th");
  if (!body || body.rows.length < 2) return;
  heads.forEach((head, column) => {
    const press = (): void => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const keyed = Array.from(body.rows, (row) => {
        const cell = row.cells[column];
        return { row, key: sortKey(cell?.dataset["value"], cell?.textContent ?? "") };
      });
      keyed.sort((a, b) => compare(a.key, b.key) * (down ? -1 : 1));
      body.append(...keyed.map(({ row }) => row));
    };
    const sort = button("", {}, press);
    sort.append(...Array.from(head.childNodes));
    head.append(sort);
  });
}

/** A service fits if its row or its section has all the words. */
function searchable(input: HTMLInputElement, rows: readonly HTMLElement[]): void {
  const count = make("span", { class: "soft small", role: "status" });
  input.after(count);
  const texts = new Map<HTMLElement, string>();
  const textOf = (row: HTMLElement): string => {
    const known = texts.get(row);
    if (known !== undefined) return known;
    const section = document.getElementById(row.dataset["row"] ?? "");
    const text = `${row.textContent} ${section?.textContent ?? ""}`.toLowerCase();
    texts.set(row, text);
    return text;
  };
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    for (const row of rows) row.hidden = !wanted.every((word) => textOf(row).includes(word));
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = wanted.length === 0 ? "" : `${shown} of ${rows.length} services`;
  });
}
