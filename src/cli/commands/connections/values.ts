import { readFile, stat } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import type { AnyDriver } from '../../../drivers/contract.ts'
import { type SettingField, secretNames, settingFields } from '../../../drivers/settings.ts'
import { decodeText } from '../../../lib/text/decode-text.ts'
import { CommandError } from '../../errors.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, typed } from '../../typed.ts'

/** The options that give settings and secrets. */
export const VALUES = {
  settings: typed('--settings <file>', 'a JSON file with settings'),
  set: typed('--set <name=value>', 'one setting; may be repeated', collectPairs),
  secrets_stdin: typed('--secrets-stdin', 'read the secrets from the standard input: JSON, or lines with name=value'),
}

/** Parse an option that may be given several times: `name=value`. */
export function collectPairs(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must look like name=value.')
  return { ...earlier, [text.slice(0, at).trim()]: text.slice(at + 1) }
}

/**
 * Read the settings that the options name. Secrets come from the standard input or, in a terminal, from the person:
 * they would be seen by others on a command line. @throws CommandError
 * @param asked which secrets the person is asked for
 */
export async function readValues(
  terminal: Terminal,
  driver: AnyDriver,
  options: Partial<Given<typeof VALUES>>,
  asked: 'missing' | 'all' | 'none',
): Promise<Record<string, unknown>> {
  const secret_names = secretNames(driver)
  const exposed = Object.keys(options.set ?? {}).filter((name) => secret_names.includes(name))
  if (exposed.length > 0)
    throw new CommandError(
      `${exposed.join(', ')} is secret, and other programs can see a command line. Use --secrets-stdin, or a terminal.`,
    )
  const from_file =
    options.settings === undefined ? {} : await readSettingsFile(terminal, options.settings, secret_names)
  const given = { ...from_file, ...options.set }
  if (options.secrets_stdin) return { ...given, ...parseSecrets(await terminal.read()) }
  if (asked === 'none' || !terminal.interactive) return given
  return { ...given, ...(await askForSecrets(terminal, driver, given, asked)) }
}

async function readSettingsFile(
  terminal: Terminal,
  file: string,
  secret_names: readonly string[],
): Promise<Record<string, unknown>> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`The file ${file} cannot be read: ${error.code}.`)
  })
  const values = parseJsonObject(decodeText(bytes))
  if (!values) throw new CommandError(`The file ${file} must hold one JSON object, such as {"short_code": "600000"}.`)
  const secrets = Object.keys(values).filter((name) => secret_names.includes(name))
  const { mode } = await stat(file)
  if (secrets.length > 0 && (mode & 0o077) !== 0)
    terminal.warn(
      `The file ${file} holds secrets (${secrets.join(', ')}), and others can read it. Remove it, or run: chmod 600 ${file}`,
    )
  return values
}

/** @throws CommandError, which never repeats the text */
function parseSecrets(text: string): Record<string, unknown> {
  if (text.trim() === '') throw new CommandError('The standard input is empty. It must hold the secrets.')
  if (/^\s*\{/.test(text)) {
    const values = parseJsonObject(text)
    if (!values) throw new CommandError('The standard input is not a JSON object.')
    return values
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line, index) => {
      const at = line.indexOf('=')
      if (at < 1) throw new CommandError(`Line ${index + 1} of the standard input is not of the form name=value.`)
      return [line.slice(0, at).trim(), line.slice(at + 1)]
    }),
  )
}

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Ask for secrets without echo. A secret with several lines cannot be typed, and comes from the standard input. */
async function askForSecrets(
  terminal: Terminal,
  driver: AnyDriver,
  given: Record<string, unknown>,
  asked: 'missing' | 'all',
): Promise<Record<string, unknown>> {
  const fields = settingFields(driver).filter(
    ({ secret, name, kind }) => secret && given[name] === undefined && kind !== 'long-text',
  )
  const answers: Record<string, unknown> = {}
  for (const field of fields) {
    const answer = await terminal.ask(questionFor(field, asked), { secret: true })
    if (answer.trim() !== '') answers[field.name] = answer
  }
  return answers
}

function questionFor({ title, required }: SettingField, asked: 'missing' | 'all'): string {
  if (asked === 'all') return `${title} (Enter keeps it): `
  return required ? `${title}: ` : `${title} (Enter for none): `
}
