/** Questions to the visitor, as dialogs of the browser that keep the focus and close with Escape. */
import { button, make } from "../../frontend/src/dom";

interface Button {
  label: string;
  answer: () => string;
  isPrimary?: boolean;
}

const answer = (label: string, text: string, isPrimary = false): Button => ({ label, answer: () => text, isPrimary });

/** Shows a dialog, and returns the answer of the button that closed it; empty if it was left. */
function ask(title: string, body: Node[], buttons: readonly Button[]): Promise<string> {
  return new Promise((resolve) => {
    let answered = "";
    const heading = make("h2", { id: "dialog-title" }, title);
    const form = make("form", { method: "dialog" }, heading, ...body);
    const row = make("div", { class: "buttons" });
    for (const { label, answer, isPrimary } of buttons) {
      const attributes = { class: isPrimary ? "primary" : undefined, "data-answer": label };
      row.append(button(label, attributes, () => {
        answered = answer();
        dialog.close();
      }));
    }
    form.append(row);
    const dialog = make("dialog", { "aria-labelledby": "dialog-title" }, form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      row.querySelector<HTMLButtonElement>(".primary")?.click();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answered);
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
    // A blank is an answer, which is refused with a reason.
    const save = { label: "Save", answer: () => input.value.trim() || " ", isPrimary: true };
    const path = await ask(title, [input, why], [save, answer("Cancel", "")]);
    const found = path === "" ? undefined : problem(path.trim());
    if (found === undefined) return path;
    why.textContent = found;
  }
}

export const confirmed = async (title: string, text: string, label: string): Promise<boolean> =>
  (await ask(title, [make("p", {}, text)], [answer(label, "yes", true), answer("Cancel", "")])) === "yes";

export const tell = async (title: string, ...body: Node[]): Promise<void> => void (await ask(title, body, [answer("Close", "", true)]));
