import { type Command, InvalidArgumentError } from 'commander'
import { currencyColumns, currencyList } from '../../actions/lists/ledger.ts'
import { runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { setExchangeRatesAction } from '../../core/ledger/actions.ts'
import { listCurrencies } from '../../core/ledger/currencies.ts'
import { fetchExchangeRates } from '../../lib/exchange-rates.ts'
import { addCommand, type Call } from '../command.ts'
import { CommandError } from '../errors.ts'
import { addListCommand } from '../list-command.ts'
import { printRows } from '../print.ts'
import type { Terminal } from '../terminal.ts'
import { typed } from '../typed.ts'

export function addCurrencies(program: Command, terminal: Terminal): void {
  const currencies = program.command('currencies').description('currencies and their rates against the US dollar')

  addListCommand(currencies, terminal, currencyList)

  addCommand(currencies, terminal, {
    name: 'set-rate',
    description: 'set how many units of a currency one US dollar is worth',
    typed: { rates: typed('<rate...>', 'such as UGX=3560', collectRates) },
    help: '\nExample:\n  $ npx kusanya currencies set-rate UGX=3560 KES=129.2',
    async run(app, { rates }, call) {
      const known = (await listCurrencies(app.db, app.config.MODE)).map((currency) => currency.code)
      const unknown = Object.keys(rates).find((code) => !known.includes(code))
      if (unknown) throw new CommandError(`There is no currency ${unknown}. There are: ${known.join(', ')}.`)
      await setRates(app, rates, call)
    },
  })
  addCommand(currencies, terminal, {
    name: 'update',
    description: 'fetch the rates once from a JSON address; with RATES_URL the service fetches them twice a day',
    typed: { from: typed('--from <address>', 'the address to use instead of RATES_URL') },
    help: '\nExample:\n  $ npx kusanya currencies update --from https://open.er-api.com/v6/latest/USD',
    async run(app, { from = app.config.RATES_URL }, call) {
      if (!from) throw new CommandError('Give the address of the rates with --from or the setting RATES_URL.')
      await setRates(app, await fetchExchangeRates(from), call)
    },
  })
}

/** Set rates, and print all. */
async function setRates(
  app: App,
  rates: Record<string, number>,
  { actor, terminal, json }: Call<unknown>,
): Promise<void> {
  await runAction(app, actor, setExchangeRatesAction, { rates })
  const rows = await listCurrencies(app.db, app.config.MODE)
  printRows(terminal, rows, { json, none: '', columns: currencyColumns })
}

function collectRates(text: string, earlier: Record<string, number> | undefined): Record<string, number> {
  const parts = /^([A-Za-z]{3})=(\d+(?:\.\d+)?)$/.exec(text)
  if (!parts || Number(parts[2]) === 0) throw new InvalidArgumentError('It must look like UGX=3560.')
  return { ...earlier, [parts[1]!.toUpperCase()]: Number(parts[2]) }
}
