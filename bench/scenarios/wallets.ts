import { figureOf, measureInTurns, type Result, ratioOf, type ScenarioContext } from '../measurements.ts'
import { checkSettled, settleLoad } from './settle.ts'

/** Number of organizations: one gets all payments, and a hundred share as many. */
export const WALLET_COUNT = 101

/** Measure payments into one wallet, in turn with payments into a hundred wallets. */
export async function measureWallets({ service, options }: ScenarioContext): Promise<Result> {
  const [single, ...hundred] = service.shops
  const sides = [settleLoad(service, options, [single!]), settleLoad(service, options, hundred)]
  const [one, many] = await measureInTurns('one wallet and a hundred', options.rounds, sides)
  return {
    figures: [
      figureOf('settle into a hundred wallets', many!),
      { ...figureOf('settle into one wallet', one!), ratio: ratioOf(one!, many!), baseline: 'a hundred wallets' },
    ],
    checks: await checkSettled(service.db, [...one!, ...many!]),
  }
}
