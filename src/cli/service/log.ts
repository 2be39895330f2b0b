import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '../../config.ts'
import type { LogEventName } from '../../lib/log-events.ts'
import { maskPhone } from '../../lib/phone.ts'
import { showControls, showControlsInJson } from '../../lib/text/controls.ts'

/**
 * Create the log of this process: short lines in a terminal, JSON lines elsewhere. `service` writes to the standard
 * output; `command` writes to the error output, because its standard output is for results.
 */
export async function createLog(config: Pick<Config, 'LOG_LEVEL'>, kind: 'service' | 'command'): Promise<Logger> {
  const fd = kind === 'service' ? 1 : 2
  const is_terminal = (kind === 'service' ? process.stdout : process.stderr).isTTY === true
  const level = kind === 'command' && config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL
  if (is_terminal) return createLogger(level, await prettyStream(fd))
  const destination = pino.destination({ dest: fd, sync: false })
  // The program that reads our output may have ended. The service goes on without a log.
  destination.on('error', () => {})
  return createLogger(level, destination)
}

/** Create a logger that masks phone numbers and escapes terminal control characters anywhere in a line. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
      hooks: { streamWrite: (line) => showControlsInJson(maskPhones(line)) },
    },
    destination,
  )
}

/**
 * E.164 numbers have 10 to 15 digits, with or without a plus sign (which a URL writes as %2B). Other numbers in our log are
 * shorter, because times are texts. A longer one is masked too.
 */
const PHONES = /(?<=\+|%2B|(?<![\w.-]))[1-9]\d{9,14}(?!\w)/gi

function maskPhones(line: string): string {
  return line.replace(PHONES, (digits) => maskPhone(`+${digits}`).slice(1))
}

async function prettyStream(destination: number): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    destination,
    sync: true,
    colorize: process.stdout.hasColors?.() ?? false,
    ignore: 'time,level',
    hideObject: true,
    messageFormat: (line) => describeLine(line),
  })
}

/**
 * Format a log line for a person. An answered request is its method, path, status and duration. Every other event is
 * its message, its error's message, and the other fields.
 */
export function describeLine({ time, level, event, msg, error, ...fields }: Record<string, unknown>): string {
  const clock = new Date(String(time)).toLocaleTimeString('en-GB')
  const prefix = level === 'info' ? clock : `${clock} ${String(level).toUpperCase()}`
  if (event === REQUEST_EVENT) {
    const { method, path, status, duration_ms } = fields
    return showControls(`${prefix} ${method} ${path} ${status} in ${duration_ms} ms`)
  }
  const text = error === undefined ? msg : `${msg}: ${describeError(error)}`
  const details = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return showControls([`${prefix} ${text}`, ...details].join(' '))
}

const REQUEST_EVENT: LogEventName = 'request_answered'

/** Return the message, or the code or type of an error without one, such as a refused connection. */
function describeError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message, code, type } = error as { message?: string; code?: string; type?: string }
  const lines = (message || code || type || 'unknown error').split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}
