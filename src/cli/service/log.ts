import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '../../config.ts'
import { maskPhone } from '../../lib/phone.ts'

/**
 * The log of this process: short lines for a person, JSON lines for everything else. `service` writes to the standard
 * output, `command` to the error output, since the output of a command is its answer.
 */
export async function createLog(config: Pick<Config, 'LOG_LEVEL'>, kind: 'service' | 'command'): Promise<Logger> {
  const fd = kind === 'service' ? 1 : 2
  const is_terminal = (kind === 'service' ? process.stdout : process.stderr).isTTY === true
  const level = kind === 'command' && config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL
  if (is_terminal) return createLogger(level, await prettyStream(fd))
  const destination = pino.destination({ dest: fd, sync: false })
  // Whoever read our output has gone; that is no reason to stop.
  destination.on('error', () => {})
  return createLogger(level, destination)
}

/** A logger in which no phone number stands in clear, wherever in a line it comes from. */
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
 * With or without a plus sign (which a URL writes as %2B), E.164 numbers have 10 to 15 digits. Times in our logs are
 * texts, so hardly another number is as long; one that is gets masked, too.
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

/** One line as a person reads it; a request is its method, path, status and duration. */
export function describeLine({ time, level, msg, err: _err, ...rest }: Record<string, unknown>): string {
  const clock = new Date(String(time)).toLocaleTimeString('en-GB')
  const grade = level === 'info' ? '' : `${String(level).toUpperCase()} `
  if (msg === 'request') {
    const { method, path, status, duration_ms } = rest
    return `${clock} ${grade}${method} ${path} ${status} in ${duration_ms} ms`
  }
  const details = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [`${clock} ${grade}${msg}`, ...details].join(' ')
}
