import { randomBytes } from 'node:crypto'
import { MIN_PASSWORD_LENGTH } from '../core/access/passwords.ts'
import { CommandError } from './errors.ts'
import type { Terminal } from './terminal.ts'

/** Generate a random password of 96 bits. */
export function generatePassword(): string {
  return randomBytes(12).toString('base64url')
}

/** Ask twice for a new password, or read it from the standard input. @throws CommandError */
export async function readNewPassword(terminal: Terminal): Promise<string> {
  const password = terminal.interactive
    ? await terminal.ask('New password: ', { secret: true })
    : (await terminal.read()).replace(/\r?\n$/, '')
  if (password.length < MIN_PASSWORD_LENGTH)
    throw new CommandError(`A password needs at least ${MIN_PASSWORD_LENGTH} characters.`)
  if (terminal.interactive && (await terminal.ask('New password again: ', { secret: true })) !== password)
    throw new CommandError('The two passwords differ. Nothing was changed.')
  return password
}
