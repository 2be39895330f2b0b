import { MAX_NAMED } from '../../../src/core/connections/checklist-texts.ts'
import { findText, locale, t } from '../../texts/index.ts'
import type { Checklist } from '../../wire.ts'

type Item = Checklist['items'][number]

/**
 * Describe a finding with its advice, in the reader's language. An item or variant that the catalogue lacks is shown in
 * the service's words.
 */
export function describeItem({
  name,
  variant,
  values,
  commands,
  found,
  todo,
}: Omit<Item, 'objects'>): Pick<Item, 'found' | 'todo'> {
  const named = Object.entries(values).map(([key, value]) => [key, formatValue(value)] as const)
  const words = findText(`checklist.found.${name}.${variant}`, Object.fromEntries(named))
  if (words === undefined) return { found, todo }
  return { found: words, todo: todo === null ? null : describeTodo(name, commands, todo) }
}

/** Translate the advice. A command is the same in every language; the text around it is not. */
function describeTodo(name: string, [first = '', second = '']: readonly string[], todo: string): string {
  const said = findText(`checklist.todo.${name}`, { first, second })
  return said ?? (second === '' ? todo : t('checklist.steps', { first, second }))
}

function formatValue(value: Item['values'][string]): string | number {
  if (typeof value !== 'object') return value
  const names = value.slice(0, MAX_NAMED).map(String)
  const more = value.length - names.length
  return new Intl.ListFormat(locale).format(more > 0 ? [...names, t('checklist.more', { count: more })] : names)
}
