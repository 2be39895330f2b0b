import { countAnswers, figureOf, measureInTurns, type Result, ratioOf, type ScenarioContext } from '../measurements.ts'
import { checkSettled, settleLoad } from './settle.ts'

/** One organization that takes all payments, and a hundred that share as many. */
export const WALLET_COUNT = 101

/** Payments that all go into one wallet, in turn with as many that are spread over a hundred. */
export async function measureWallets({ service: house, options }: ScenarioContext): Promise<Result> {
  const [hot, ...hundred] = house.shops
  const sides = [settleLoad(house, options, [hot!]), settleLoad(house, options, hundred)]
  const [one, many] = await measureInTurns('one wallet and a hundred', options.rounds, sides)
  return {
    figures: [
      figureOf('settle into a hundred wallets', many!),
      { ...figureOf('settle into one wallet', one!), ratio: ratioOf(one!, many!), of: 'a hundred wallets' },
    ],
    checks: await checkSettled(house.db, countAnswers([...one!, ...many!], 200)),
  }
}
