/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "error", options: { hosts: ["sign.example.com"] } },
  create(context) {
    const { hosts } = context.options;
    return {
      Parameter(parameter) {
        const { kind, text } = context.value(parameter.value);
        const host = /^https?:\/\/([^\/:?#]+)/i.exec(kind === "static" ? text : "")?.[1];
        if (host === undefined || hosts.includes(host.toLowerCase())) return;
        const start = text.indexOf(host);
        context.report({
          node: parameter.value,
          key: "value",
          part: [start, start + host.length],
          message: `host \`${host}\` in \`${parameter.name}\` is not allowed`,
          help: `use one of ${hosts.join(", ")}, or add the host to \`[rule.ORG103]\``,
        });
      },
    };
  },
};
