/** Whether a name is in PascalCase: `DocumentName`, `Email2`. */
export function isPascalCase(name) {
  return /^[A-Z][A-Za-z0-9]*$/.test(name);
}

/** The nearest name in PascalCase: `document name` becomes `DocumentName`. */
export function pascalCase(name) {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word[0].toUpperCase() + word.slice(1)).join("");
}
