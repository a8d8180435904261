/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "error", needs: ["flow"], options: { words: ["PersonalId", "Salary"] } },
  create(context) {
    const { words } = context.options;
    return {
      Variable(variable) {
        const word = words.find((word) => variable.name?.includes(word));
        if (word === undefined || context.masked(variable)) return;
        context.report({
          node: variable,
          message: `variable \`${variable.name}\` is not masked`,
          help: "set `shouldHide` and `hideAll` to `true`",
          fix: { title: "mask it", set: { shouldHide: true, hideAll: true } },
        });
      },
    };
  },
};
