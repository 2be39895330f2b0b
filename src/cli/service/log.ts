import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '../../config.ts'
import { maskPhone } from '../../lib/phone.ts'

/**
 * Creates the log of this process: short lines in a terminal, JSON lines elsewhere. `service` writes to the standard
 * output, `command` to the error output, because the standard output of a command is its result.
 */
export async function createLog(config: Pick<Config, 'LOG_LEVEL'>, kind: 'service' | 'command'): Promise<Logger> {
  const fd = kind === 'service' ? 1 : 2
  const is_terminal = (kind === 'service' ? process.stdout : process.stderr).isTTY === true
  const level = kind === 'command' && config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL
  if (is_terminal) return createLogger(level, await prettyStream(fd))
  const destination = pino.destination({ dest: fd, sync: false })
  // A closed output is no reason to stop.
  destination.on('error', () => {})
  return createLogger(level, destination)
}

/** Creates a logger that masks phone numbers anywhere in a line. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
      hooks: { streamWrite: maskPhones },
    },
    destination,
  )
}

/**
 * E.164 numbers have 10 to 15 digits, with or without a plus sign (which a URL writes as %2B). Times in our logs are ISO
 * text, so other numbers are rarely as long; those that are get masked too.
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

/** Formats a log line for a terminal. A request shows its method, path, status and duration. */
export function describeLine({ time, level, msg, err: _err, ...fields }: Record<string, unknown>): string {
  const clock = new Date(String(time)).toLocaleTimeString('en-GB')
  const prefix = level === 'info' ? '' : `${String(level).toUpperCase()} `
  if (msg === 'request') {
    const { method, path, status, duration_ms } = fields
    return `${clock} ${prefix}${method} ${path} ${status} in ${duration_ms} ms`
  }
  const details = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [`${clock} ${prefix}${msg}`, ...details].join(' ')
}
