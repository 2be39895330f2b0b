import { countAnswers, figureOf, type Result, ratioOf, type Stage, takeTurns } from './measurements.ts'
import { checkSettled, settleSide } from './settle.ts'

/** One organization that takes all payments, and a hundred that share as many. */
export const WALLETS = 101

/** Payments that all go into one wallet, in turn with as many that are spread over a hundred. */
export async function measureWallets({ house, options }: Stage): Promise<Result> {
  const [hot, ...hundred] = house.shops
  const sides = [settleSide(house, options, [hot!]), settleSide(house, options, hundred)]
  const [one, many] = await takeTurns('one wallet and a hundred', options.rounds, sides)
  return {
    figures: [
      figureOf('settle into a hundred wallets', many!),
      { ...figureOf('settle into one wallet', one!), ratio: ratioOf(one!, many!), of: 'a hundred wallets' },
    ],
    checks: await checkSettled(house.db, countAnswers([...one!, ...many!], 200)),
  }
}
