/**
 * Replaces each placeholder with its value: `Hello {name}` with `{ name: 'Ada' }` is `Hello Ada`. There is one pass, so
 * a value that looks like a placeholder stays unchanged. A placeholder without a value stays too.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-z_]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name]! : whole,
  )
}
