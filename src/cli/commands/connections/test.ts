import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../../../app.ts'
import { findRow, isFromSettings } from '../../../connections/settings-rows.ts'
import { getConnection, type TestResult, unsealSecrets } from '../../../core/connections/connections.ts'
import type { Amount } from '../../../lib/money.ts'
import { jsonOption, toAmount, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { completePhones, toTypedPhone } from '../../typed-phones.ts'
import { change, provision, tryAndRecord } from './add.ts'
import { isGood, printTest } from './context.ts'
import { chargeForTest } from './test-charge.ts'

interface TestOptions {
  phone?: string
  amount?: Amount
  currency?: string
  account?: number
  provision?: true
  json?: boolean
}

/** The command that tries a connection. */
export function addTest(connections: Command, terminal: Terminal): void {
  connections
    .command('test')
    .description('try the credentials and, with --phone, collect a small amount; the exit code is 1 if something fails')
    .argument('<slug>')
    .option('--phone <number>', 'collect the smallest amount from this phone, and wait for the result', toTypedPhone)
    .option('--amount <amount>', 'another amount than the smallest', toAmount)
    .option('--currency <code>', 'the currency, where the phone can pay in several', toCurrency)
    .option('--account <id>', 'the account that collects; the first with a place unless given', toCount)
    .option('--provision', 'first let the test environment of the network make new credentials')
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((slug: string, options: TestOptions) =>
      withApp(terminal, async (app) => test(terminal, app, slug, await completePhones(app.db, { ...options }))),
    )
}

async function test(terminal: Terminal, app: App, slug: string, options: TestOptions): Promise<void> {
  const before = await findRow(app, app.db, slug)
  if (options.phone !== undefined && before.kind !== 'network')
    throw new CommandError(`${slug} is none to a network, so it cannot collect. Leave out --phone.`)
  if (options.provision && isFromSettings(before))
    throw new CommandError(`${slug} comes from the settings: change them there.`)
  if (options.provision) {
    const values = await provision(app, { ...before, values: await readAllValues(app, slug) })
    await change(terminal, app, slug, { values }, { json: false })
  }
  const row = await findRow(app, app.db, slug)
  const more: TestResult[] = options.phone === undefined ? [] : [await charge(terminal, app, slug, options)]
  const results = await tryAndRecord(app, row, more)
  if (options.json) printResult(terminal, { slug, results }, { json: true, text: '' })
  else printTest(terminal, results)
  if (!isGood(results)) throw new CommandError(`The connection ${slug} does not work as it is.`)
  if (!options.json && row.state === 'draft')
    terminal.print(`\`npx kusanya connections resume ${slug}\` puts it into use.`)
}

/** The charge goes out only with credentials that work: else its end might never be known. */
async function charge(terminal: Terminal, app: App, slug: string, options: TestOptions): Promise<TestResult> {
  return chargeForTest(app, slug, {
    ...{ phonenumber: options.phone!, amount: options.amount, currency: options.currency, account: options.account },
    onProgress: (line) => (options.json ? undefined : terminal.print(line)),
  })
}

async function readAllValues(app: App, slug: string): Promise<Record<string, unknown>> {
  const row = await getConnection(app.db, slug)
  return { ...row.settings, ...unsealSecrets(app.sealingKeys, row.sealed_secrets) }
}

function toCurrency(text: string): string {
  if (!/^[A-Za-z]{3}$/.test(text)) throw new InvalidArgumentError('It must be three letters, such as UGX.')
  return text.toUpperCase()
}

const NOTES = `
The charge is real money in a live environment. It is booked as a collection without a request, which can be returned.

Examples:
  $ npx kusanya connections test mtn-uganda
  $ npx kusanya connections test mtn-uganda --phone +256772000001 --amount 500`
