import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import { type Batches, type BatchKind, duplicateChoices } from '../core/batches/batch.ts'
import { listBatches } from '../core/batches/batches.ts'
import { jsonOption, organizationOption } from './arguments.ts'
import { CommandError } from './errors.ts'
import { addList, type LimitOption, newest, ofOne } from './list-command.ts'
import type { Columns } from './print.ts'
import type { Terminal } from './terminal.ts'

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

/** Add the list of the batches of a kind. */
export function addBatchList<Kind extends BatchKind>(
  parent: Command,
  terminal: Terminal,
  kind: Kind,
  { none, columns }: { none: string; columns?: Columns<Batches[Kind]> },
): void {
  addList<Batches[Kind], LimitOption & { organization?: number }>(parent, terminal, {
    name: 'batches',
    description: `list batches of ${kind} from files and tags`,
    filters: [organizationOption()],
    limit: 'how many',
    read: ofOne((app, organization, { limit }) => listBatches(app.db, { kind, organization }, newest(limit))),
    none,
    columns: {
      id: ({ id }) => id,
      from: ({ name }) => name,
      rows: ({ rows }) => rows,
      made: ({ made }) => made,
      skipped: ({ skipped }) => skipped,
      refused: ({ refused }) => refused,
      ...columns,
      finished: ({ finished }) => finished,
    },
  })
}
