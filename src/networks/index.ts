import { airtelMoney } from './airtel-money/index.ts'
import type { AnyNetworkDriver } from './contract.ts'
import { daraja } from './daraja/index.ts'
import { gsmaMomo } from './gsma-momo/index.ts'
import { mtnMomo } from './mtn-momo/index.ts'
import { pawapay } from './pawapay/index.ts'
import { sandbox } from './sandbox.ts'

/** The drivers of all networks that this program can speak to. To add one, add its line here. */
export const networkDrivers: readonly AnyNetworkDriver[] = [mtnMomo, airtelMoney, daraja, gsmaMomo, pawapay, sandbox]
