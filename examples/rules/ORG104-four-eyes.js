/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "error", needs: ["flow"] },
  create(context) {
    const fields = new Map();
    return {
      Service(service) {
        for (const variable of service.workflows.flatMap((workflow) => workflow.variables ?? [])) {
          const field = context.writers(variable).find((writer) => writer.boundTo === variable.name);
          if (field) fields.set(variable.name, field);
        }
      },
      Approval(activity) {
        for (const assignee of activity.assignees ?? []) {
          const { variable } = context.value(assignee.parameter);
          const field = fields.get(variable);
          if (!field) continue;
          context.report({
            node: assignee.parameter,
            key: "boundTo",
            message: `whoever orders chooses who approves, field \`${field.name}\` fills \`${variable}\``,
            help: "ask somebody whom the directory names, such as the manager",
            related: [{ node: field, message: "filled here" }],
          });
        }
      },
    };
  },
};
