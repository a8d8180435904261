import { isPascalCase, pascalCase } from "./lib/names.js";

/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "warning" },
  create(context) {
    return {
      Variable(variable) {
        if (variable.isSystemVariable || isPascalCase(variable.name)) return;
        context.report({
          node: variable,
          key: "name",
          message: `variable \`${variable.name}\` is not in PascalCase`,
          help: `rename it to \`${pascalCase(variable.name)}\``,
        });
      },
    };
  },
};
