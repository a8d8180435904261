/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "warning" },
  create(context) {
    const check = (fields) => {
      let optional;
      for (const field of Array.isArray(fields) ? fields : []) {
        if (field?.type === "FormSection" || field?.hidden) continue;
        if (!field?.required) {
          optional ??= field;
        } else if (optional) {
          context.report({
            node: field,
            message: `required field \`${field.name}\` comes after optional field \`${optional.name}\``,
            help: "move required fields to the top of their section",
            related: [{ node: optional, message: "optional field" }],
          });
        }
      }
    };
    return {
      Form(form) {
        check(form.fields);
      },
      FormSection(section) {
        check(section.fieldsViewModel?.fields);
      },
    };
  },
};
