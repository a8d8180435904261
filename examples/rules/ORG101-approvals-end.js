/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "error", options: { days: 5 } },
  create(context) {
    const { days } = context.options;
    return {
      Approval(activity) {
        const { number } = context.value(activity.timeout);
        if (number > 0 && number <= days * 86400) return;
        context.report({
          node: activity,
          key: "timeout",
          message: `approval \`${activity.name}\` may stay open for more than ${days} days`,
          help: `set \`timeout\` to at most ${days * 86400} seconds`,
          fix: {
            title: `set \`timeout\` to ${days} days`,
            set: { timeout: { ...activity.timeout, isBound: false, value: days * 86400 } },
          },
        });
      },
    };
  },
};
