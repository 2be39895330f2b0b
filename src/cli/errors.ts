import { CommanderError } from 'commander'
import { WrongSetting } from '../config.ts'
import { Refusal } from '../core/refusals.ts'
import { isInterrupted } from '../db/embedded/interruption.ts'
import { isConnectionError, isTimeLimitError, UnsuitableDatabase } from '../db/failures.ts'
import { WrongKey } from '../lib/secrets.ts'
import { type Terminal, Unanswered } from './terminal.ts'

/** A command failed. The message is the line that the person reads. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** A child process failed and printed why. This process ends with the same exit code. */
export class ChildProcessFailed extends Error {
  readonly code: number
  constructor(code: number) {
    super(`A process ended with exit code ${code}.`)
    this.code = code
  }
}

/** Print an error in one line, and its stack when LOG_LEVEL is debug or trace. Returns the exit code. */
export function reportError(error: unknown, terminal: Terminal): number {
  // The person, or the end of a pipe, has ended the command, and its work breaks off anywhere.
  if (isInterrupted()) return 1
  // Commander has already printed the error or the help.
  if (error instanceof CommanderError) return error.exitCode
  if (error instanceof ChildProcessFailed) return error.code
  terminal.warn(describe(error))
  const is_debugging = ['debug', 'trace'].includes(terminal.environment.LOG_LEVEL ?? '')
  if (is_debugging && error instanceof Error) terminal.warn(error.stack ?? '')
  return 1
}

/** Errors whose message is written for people. Those known by name are in modules too large to load here. */
const USER_ERRORS = [Refusal, WrongSetting, WrongKey, CommandError, UnsuitableDatabase, Unanswered]
const USER_ERROR_NAMES = new Set(['NoNetwork', 'NotPossible', 'WrongStatement'])

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code === 'EADDRINUSE')
    return `The address ${address}:${port} is in use. Set PORT to another port, or stop the program that uses it.`
  if (code === 'EACCES' && port) return `The port ${port} is not open to this user. Set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL')
    return `The address ${address} does not belong to this machine. Set HOST to one that does.`
  if (USER_ERRORS.some((type) => error instanceof type) || USER_ERROR_NAMES.has(error.constructor.name))
    return toOneLine(error)
  if (isConnectionError(error) || isLoginError(code))
    return `The database cannot be reached (DATABASE_URL): ${toOneLine(error)}`
  if (isTimeLimitError(error)) return `The database took too long: ${toOneLine(error)}`
  return `${toOneLine(error)} (LOG_LEVEL=debug shows where)`
}

/** PostgreSQL's error classes 28 (wrong user or password) and 3D (no such database). */
function isLoginError(code: string | undefined): boolean {
  return /^(28|3D)[0-9A-Z]{3}$/.test(code ?? '')
}

/** Join a message to one line. Some contain the end of a log; its first and last lines carry the information. */
function toOneLine(error: Error): string {
  const lines = error.message.trim().split('\n')
  return lines.length < 2 ? lines[0]! || error.name : `${lines[0]} ${lines.at(-1)}`
}
