/** The examples, which the build takes from the folder `examples/`, the broken ones first. */
export interface Example {
  id: string;
  title: string;
  /** What is above its story; by default the title. */
  headline?: string;
  /** What happens in it, or what is wrong with it, in a sentence or two. */
  story: string;
  /** The document in front. */
  open: string;
  files: Record<string, string>;
  /** The finding that is shown first, if there is a story about it. */
  finding?: { code: string; mended: { headline: string; story: string } };
}
