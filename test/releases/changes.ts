import type { Answer } from './answers.ts'

/*
 * How this version differs from released versions. When a migration renames a table, add the name here; the tests of
 * releases need no other change.
 */

/** Renamed tables: the name in a release → the name now. */
const RENAMED_TABLES: Record<string, string> = {}

/** Renamed commands, with their arguments: the words in a release → the words now. */
const RENAMED_COMMANDS: Record<string, string> = {}

/** Tables (by their names in a release) whose number of rows the migrations change. */
export const CHANGED_BY_MIGRATIONS = ['migrations']

/** The name that a table of a release has now. */
export function currentTable(name: string): string {
  return RENAMED_TABLES[name] ?? name
}

/** The question and answer that replace those of a release. Only a change that CHANGELOG.md announces may stand here. */
export function currentAnswer(answer: Answer): Answer {
  const question = answer.asker === 'command' ? (RENAMED_COMMANDS[answer.question] ?? answer.question) : answer.question
  return { ...answer, question }
}
