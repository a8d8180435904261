/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "error", options: { methods: ["Request-ZPESignDocumentSignature"] } },
  create(context) {
    const { methods } = context.options;
    return {
      Provider(activity) {
        if (!methods.includes(activity.method)) return;
        context.report({
          node: activity,
          key: "method",
          message: `forbidden method \`${activity.method}\``,
          help: "ask the platform team for another one",
        });
      },
    };
  },
};
