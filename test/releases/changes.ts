import type { Answer, Asker } from './answers.ts'

/*
 * Differences of this version from released ones. When a migration renames a table, or an answer changes on purpose,
 * say it here. The tests of releases need no other change.
 */

/** Renamed tables: the name in a release → the name now. */
const RENAMED_TABLES: Record<string, string> = {}

/** Changed answers, by their question: objects of the answer in a release → the same objects now. */
const CHANGED_OBJECTS: readonly {
  asker: Asker
  question: RegExp
  change(object: Record<string, unknown>): Record<string, unknown>
}[] = []

/** Tables (by their names in a release) whose number of rows the migrations change. */
export const CHANGED_BY_MIGRATIONS = ['migrations']

/** The name that a table of a release has now. */
export function currentTable(name: string): string {
  return RENAMED_TABLES[name] ?? name
}

/** Return the answer that replaces a release's. Only a change that CHANGELOG.md announces may stand here. */
export function currentAnswer({ asker, question, answer }: Answer): Answer {
  const changes = CHANGED_OBJECTS.filter((one) => one.asker === asker && one.question.test(question))
  const changed = JSON.parse(JSON.stringify(answer), (_name, value) =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : changes.reduce((object, { change }) => change(object), value),
  )
  return { asker, question, answer: changed }
}
