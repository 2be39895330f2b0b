import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import { duplicateChoices } from '../core/batches/batch.ts'
import { jsonOption, organizationOption } from './arguments.ts'
import { CommandError } from './errors.ts'

/** Add the options of a command that makes a batch. @param own those of this kind, in the order of the help */
export function addBatchOptions(command: Command, own: readonly Option[]): Command {
  command.addOption(organizationOption()).requiredOption('--currency <code>', 'required, such as UGX')
  for (const option of own) command.addOption(option)
  return command.option('--preview', 'preview it, and create nothing').addOption(jsonOption())
}

/** Return the option about customers who have the same already. */
export function duplicatesOption(text: string): Option {
  return new Option('--duplicates <choice>', text).choices(duplicateChoices).default('skip')
}

/** Read a file that a person names. @throws CommandError */
export async function readNamedFile(path: string): Promise<{ name: string; bytes: Buffer }> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`The file ${path} cannot be read: ${error.code}.`)
  })
  return { name: basename(path), bytes }
}
