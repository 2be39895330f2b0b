import { recordedAirtel } from './airtel-money.ts'
import { recordedDaraja } from './daraja.ts'
import { recordedGsma } from './gsma-momo.ts'
import { recordedMtn } from './mtn-momo.ts'
import { recordedPawapay } from './pawapay.ts'
import { recordedReloadly } from './reloadly.ts'
import { recordedSandbox } from './sandbox.ts'
import { recordedAfricasTalking, recordedHttp, recordedInfobip, recordedKannel, recordedTwilio } from './senders.ts'
import { recordedSandboxBills, recordedUpstream } from './upstream.ts'
import { recordedVtpass } from './vtpass.ts'

/** All drivers that call over HTTP. */
export const recordedDrivers = [
  recordedMtn,
  recordedAirtel,
  recordedDaraja,
  recordedGsma,
  recordedPawapay,
  recordedSandbox,
  recordedAfricasTalking,
  recordedTwilio,
  recordedInfobip,
  recordedKannel,
  recordedHttp,
  recordedVtpass,
  recordedReloadly,
  recordedUpstream,
  recordedSandboxBills,
]
