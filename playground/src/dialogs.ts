/** Questions to the visitor, as dialogs of the browser that keep the focus and close with Escape. */
import { button, make } from "../../frontend/src/dom";

/** Shows a dialog, and returns the value of the button that closed it; empty if it was left. */
function ask(title: string, body: Node[], buttons: [value: string, label: string, isPrimary: boolean][], read: () => string = () => ""): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const heading = make("h2", { id: "dialog-title" }, title);
    const close = (value: string): void => {
      answer = value;
      dialog.close();
    };
    const form = make("form", { method: "dialog" }, heading, ...body);
    const row = make("div", { class: "buttons" });
    for (const [value, label, isPrimary] of buttons) {
      const element = button(label, { class: isPrimary ? "primary" : undefined, "data-answer": value }, () => close(value === "read" ? read() : value));
      row.append(element);
    }
    form.append(row);
    const dialog = make("dialog", { "aria-labelledby": "dialog-title" }, form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      row.querySelector<HTMLButtonElement>(".primary")?.click();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks for a path; empty if none was given. */
export async function askPath(title: string, value: string, problem: (path: string) => string | undefined): Promise<string> {
  const input = make("input", { type: "text", value, "aria-label": "Path", autocomplete: "off", spellcheck: "false", dir: "auto" });
  const why = make("p", { class: "problem", role: "alert" });
  for (;;) {
    const answer = await ask(title, [input, why], [["read", "Save", true], ["", "Cancel", false]], () => input.value.trim() || " ");
    if (answer === "") return "";
    const found = problem(answer.trim());
    if (found === undefined) return answer.trim();
    why.textContent = found;
  }
}

export const confirmed = async (title: string, text: string, label: string): Promise<boolean> =>
  (await ask(title, [make("p", {}, text)], [["yes", label, true], ["", "Cancel", false]])) === "yes";

export const tell = async (title: string, ...body: Node[]): Promise<void> => void (await ask(title, body, [["", "Close", true]]));
