import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileSettingName, secretSettingNames, WrongSetting } from '../config.ts'
import { decodeText } from '../lib/text/decode-text.ts'

type Environment = Record<string, string | undefined>

/** Name the file of settings. `off`: none is read. */
export const ENV_FILE_VARIABLE = 'KUSANYA_ENV_FILE'

const DEFAULT_FILE = '.env'

/** Environment with the settings of a file added, and notices about the file. */
export interface ExtendedEnvironment {
  environment: Environment
  warnings: string[]
}

/**
 * Add the settings of a file to the environment. A variable of the environment counts before the file, also an empty
 * one, and so does its other form: with SECRET_KEY in the environment, SECRET_KEY_FILE in the file has no effect.
 * @param options.file the file, instead of KUSANYA_ENV_FILE and of `.env`, which need not exist
 * @param options.folder the working directory, in which `.env` may be; null for none
 * @throws WrongSetting when the file cannot be read, with the number of the line that is wrong
 */
export function addEnvFile(
  environment: Environment,
  { file, folder }: { file?: string; folder: string | null },
): ExtendedEnvironment {
  const named = file ?? (environment[ENV_FILE_VARIABLE] || undefined)
  if (named === 'off' || (named === undefined && folder === null)) return { environment, warnings: [] }
  const path = resolve(folder ?? '.', named ?? DEFAULT_FILE)
  const text = readText(path, { optional: named === undefined })
  if (text === undefined) return { environment, warnings: [] }
  const settings = [...readSettings(path, text)].filter(([name]) => !isGiven(environment, name))
  const warning = findExposure(path, settings)
  return { environment: { ...Object.fromEntries(settings), ...environment }, warnings: warning ? [warning] : [] }
}

/** Return true if the environment has a variable in either form: the value or the file that holds it. */
function isGiven(environment: Environment, name: string): boolean {
  return formsOf(name).some((form) => environment[form] !== undefined)
}

function formsOf(name: string): string[] {
  const secret = secretSettingNames.find((one) => one === name || fileSettingName(one) === name)
  return secret ? [secret, fileSettingName(secret)] : [name]
}

/** Undefined for an optional file that does not exist, or that is a folder: Python keeps one under this name. */
function readText(path: string, { optional }: { optional: boolean }): string | undefined {
  try {
    return decodeText(readFileSync(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (optional && (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR')) return undefined
    const reason = { ENOENT: 'there is no such file', EACCES: 'this user may not read it', EISDIR: 'it is a folder' }
    throw new WrongSetting(
      `The file of settings ${path} cannot be read: ${reason[code as keyof typeof reason] ?? String(error)}.`,
    )
  }
}

const NAME = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=(.*)$/

/**
 * Read the settings of a file. Values in quotes may have several lines, and double quotes may have `\n`. Node's own
 * `parseEnv` is not used: where it drops a part of a value, or takes the next line for an empty one, it says nothing.
 * @throws WrongSetting with the number of the line and nothing of its contents, which may be secret
 */
export function readSettings(path: string, text: string): Map<string, string> {
  const lines = text.split(/\r?\n/)
  const settings = new Map<string, string>()
  const found = new Map<string, number>()
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!
    if (/^\s*(#|$)/.test(line)) continue
    const number = at + 1
    const fault = (reason: string) => new WrongSetting(`${path}, line ${number}: ${reason}.`)
    const [, name, rest] = NAME.exec(line) ?? []
    if (name === undefined || rest === undefined) throw fault('it must look like NAME=value')
    const earlier = found.get(name)
    if (earlier !== undefined) throw fault(`${name} is already on line ${earlier}`)
    found.set(name, number)
    const read = readValue(rest.trim(), lines.slice(number))
    if ('wrong' in read) throw fault(read.wrong(name))
    settings.set(name, read.value)
    at += read.more_lines
  }
  return settings
}

type ReadValue = { value: string; more_lines: number } | { wrong(name: string): string }

/** Read a value. @param next the lines after it, on which a value in quotes may go on */
function readValue(text: string, next: readonly string[]): ReadValue {
  const quote = /^["'`]/.exec(text)?.[0]
  if (quote === undefined) {
    const comment = text.indexOf('#')
    if (comment < 0) return { value: text, more_lines: 0 }
    if (/\S#/.test(text.slice(0, comment + 1)) || /^#\S/.test(text))
      return { wrong: (name) => `# begins a comment, so the value of ${name} needs quotes` }
    return { value: text.slice(0, comment).trimEnd(), more_lines: 0 }
  }
  const lines = [text.slice(1), ...next]
  const last = lines.findIndex((line) => line.includes(quote))
  if (last < 0) return { wrong: (name) => `the quote of ${name} does not end` }
  const end = lines[last]!.indexOf(quote)
  if (!/^\s*(#|$)/.test(lines[last]!.slice(end + 1)))
    return {
      wrong: (name) => `the value of ${name} goes on after its quote; a value with " needs '…', and one with ' "…"`,
    }
  const value = [...lines.slice(0, last), lines[last]!.slice(0, end)].join('\n')
  return { value: quote === '"' ? value.replaceAll('\\n', '\n') : value, more_lines: last }
}

/** A warning when other users of this machine can read or change secrets. Windows has no such permissions. */
function findExposure(path: string, settings: readonly [string, string][]): string | undefined {
  if (process.platform === 'win32' || (statSync(path).mode & 0o066) === 0) return undefined
  const secret = settings.filter(([name, value]) => SECRET_NAMES.includes(name) && value !== '').map(([name]) => name)
  if (secret.length === 0) return undefined
  return `Other users of this machine can read ${path}, which has ${secret.join(', ')}: run chmod 600 ${path}`
}

const SECRET_NAMES = [...secretSettingNames, 'KUSANYA_API_KEY']
