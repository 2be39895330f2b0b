import { WrongSetting } from '../lib/wrong-setting.ts'
import type { Biller } from './biller.ts'
import type { AnyBillDriver } from './contract.ts'
import { reloadly } from './reloadly/index.ts'
import { createSandboxBiller } from './sandbox.ts'
import { sandboxBills } from './sandbox-bills/index.ts'
import { upstream } from './upstream/index.ts'
import { createUpstreamBiller } from './upstream.ts'
import { vtpass } from './vtpass/index.ts'

/** The drivers of all bill providers that this program can speak to. To add one, add its line here. */
export const billDrivers: readonly AnyBillDriver[] = [vtpass, reloadly, upstream, sandboxBills]

/** The billers of this installation. The first one sells. The others only answer questions about earlier purchases. */
export type Billers = readonly Biller[]

export interface BillerSettings {
  MODE: 'sandbox' | 'live'
  BILLER?: 'sandbox' | 'upstream'
  UPSTREAM_URL?: string
  UPSTREAM_KEY?: string
  UPSTREAM_AGENT_ID: string
}

/**
 * Creates the billers of the settings. The one that sells comes first: BILLER, or the simulated one in the sandbox. In
 * live mode without UPSTREAM_URL there is none, and nothing can be bought.
 * @param simulated the base URL and the secret of the simulated biller.
 * @throws WrongSetting when the settings do not fit together.
 */
export function createBillers(settings: BillerSettings, simulated: { url(): string; secret: string }): Billers {
  const { MODE, BILLER, UPSTREAM_URL: url, UPSTREAM_KEY: key, UPSTREAM_AGENT_ID: agent_id } = settings
  if (BILLER === 'sandbox' && MODE === 'live')
    throw new WrongSetting('The setting BILLER=sandbox is wrong: nothing is simulated in live mode.')
  if (BILLER === 'upstream' && (!url || !key))
    throw new WrongSetting('The setting BILLER=upstream needs UPSTREAM_URL and UPSTREAM_KEY as well.')
  const all = [
    ...(url && key ? [createUpstreamBiller({ url, key, agent_id })] : []),
    ...(MODE === 'sandbox' ? [createSandboxBiller(simulated)] : []),
  ]
  const seller = BILLER ?? (MODE === 'sandbox' ? 'sandbox' : 'upstream')
  return all.toSorted((one, other) => Number(other.code === seller) - Number(one.code === seller))
}

/** The biller with this code, if it is configured. */
export function billerByCode(billers: Billers, code: string): Biller | undefined {
  return billers.find((biller) => biller.code === code)
}
