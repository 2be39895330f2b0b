import { readFileSync } from 'node:fs'
import { WrongSetting } from './wrong-setting.ts'

/** Maximum size of a secret's file. Beyond this the setting names the wrong file. */
const MAX_BYTES = 64 * 1_024

/**
 * Reads a secret from a file, as containers and secret stores provide it. One line end at the end of the file does not count.
 * @param setting the setting that names the file, for errors
 * @throws WrongSetting that names the setting and the file, and nothing of its contents
 */
export function readSecretFile(setting: string, file: string): string {
  const fault = (text: string) => new WrongSetting(`The setting ${setting}=${file} is wrong: ${text}.`)
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw fault(REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? `the file cannot be read (${String(error)})`)
  }
  if (bytes.length > MAX_BYTES) throw fault('the file has more than 64 kB')
  const secret = decode(bytes)?.replace(/\r?\n$/, '')
  if (secret === undefined || secret.includes('\0')) throw fault('the file is not a text in UTF-8')
  if (secret.trim() === '') throw fault('the file is empty')
  return secret
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read the file',
  EISDIR: 'this is a folder',
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
