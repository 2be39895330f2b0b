/**
 * Puts values in the place of their names: `Hello {name}` with `{ name: 'Ada' }` is `Hello Ada`. One pass, so a value that
 * itself looks like a placeholder stays as it is. A name without a value stays too.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-z_]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name]! : whole,
  )
}
