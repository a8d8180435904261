/** Begins: the panel as a document of its own, which says where its drawing is from. */
import { HttpSource } from "./http";
import { panel } from "./panel";
import { EditorSource } from "./vscode";

const host = document.getElementById("panel");
if (host) {
  host.setAttribute("role", "main");
  const { source, document = "" } = host.dataset;
  panel(host, source === "vscode" ? new EditorSource(document) : new HttpSource());
}
