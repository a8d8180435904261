/** Begins: the panel as a document of its own, which says where its drawing is from. */
import { HttpSource } from "./http";
import { panel } from "./panel";
import { EditorSource } from "./vscode";

const host = document.getElementById("panel");
if (host) panel(host, host.dataset["source"] === "vscode" ? new EditorSource() : new HttpSource());
