import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { duplicateChoices } from '../core/batches/batch.ts'
import { toAmountText } from './arguments.ts'
import { CommandError } from './errors.ts'
import { chosen, preset, required, typed } from './typed.ts'

/** Words of every command that makes a batch. */
export const BATCH = {
  currency: required(typed('--currency <code>', 'required, such as UGX')),
  preview: typed('--preview', 'preview it, and create nothing'),
}

/** Words of a batch for the customers with a tag. */
export const TAGGED = {
  tag: required(typed('--tag <tag>', 'the tag of the customers, such as a class')),
  amount: required(typed('--amount <amount>', 'the amount for each customer', toAmountText)),
}

/** Return the option about customers who have the same already. */
export function duplicatesOf(text: string) {
  return preset(chosen('--duplicates <choice>', text, duplicateChoices), 'skip')
}

/** Read a file that a person names. @throws CommandError */
export async function readNamedFile(path: string): Promise<{ name: string; bytes: Buffer }> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`The file ${path} cannot be read: ${error.code}.`)
  })
  return { name: basename(path), bytes }
}
