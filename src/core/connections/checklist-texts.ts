import checklistTexts from '../../lib/messages/checklist/en.json' with { type: 'json' }

type FindingTexts = typeof checklistTexts.found
export type ChecklistName = keyof FindingTexts
/** Variant of an item's sentence. */
export type ChecklistVariant<Name extends ChecklistName = ChecklistName> = Name extends ChecklistName
  ? WithoutPlural<keyof FindingTexts[Name]>
  : never
type WithoutPlural<Key> = Key extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : Key

/** Values that a sentence names. The reader joins a list, in the order and with the words of a language. */
export type ChecklistValues = Record<string, string | number | readonly (string | number)[]>

/** Maximum number of list entries named. */
export const MAX_NAMED = 5

/** Writes the sentence of a finding in English. */
export function writeFound(name: ChecklistName, variant: string, values: ChecklistValues): string {
  const texts: Record<string, string> = checklistTexts.found[name]
  const text = texts[variant] ?? texts[`${variant}_${values.count === 1 ? 'one' : 'other'}`]!
  return fill(text, values)
}

/** Writes the task in English. */
export function writeTodo(name: string, [first, second]: readonly string[]): string {
  const texts: Record<string, string> = checklistTexts.todo
  const plain = second === undefined ? '{{first}}' : checklistTexts.steps
  return fill(texts[name] ?? plain, { ...(first && { first }), ...(second && { second }) })
}

function fill(text: string, values: ChecklistValues): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]!
    return typeof value === 'object' ? list(value) : String(value)
  })
}

function list(names: readonly (string | number)[]): string {
  const more = names.length - MAX_NAMED
  const named = names.slice(0, MAX_NAMED).join(', ')
  return more > 0 ? `${named} and ${fill(checklistTexts.more_other, { count: more })}` : named
}
