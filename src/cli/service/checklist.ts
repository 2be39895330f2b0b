import type { ChecklistItem } from '../../core/connections/checklist.ts'
import type { Terminal } from '../terminal.ts'

export { openChecklist } from '../../connections/go-live.ts'

/** Describe a checklist in lines, with advice for each open item. */
export function describeChecklist(terminal: Terminal, items: readonly ChecklistItem[]): string[] {
  const marks = { done: terminal.good('✓'), open: terminal.bad('✗'), advice: terminal.strong('!') }
  return items.flatMap(({ state, found, todo }) => [
    `${marks[state]} ${found}`,
    ...(todo === null ? [] : [`    ${terminal.faint(todo)}`]),
  ])
}
