/**
 * What `wflint report` writes about these documents: its data, which the player and "Try it" play, and its lists, which are
 * shown below. Its texts are escaped by the program; here they are read as a document of their own, in which nothing runs.
 */
import { all, one } from "../../frontend/src/dom";
import { parseData, type Run, type Service } from "../../frontend/src/data";
import type { Output } from "./machine";
import { problemOf } from "./program";

const FILE = "report.html";

/** The command that writes the page. */
export const command = (): string[] => ["report", "--quiet", "--title", "Playground", "--output", FILE, "."];

/** A service of the report. */
export interface Told {
  workflow: string;
  service: Service;
  /** The service as it stands in the page's data. */
  data: unknown;
  section: HTMLElement;
}

export class Report {
  /** The file, to be kept. */
  readonly html: string;
  readonly services: Told[];

  constructor(output: Output) {
    const html = output.files[FILE];
    if (output.code !== 0 || html === undefined) throw new Error(problemOf(output));
    this.html = html;
    // Without its head: the page's policy refuses the style in it.
    const page = new DOMParser().parseFromString(html.slice(html.indexOf("<body")), "text/html");
    const json = one(page, "script#wflint-data")?.textContent ?? "";
    const raw = new Map(rawServices(json).map((service) => [service.id, service]));
    const services = new Map(parseData(json).map((service) => [service.id, service]));
    this.services = all(page, "section[data-service]").flatMap((section) => {
      const service = services.get(section.id);
      // The header names the documents: the workflow, and the order form behind a comma.
      const files = one(section, ":scope > header > span")?.textContent ?? "";
      return service ? [{ workflow: files, service, data: raw.get(section.id), section }] : [];
    });
  }

  /** The service of a workflow. */
  of(workflow: string): Told | undefined {
    return this.services.find((it) => it.workflow === workflow || it.workflow.startsWith(`${workflow}, `));
  }
}

function rawServices(json: string): { id: string }[] {
  try {
    const value = JSON.parse(json) as { services?: { id: string }[] };
    return value.services ?? [];
  } catch {
    return [];
  }
}

/** The run that shows a finding: one that is played to no end, or to a fault, at the activity of the finding. */
export function runAt(service: Service, pointer: string): Run | undefined {
  const ends = service.runs.filter((run) => run.kind === "end" && ["endless", "failed"].includes(run.outcome));
  const depth = (run: Run): number => {
    const place = lastPlace(service, run);
    return place !== undefined && (pointer === place || pointer.startsWith(`${place}/`)) ? place.length : -1;
  };
  return ends.filter((run) => depth(run) >= 0).sort((a, b) => depth(b) - depth(a))[0];
}

/** Where a run stays, or ended. */
function lastPlace(service: Service, run: Run): string | undefined {
  const events = run.events;
  const closing = events.filter((event) => event.kind === "back").pop() ?? events.filter((event) => event.activity !== undefined).pop();
  return service.activities[closing?.activity ?? -1]?.pointer;
}
