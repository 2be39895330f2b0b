import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../../../app.ts'
import { findRow, isFromSettings } from '../../../connections/settings-rows.ts'
import { getConnection, type TestResult, unsealSecrets } from '../../../core/connections/connections.ts'
import { toAmount, toCount } from '../../arguments.ts'
import { addCommand, type Call, type Told } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, typed } from '../../typed.ts'
import { toTypedPhone } from '../../typed-phones.ts'
import { change, provision, tryAndRecord } from './add.ts'
import { describeTest, isGood } from './context.ts'
import { chargeForTest } from './test-charge.ts'

const TEST = {
  slug: typed('<slug>', ''),
  phone: typed(
    '--phone <number>',
    'collect the smallest amount from this phone, and wait for the result',
    toTypedPhone,
  ),
  amount: typed('--amount <amount>', 'another amount than the smallest', toAmount),
  currency: typed('--currency <code>', 'the currency, where the phone can pay in several', toThreeLetters),
  account: typed('--account <id>', 'the account that collects; the first with a place unless given', toCount),
  provision: typed('--provision', 'first let the test environment of the network make new credentials'),
}
type TestOptions = Given<typeof TEST>

/** The command that tries a connection. */
export function addTest(connections: Command, terminal: Terminal): void {
  addCommand(connections, terminal, {
    name: 'test',
    description: 'try the credentials and, with --phone, collect a small amount; the exit code is 1 if something fails',
    typed: TEST,
    help: NOTES,
    run: test,
  })
}

async function test(app: App, options: TestOptions, { terminal, json }: Call<unknown>): Promise<Told> {
  const { slug } = options
  const before = await findRow(app, app.db, slug)
  if (options.phone !== undefined && before.kind !== 'network')
    throw new CommandError(`${slug} is none to a network, so it cannot collect. Leave out --phone.`)
  if (options.provision && isFromSettings(before))
    throw new CommandError(`${slug} comes from the settings: change them there.`)
  if (options.provision) {
    const values = await provision(app, { ...before, values: await readAllValues(app, slug) })
    const { text } = await change(app, slug, { values }, {}, terminal)
    if (!json) for (const line of text) terminal.print(line)
  }
  const row = await findRow(app, app.db, slug)
  const say = (line: string) => (json ? undefined : terminal.print(line))
  const more: TestResult[] = options.phone === undefined ? [] : [await charge(app, options, say)]
  const results = await tryAndRecord(app, row, more)
  const is_good = isGood(results)
  const is_draft = is_good && row.state === 'draft'
  const next = is_draft ? [`\`npx kusanya connections resume ${slug}\` puts it into use.`] : []
  const fault = !is_good && `The connection ${slug} does not work as it is.`
  return { shown: { slug, results }, text: [...describeTest(terminal, results), ...next], fault }
}

/** The charge goes out only with credentials that work: else its end might never be known. */
async function charge(
  app: App,
  { slug, phone, amount, currency, account }: TestOptions,
  onProgress: (line: string) => void,
): Promise<TestResult> {
  return chargeForTest(app, slug, { phonenumber: phone!, amount, currency, account, onProgress })
}

async function readAllValues(app: App, slug: string): Promise<Record<string, unknown>> {
  const row = await getConnection(app.db, slug)
  return { ...row.settings, ...unsealSecrets(app.sealingKeys, row.sealed_secrets) }
}

function toThreeLetters(text: string): string {
  if (!/^[A-Za-z]{3}$/.test(text)) throw new InvalidArgumentError('It must be three letters, such as UGX.')
  return text.toUpperCase()
}

const NOTES = `
The charge is real money in a live environment. It is booked as a collection without a request, which can be returned.

Examples:
  $ npx kusanya connections test mtn-uganda
  $ npx kusanya connections test mtn-uganda --phone +256772000001 --amount 500`
