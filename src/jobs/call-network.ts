import type { App } from '../app.ts'
import type { Network } from '../networks/network.ts'

/**
 * Asks a network. A connector that throws has a bug, which is logged as a fault; its answer counts as unknown, so that the
 * orders beside it are settled all the same and its own is asked about later.
 */
export async function callNetwork<Answer>(
  app: App,
  network: Network,
  question: () => Promise<Answer>,
): Promise<Answer | { outcome: 'unknown'; message: string }> {
  try {
    return await question()
  } catch (error) {
    app.log.error({ network: network.code, err: error }, 'fault')
    return { outcome: 'unknown', message: 'The connector to this network failed.' }
  }
}
