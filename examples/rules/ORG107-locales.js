/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "warning" },
  create(context) {
    const wanted = context.settings.locales ?? ["en-US"];
    return {
      Field(field) {
        const missing = wanted.filter((locale) => !field.displayName?.[locale]);
        if (field.hidden || missing.length === 0) return;
        context.report({
          node: field,
          key: "displayName",
          message: `missing label of field \`${field.name}\` in ${missing.join(", ")}`,
          help: "translate `displayName`",
        });
      },
    };
  },
};
