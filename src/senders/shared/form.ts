/*
 * Forms, as browsers encode them.
 */

/** Write the fields that have a value, in their order. A blank is `+`. */
export function writeForm(fields: Readonly<Record<string, string | number | undefined>>): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value))
  return form.toString()
}

/** Read a form. A field that comes twice has its first value. */
export function readForm(text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) fields[name] ??= value
  return fields
}

/** The header of HTTP Basic authentication. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
