/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "info", options: { max: 50 } },
  create(context) {
    const { max } = context.options;
    let activities = 0;
    return {
      Workflow() {
        activities = 0;
      },
      Activity() {
        activities += 1;
      },
      "Workflow:exit"(workflow) {
        if (activities <= max) return;
        context.report({
          node: workflow,
          key: "activities",
          message: `workflow has ${activities} activities, more than ${max}`,
          help: "split it into several services",
        });
      },
    };
  },
};
