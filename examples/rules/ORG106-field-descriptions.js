/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "warning" },
  create(context) {
    const isEmpty = (texts) => !Object.values(texts ?? {}).some((text) => String(text).trim() !== "");
    return {
      Field(field) {
        if (field.hidden || field.type === "FormSection" || !isEmpty(field.description)) return;
        context.report({
          node: field,
          message: `missing description of field \`${field.name}\``,
          help: "say in `description` what to enter",
        });
      },
    };
  },
};
