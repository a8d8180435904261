/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "warning", options: { methods: ["Request-"] } },
  create(context) {
    const { methods } = context.options;
    return {
      Provider(activity) {
        if (!methods.some((start) => String(activity.method).startsWith(start))) return;
        const siblings = context.parent(activity).activities;
        const next = siblings[siblings.indexOf(activity) + 1];
        if (next?.type === "Status") return;
        context.report({
          node: activity,
          message: `no status after \`${activity.name}\``,
          help: "publish a Status right after the request, so that the person who ordered knows",
        });
      },
    };
  },
};
