import { run } from '../../src/cli/command-table.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

/** What a command wrote, and the exit code of its process. */
export interface CommandResult {
  code: number
  out: string
  err: string
}

/** What a test gives to a command besides its arguments. */
export interface CommandInput {
  environment?: Record<string, string>
  /** What a person answers, in turn. Without it nobody sits there. */
  answers?: string[]
  /** What is piped in. */
  input?: string
}

/** A shell in which `kusanya` runs as an operator would run it, in this process. */
export function openShell(environment: Record<string, string>) {
  return async function kusanya(args: string[], circumstances: CommandInput = {}): Promise<CommandResult> {
    const out: string[] = []
    const err: string[] = []
    const answers = [...(circumstances.answers ?? [])]
    const terminal: Terminal = {
      environment: { ...environment, ...circumstances.environment },
      interactive: circumstances.answers !== undefined,
      print: (line = '') => out.push(line),
      warn: (line) => err.push(line),
      ask: async (question) => {
        const answer = answers.shift()
        if (answer === undefined) throw new Error(`Nobody has an answer to: ${question}`)
        return answer
      },
      read: async () => circumstances.input ?? '',
      strong: (text) => text,
      faint: (text) => text,
      good: (text) => text,
      bad: (text) => text,
    }
    const code = await run(args, terminal)
    return { code, out: out.join('\n'), err: err.join('\n') }
  }
}
