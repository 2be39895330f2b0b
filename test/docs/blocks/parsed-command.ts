import { CommanderError } from 'commander'
import { createProgram } from '../../../src/cli/command-table.ts'
import type { Terminal } from '../../../src/cli/terminal.ts'

/** The command line is right: nothing of the command has run. */
class Parsed extends Error {}

/**
 * Read a command line of `kusanya` with the program's own table of commands, and do not run it.
 * @returns what is wrong with it: an unknown command or option, a missing or a wrong value
 */
export async function faultOfCommand(args: string[]): Promise<string | undefined> {
  const said: string[] = []
  const words = withoutEnvFile(args)
  const program = await createProgram(
    quietTerminal((line) => said.push(line)),
    words,
  )
  program.hook('preAction', () => {
    throw new Parsed()
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return undefined
  } catch (error) {
    if (error instanceof Parsed) return undefined
    const is_help = error instanceof CommanderError && error.exitCode === 0
    return is_help ? undefined : [String(error), ...said].join(' ')
  }
}

/** The file of the example does not exist here. */
function withoutEnvFile(args: string[]): string[] {
  const at = args.indexOf('--env-file')
  return at === -1 ? args : args.toSpliced(at, 2)
}

function quietTerminal(warn: (line: string) => void): Terminal {
  const same = (text: string) => text
  const refuse = async () => {
    throw new Error('The command asks a question while it is read.')
  }
  const styles = { strong: same, faint: same, good: same, bad: same }
  const environment = { KUSANYA_ENV_FILE: 'off' }
  return { environment, folder: null, interactive: false, print: () => {}, warn, ask: refuse, read: refuse, ...styles }
}
