import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { decodeText } from '../../../lib/text/decode-text.ts'
import { readSettings as readLines } from '../../env-file.ts'
import { CommandError } from '../../errors.ts'

/** Outcome for a file: `same` existed with this content, `kept` existed with another. */
export type FileOutcome = 'written' | 'same' | 'kept' | 'replaced'

export interface NewFile {
  path: string
  text: string
  mode: number
}

/** File with its outcome. */
export interface PlacedFile {
  path: string
  outcome: FileOutcome
}

/**
 * Write a file. It gets its name when it is complete, so a killed process leaves no half of it. One that is there stays
 * as it is, unless `replace`: then it is kept beside the new one, as `<name>.old`, `<name>.old2` and so on.
 */
export function placeFile({ path, text, mode }: NewFile, replace: boolean): FileOutcome {
  const present = readIfThere(path)
  if (present === text) return 'same'
  if (present !== undefined && !replace) return 'kept'
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = `${path}.${randomBytes(4).toString('hex')}`
  writeFileSync(unfinished, text, { mode: 0o600, flush: true })
  chmodSync(unfinished, mode)
  if (present !== undefined) {
    // A copy first: at every instant there is a complete file under the name.
    linkSync(path, freeName(path))
    renameSync(unfinished, path)
    return 'replaced'
  }
  try {
    linkSync(unfinished, path)
    return 'written'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return 'kept'
  } finally {
    rmSync(unfinished)
  }
}

/** The content of a file; undefined if there is none. */
export function readIfThere(path: string): string | undefined {
  return existsSync(path) ? decodeText(readFileSync(path)) : undefined
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.old${number === 1 ? '' : number}`
    if (!existsSync(name)) return name
  }
}

/** The settings of a file; undefined if there is none. @throws WrongSetting for a file that the service would refuse */
export function readSettings(path: string): Record<string, string | undefined> | undefined {
  const text = readIfThere(path)
  return text === undefined ? undefined : Object.fromEntries(readLines(path, text))
}

/** A setting with the comment above it. One without a value is left out. */
export interface Setting {
  name: string
  value: string | null | undefined
  comment: string
}

/** The text of a file of settings. @throws CommandError for a value that such a file cannot hold */
export function settingsText(heading: string, settings: readonly Setting[]): string {
  const given = settings.flatMap(({ name, value, comment }) =>
    value === null || value === undefined ? [] : ['', `# ${comment}`, `${name}=${quoted(name, value)}`],
  )
  return `${[`# ${heading}`, ...given].join('\n')}\n`
}

function quoted(name: string, value: string): string {
  if (/^[\w./:@,+-]*$/.test(value)) return value
  // Double quotes would turn \n into a line break.
  const quote = ["'", '`'].find((one) => !value.includes(one))
  if (quote && !/[\r\n]/.test(value)) return `${quote}${value}${quote}`
  throw new CommandError(`The value of ${name} has characters that a file of settings cannot hold.`)
}

/** Describe the outcomes of the files in lines. */
export function describeFiles(files: readonly PlacedFile[]): string[] {
  const words: Record<FileOutcome, string> = {
    written: 'written',
    same: 'is there already',
    kept: 'is there already with another content, and stays (--replace writes it anew)',
    replaced: 'written anew; the earlier one is kept as .old',
  }
  return files.map(({ path, outcome }) => `  ${path}: ${words[outcome]}`)
}
