import { WrongSetting } from '../lib/wrong-setting.ts'
import type { Biller } from './biller.ts'
import type { AnyBillDriver } from './contract.ts'
import { reloadly } from './reloadly/index.ts'
import { createSandboxBiller } from './sandbox.ts'
import { sandboxBills } from './sandbox-bills/index.ts'
import { upstream } from './upstream/index.ts'
import { vtpass } from './vtpass/index.ts'

/** The drivers of all bill providers that this program can speak to. To add one, add its line here. */
export const billDrivers: readonly AnyBillDriver[] = [vtpass, reloadly, upstream, sandboxBills]

/** The billers of this installation that are no connections: the simulated one of the sandbox. */
export type Billers = readonly Biller[]

interface BillerSettings {
  MODE: 'sandbox' | 'live'
  BILLER?: 'sandbox' | 'upstream'
  UPSTREAM_URL?: string
  UPSTREAM_KEY?: string
  UPSTREAM_AGENT_ID: string
}

/**
 * Create the simulated biller in the sandbox. It sells unless BILLER names the other host. In live mode there is none.
 * @param simulated the base URL and the secret of the simulated biller.
 * @throws WrongSetting when the settings do not fit together.
 */
export function createBillers(settings: BillerSettings, simulated: { url(): string; secret: string }): Billers {
  const { MODE, BILLER, UPSTREAM_URL: url, UPSTREAM_KEY: key } = settings
  if (BILLER === 'sandbox' && MODE === 'live')
    throw new WrongSetting('The setting BILLER=sandbox is wrong: nothing is simulated in live mode.')
  if (BILLER === 'upstream' && (!url || !key))
    throw new WrongSetting('The setting BILLER=upstream needs UPSTREAM_URL and UPSTREAM_KEY as well.')
  return MODE === 'sandbox' ? [createSandboxBiller({ ...simulated, sells: BILLER !== 'upstream' })] : []
}

/** The account at another host that the settings describe, as the driver `upstream` needs it. */
interface UpstreamOfSettings {
  hosts: { api: string }
  settings: { agent_id: string }
  secrets: { key: string }
  /** True if new purchases go there: as BILLER says, by default in live mode. */
  is_used: boolean
}

/** The account at another host that UPSTREAM_URL and UPSTREAM_KEY describe; undefined without them. */
export function upstreamOfSettings(settings: BillerSettings): UpstreamOfSettings | undefined {
  const { MODE, BILLER, UPSTREAM_URL: url, UPSTREAM_KEY: key, UPSTREAM_AGENT_ID: agent_id } = settings
  if (!url || !key) return undefined
  const is_used = BILLER === undefined ? MODE === 'live' : BILLER === 'upstream'
  return { hosts: { api: url }, settings: { agent_id }, secrets: { key }, is_used }
}
