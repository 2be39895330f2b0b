import type { AnyNetworkDriver } from '../../../src/networks/contract.ts'
import { networkDrivers } from '../../../src/networks/index.ts'
import { sandbox } from '../../../src/networks/sandbox.ts'

/*
 * Loaded before the program (`node --import`): gives it one more driver, which speaks the sandbox's protocol and says that
 * real money moves there. Live mode refuses the sandbox itself.
 */

const walkNetwork: AnyNetworkDriver = {
  ...sandbox,
  code: 'walk-network',
  name: 'Walk Network',
  environments: {
    production: { title: 'Production', live: true, hosts: { api: 'https://walk-network.example' } },
  },
}

;(networkDrivers as AnyNetworkDriver[]).push(walkNetwork)
