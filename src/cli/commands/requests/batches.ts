import { type Command, Option } from 'commander'
import { z } from 'zod'
import { requestBatchList } from '../../../actions/lists/batches.ts'
import { makeRequests, type NewRequestBatch } from '../../../actions/request-batches.ts'
import { operator } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { chargeNetworks } from '../../../connections/request-actions.ts'
import type { Organization } from '../../../core/access/organizations.ts'
import type { DuplicateChoice } from '../../../core/batches/batch.ts'
import { collectionCurrencies } from '../../../core/ledger/currencies.ts'
import type { RequestRow, RequestSum } from '../../../core/request-batches/batch.ts'
import {
  checkRequestFile,
  checkTagged,
  readRequestChoices,
  requestChoiceFields,
  tagFields,
} from '../../../core/request-batches/check.ts'
import { readRequestFile } from '../../../core/request-batches/columns.ts'
import { displayAmount } from '../../../lib/money.ts'
import { chooseOrganization, parseFields } from '../../arguments.ts'
import { addBatchOptions, duplicatesOption, readNamedFile } from '../../batch-commands.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface BatchOptions {
  organization?: number
  currency: string
  reason?: string
  expiry?: string
  instructions: boolean
  duplicates: DuplicateChoice
  preview?: boolean
  json?: boolean
}

/** Add the commands that ask many customers for money. */
export function addRequestBatches(requests: Command, terminal: Terminal): void {
  addFile(requests, terminal)
  addTag(requests, terminal)
  addListCommand(requests, terminal, requestBatchList)
}

function addSettings(command: Command): Command {
  return addBatchOptions(command, [
    new Option('--reason <text>', 'what the money is for'),
    new Option('--expiry <time>', 'until when it may be paid: 31/12/2030, "24 hours"; default 24 hours'),
    new Option('--no-instructions', 'send no prompt and no instructions'),
    duplicatesOption('for an open or recent request for the same amount and reason'),
  ])
}

function addFile(requests: Command, terminal: Terminal): void {
  addSettings(
    requests
      .command('import')
      .description('request money from the customers in a CSV or Excel file; the console has a template')
      .argument('<file>', 'the file')
      .option('--sheet <name>', 'the sheet of a workbook with several'),
  ).action((path: string, options: BatchOptions & { sheet?: string }) =>
    withApp(terminal, async (app) => {
      const organization = await chooseOrganization(app.db, options.organization)
      const choices = readChoices(app, organization, options)
      const file = await readRequestFile({ ...(await readNamedFile(path)), sheet: options.sheet })
      const checked = await checkRequestFile(app.db, file, choices, contextOf(app, organization))
      const { name, digest } = file
      const asked = { file: digest, ...choices }
      await finish(terminal, app, organization, { checked, source: 'file', name, digest, asked }, options)
    }),
  )
}

function addTag(requests: Command, terminal: Terminal): void {
  addSettings(
    requests
      .command('create-many')
      .description('request the same amount from each customer with a tag')
      .requiredOption('--tag <tag>', 'the tag of the customers, such as a class')
      .requiredOption('--amount <amount>', 'the amount for each customer'),
  ).action((options: BatchOptions & { tag: string; amount: string }) =>
    withApp(terminal, async (app) => {
      const organization = await chooseOrganization(app.db, options.organization)
      const choices = readChoices(app, organization, options)
      const tagged = parseFields(z.object(tagFields), { tag: options.tag, amount: options.amount.replaceAll(',', '') })
      const checked = await checkTagged(app.db, tagged, choices, contextOf(app, organization))
      const asked = { ...tagged, ...choices }
      const name = tagged.tag.trim()
      await finish(terminal, app, organization, { checked, source: 'tag', name, digest: null, asked }, options)
    }),
  )
}

function readChoices(app: App, { time_zone }: Organization, options: BatchOptions) {
  const { currency, reason, expiry: expiry_date, instructions: send_instructions } = options
  const currencies = collectionCurrencies(app.config)
  const body = parseFields(z.object(requestChoiceFields(currencies)), {
    currency,
    reason,
    expiry_date,
    send_instructions,
  })
  return readRequestChoices(body, currencies, { now: app.clock.now(), time_zone })
}

function contextOf(app: App, { id: organization, service_user: author }: Organization) {
  return { now: app.clock.now(), organization, author, chooseNetwork: chargeNetworks(app.connections.list()) }
}

type Source = Omit<NewRequestBatch, 'duplicates'>

/** Print the faults of the rows, and make the requests unless this is a preview. */
async function finish(
  terminal: Terminal,
  app: App,
  organization: Organization,
  source: Source,
  options: BatchOptions,
): Promise<void> {
  const { rows, planned, all, without_duplicates } = source.checked
  const noun = source.source === 'file' ? 'Row' : 'Customer'
  if (!options.json) for (const line of describeRows(noun, rows)) terminal.print(line)
  if (options.preview) {
    const text = describeSums(options.duplicates === 'skip' ? without_duplicates : all)
    return printResult(terminal, { rows, all, without_duplicates }, { ...options, text })
  }
  if (planned.length === 0) throw new CommandError(`No ${noun.toLowerCase()} can become a request.`)
  // The operator acts in the name of the organization's own user.
  const actor = operator(organization.id)
  const batch = await makeRequests(app, actor, { ...source, duplicates: options.duplicates })
  const parts = [
    `Batch ${batch.id}. Requests made: ${batch.made}.`,
    ...(batch.skipped > 0 ? [`Skipped, because the same request exists: ${batch.skipped}.`] : []),
    ...(batch.refused > 0 ? [`Refused: ${batch.refused}.`] : []),
  ]
  printResult(terminal, batch, { ...options, text: parts.join(' ') })
}

function describeSums(sums: readonly RequestSum[]): string {
  if (sums.length === 0) return 'Nothing would be created.'
  return sums
    .map(
      ({ currency, network, requests, total }) =>
        `${requests} requests would be created through ${network}: ${currency} ${displayAmount(total)}.`,
    )
    .join('\n')
}

/** The refused rows, and the others with a warning. */
function describeRows(noun: string, rows: readonly RequestRow[]): string[] {
  return rows.flatMap(({ number, name, problems, warnings }) => {
    const which = noun === 'Row' || !name ? `${noun} ${number}` : `${noun} ${number}, ${name},`
    return [
      ...problems.map(({ message }) => `${which} is refused: ${message}`),
      ...warnings.map((warning) =>
        warning.code === 'twice'
          ? `${which} has the same phone, amount and reason as ${noun.toLowerCase()} ${warning.row}.`
          : `${which} was already asked for this: request ${warning.request}.`,
      ),
    ]
  })
}
