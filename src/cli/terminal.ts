import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { interrupt, isInterrupted } from '../db/embedded/interruption.ts'
import { showControlsInLines } from '../lib/text/controls.ts'
import { decodeText } from '../lib/text/decode-text.ts'

/** The environment of a command: its settings, and the person or program that called it. */
export interface Terminal {
  environment: Record<string, string | undefined>
  /** The working directory, whose `.env` is read; null if none may be read. */
  folder: string | null
  /** True if a person can answer questions. */
  interactive: boolean
  /** Write a line of the result to the standard output. */
  print(line?: string): void
  /** Write a line to the error output: errors and notes. */
  warn(line: string): void
  /** Ask the person. A secret answer is not shown while it is typed. */
  ask(question: string, options?: { secret?: boolean }): Promise<string>
  /** Read the whole standard input. */
  read(): Promise<string>
  /** Bold in a terminal with colours, plain text elsewhere (pipes, NO_COLOR). */
  strong(text: string): string
  faint(text: string): string
  /** The colours of success and failure. */
  good(text: string): string
  bad(text: string): string
}

/** The person has ended the command instead of answering. */
export class Unanswered extends Error {
  constructor() {
    super('The question was not answered, so the command has ended.')
  }
}

/** The terminal or the pipes of this process. */
export function processTerminal(): Terminal {
  process.stdout.on('error', exitOnClosedPipe)
  const colors = process.stdout.isTTY === true && process.stdout.hasColors()
  const show = openScreen()
  return {
    environment: process.env,
    folder: process.cwd(),
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    print: (line = '') => process.stdout.write(`${show.lines(line)}\n`),
    warn: (line) => process.stderr.write(`${show.lines(line)}\n`),
    ask: (question, options) => askUser(show.lines(question), options),
    async read() {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(chunk)
      return decodeText(Buffer.concat(chunks))
    },
    strong: colors ? (text) => show.style('bold', text) : (text) => text,
    faint: colors ? (text) => show.style('dim', text) : (text) => text,
    good: colors ? (text) => show.style('green', text) : (text) => text,
    bad: colors ? (text) => show.style('red', text) : (text) => text,
  }
}

type Style = 'bold' | 'dim' | 'green' | 'red'

/**
 * Open the screen, through which all output of a command goes. It contains texts of customers and tenants, so terminal
 * control characters are shown by their codes. Our own styles travel as marks that nobody can guess.
 */
function openScreen() {
  const mark = `\ufdd0${randomBytes(8).toString('hex')}`
  const styled = (style: Style) => styleText(style, '\0', { validateStream: false }).split('\0')
  const marks = (['bold', 'dim', 'green', 'red'] as const).flatMap((style) =>
    styled(style).map((sequence, index) => [`${mark} ${style} ${index}\ufdd1`, sequence] as const),
  )
  return {
    style: (style: Style, text: string) => `${mark} ${style} 0\ufdd1${text}${mark} ${style} 1\ufdd1`,
    lines(text: string): string {
      const shown = showControlsInLines(text)
      return shown.includes(mark)
        ? marks.reduce((all, [name, sequence]) => all.replaceAll(name, sequence), shown)
        : shown
    },
  }
}

/** A reader such as `head` closes the pipe when it has enough. The process then ends in good order, without an error. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  if (!isInterrupted()) void interrupt().finally(() => process.exit(0))
}

/**
 * Ask on the terminal. Readline takes over the terminal before the question shows, so a Ctrl-C that answers it ends the
 * question and not the process. Readline writes the question itself, because it clears the line that it writes on.
 */
async function askUser(question: string, { secret = false } = {}): Promise<string> {
  // Readline echoes the typed text to its output, so a secret gets an output that drops it.
  const output = secret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stdout
  const readline = createInterface({ input: process.stdin, output, terminal: true })
  // Ctrl-C and Ctrl-D close it, and the question would then wait for ever.
  const interrupted = new Promise<never>((_, reject) => readline.once('close', () => reject(new Unanswered())))
  if (secret) process.stdout.write(question)
  try {
    return await Promise.race([readline.question(secret ? '' : question), interrupted])
  } finally {
    readline.close()
    if (secret) process.stdout.write('\n')
  }
}
