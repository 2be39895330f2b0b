import { run } from '../../src/cli/command-table.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

/** The output of a command, and its exit code. */
export interface CommandResult {
  code: number
  out: string
  err: string
}

/** The input of a command besides its arguments. */
export interface CommandInput {
  environment?: Record<string, string>
  /** The answers of a person in turn. Without it the terminal is not interactive. */
  answers?: string[]
  /** The standard input. */
  input?: string
  /** The working directory, whose `.env` is read; none unless given. */
  folder?: string
}

/** A connection takes longer to open than a command has work for. */
const FEW_CONNECTIONS = { DATABASE_CONNECTIONS: '2' }

/** Return a function that runs a command line in this process, as an operator would. */
export function openShell(environment: Record<string, string>) {
  return async function kusanya(args: string[], input: CommandInput = {}): Promise<CommandResult> {
    const out: string[] = []
    const err: string[] = []
    const answers = [...(input.answers ?? [])]
    const terminal: Terminal = {
      environment: { ...FEW_CONNECTIONS, ...environment, ...input.environment },
      folder: input.folder ?? null,
      interactive: input.answers !== undefined,
      print: (line = '') => out.push(line),
      warn: (line) => err.push(line),
      ask: async (question) => {
        const answer = answers.shift()
        if (answer === undefined) throw new Error(`The test has no answer to: ${question}`)
        return answer
      },
      read: async () => input.input ?? '',
      strong: (text) => text,
      faint: (text) => text,
      good: (text) => text,
      bad: (text) => text,
    }
    const code = await run(args, terminal)
    return { code, out: out.join('\n'), err: err.join('\n') }
  }
}
