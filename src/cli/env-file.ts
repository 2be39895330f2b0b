import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { fileSettingName, secretSettingNames, WrongSetting } from '../config.ts'

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
  checkLines(path, text)
  const settings = Object.entries(parseEnv(text)).filter(([name]) => !isGiven(environment, name))
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
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
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
 * Refuse lines that Node would pass over in silence. Values in quotes may have several lines, as for Node.
 * @throws WrongSetting with the number of the line and nothing of its contents, which may be secret
 */
function checkLines(path: string, text: string): void {
  const lines = text.split(/\r?\n/)
  const seen = new Map<string, number>()
  const fault = (number: number, reason: string) => new WrongSetting(`${path}, line ${number}: ${reason}.`)
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!
    if (/^\s*(#|$)/.test(line)) continue
    const number = at + 1
    const [, name, rest] = NAME.exec(line) ?? []
    if (name === undefined || rest === undefined) throw fault(number, 'it must look like NAME=value')
    const value = rest.trimStart()
    const earlier = seen.get(name)
    if (earlier !== undefined) throw fault(number, `${name} is already on line ${earlier}`)
    seen.set(name, number)
    if (/^[^"'`\s#]\S*#|^#\S/.test(value))
      throw fault(number, `# begins a comment, so the value of ${name} needs quotes`)
    const end = endOfValue(lines, at, value)
    if (end === undefined) throw fault(number, `the quote of ${name} does not end`)
    at = end
  }
}

/** The index of the line on which a value ends; undefined when its quote does not end. */
function endOfValue(lines: readonly string[], start: number, value: string): number | undefined {
  const quote = /^["'`]/.exec(value)?.[0]
  if (quote === undefined || value.indexOf(quote, 1) > 0) return start
  const end = lines.findIndex((line, at) => at > start && line.includes(quote))
  return end < 0 ? undefined : end
}

/** A warning when other users of this machine can read or change secrets. Windows has no such permissions. */
function findExposure(path: string, settings: readonly [string, string | undefined][]): string | undefined {
  if (process.platform === 'win32' || (statSync(path).mode & 0o066) === 0) return undefined
  const secret = settings.filter(([name, value]) => SECRET_NAMES.includes(name) && value !== '').map(([name]) => name)
  if (secret.length === 0) return undefined
  return `Other users of this machine can read ${path}, which has ${secret.join(', ')}: run chmod 600 ${path}`
}

const SECRET_NAMES = [...secretSettingNames, 'KUSANYA_API_KEY']
