/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "warning", options: { words: ["TODO", "FIXME"] } },
  create(context) {
    const { words } = context.options;
    return {
      Activity(activity) {
        const word = words.find((word) => String(activity.name).includes(word));
        if (word === undefined) return;
        context.report({
          node: activity,
          key: "name",
          message: `unfinished activity \`${activity.name}\``,
          help: `finish it, then remove \`${word}\` from its name`,
        });
      },
    };
  },
};
