import type { Command } from 'commander'
import { z } from 'zod'
import { requestBatchList } from '../../../actions/lists/batches.ts'
import { makeRequests, type NewRequestBatch } from '../../../actions/request-batches.ts'
import type { App } from '../../../app.ts'
import { chargeNetworks } from '../../../connections/request-actions.ts'
import type { Organization } from '../../../core/access/organizations.ts'
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
import { parseFields } from '../../arguments.ts'
import { BATCH, duplicatesOf, readNamedFile, TAGGED } from '../../batch-commands.ts'
import { addCommand, type Call, type Told } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, typed } from '../../typed.ts'

/** Words about the requests, whose customers are in a file or have a tag. */
const SETTINGS = {
  ...BATCH,
  reason: typed('--reason <text>', 'what the money is for'),
  expiry: typed('--expiry <time>', 'until when it may be paid: 31/12/2030, "24 hours"; default 24 hours'),
  instructions: typed('--no-instructions', 'send no prompt and no instructions'),
  duplicates: duplicatesOf('for an open or recent request for the same amount and reason'),
}
type Settings = Given<typeof SETTINGS>

/** Add the commands that ask many customers for money. */
export function addRequestBatches(requests: Command, terminal: Terminal): void {
  addCommand(requests, terminal, {
    name: 'import',
    description: 'request money from the customers in a CSV or Excel file; the console has a template',
    typed: {
      path: typed('<file>', 'the file'),
      sheet: typed('--sheet <name>', 'the sheet of a workbook with several'),
      ...SETTINGS,
    },
    organization: 'one',
    async run(app, { path, sheet, ...settings }, call) {
      const choices = readChoices(app, call.owner, settings)
      const file = await readRequestFile({ ...(await readNamedFile(path)), sheet })
      const checked = await checkRequestFile(app.db, file, choices, contextOf(app, call.owner))
      const { name, digest } = file
      return finish(app, { checked, source: 'file', name, digest, asked: { file: digest, ...choices } }, settings, call)
    },
  })
  addCommand(requests, terminal, {
    name: 'create-many',
    description: 'request the same amount from each customer with a tag',
    typed: { ...TAGGED, ...SETTINGS },
    organization: 'one',
    async run(app, { tag, amount, ...settings }, call) {
      const choices = readChoices(app, call.owner, settings)
      const tagged = parseFields(z.object(tagFields), { tag, amount })
      const checked = await checkTagged(app.db, tagged, choices, contextOf(app, call.owner))
      const asked = { ...tagged, ...choices }
      return finish(app, { checked, source: 'tag', name: tagged.tag.trim(), digest: null, asked }, settings, call)
    },
  })
  addListCommand(requests, terminal, requestBatchList)
}

function readChoices(app: App, { time_zone }: Organization, settings: Settings) {
  const { currency, reason, expiry: expiry_date, instructions: send_instructions } = settings
  const currencies = collectionCurrencies(app.config)
  const fields = z.object(requestChoiceFields(currencies))
  const body = parseFields(fields, { currency, reason, expiry_date, send_instructions })
  return readRequestChoices(body, currencies, { now: app.clock.now(), time_zone })
}

function contextOf(app: App, { id: organization, service_user: author }: Organization) {
  return { now: app.clock.now(), organization, author, chooseNetwork: chargeNetworks(app.connections.list()) }
}

type Source = Omit<NewRequestBatch, 'duplicates'>

/** Print the faults of the rows, and make the requests unless this is a preview. */
async function finish(
  app: App,
  source: Source,
  { preview, duplicates }: Settings,
  { terminal, json, actor }: Call<Organization>,
): Promise<Told> {
  const { rows, planned, all, without_duplicates } = source.checked
  const noun = source.source === 'file' ? 'Row' : 'Customer'
  if (!json) for (const line of describeRows(noun, rows)) terminal.print(line)
  if (preview) {
    const text = describeSums(duplicates === 'skip' ? without_duplicates : all)
    return { shown: { rows, all, without_duplicates }, text }
  }
  if (planned.length === 0) throw new CommandError(`No ${noun.toLowerCase()} can become a request.`)
  // The operator acts in the name of the organization's own user.
  const batch = await makeRequests(app, actor, { ...source, duplicates })
  const parts = [
    `Batch ${batch.id}. Requests made: ${batch.made}.`,
    ...(batch.skipped > 0 ? [`Skipped, because the same request exists: ${batch.skipped}.`] : []),
    ...(batch.refused > 0 ? [`Refused: ${batch.refused}.`] : []),
  ]
  return { shown: batch, text: parts.join(' ') }
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
