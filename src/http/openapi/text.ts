/** Depth to which the document is broken into lines: `components`, `schemas`, and each schema. */
const MAX_DEPTH = 3

/**
 * Writes the document as text for version control: each operation, schema, parameter and answer is a line. With a line for each value the file
 * would be twice as long.
 */
export function toText(value: unknown, depth = 0): string {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || depth === MAX_DEPTH)
    return JSON.stringify(value)
  const lines = Object.entries(value).flatMap(([name, part]) =>
    part === undefined ? [] : [`${' '.repeat(depth + 1)}${JSON.stringify(name)}:${toText(part, depth + 1)}`],
  )
  return `{\n${lines.join(',\n')}\n${' '.repeat(depth)}}`
}
