/** @type {import("./wflint").Rule} */
export default {
  meta: { severity: "error", options: { types: ["ElectronicId"] } },
  create(context) {
    const { types } = context.options;
    return {
      SigningCase(signingCase) {
        const others = (signingCase.AllowedSignatureTypes ?? []).filter((type) => !types.includes(type));
        if (others.length === 0) return;
        context.report({
          node: signingCase,
          key: "AllowedSignatureTypes",
          message: `signature type ${others.map((type) => `\`${type}\``).join(", ")} is not allowed`,
          help: `allow only ${types.join(", ")}`,
          fix: {
            title: `allow only ${types.join(", ")}`,
            set: { AllowedSignatureTypes: types },
          },
        });
      },
    };
  },
};
