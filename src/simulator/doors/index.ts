import { africasTalkingDoor } from './africas-talking/index.ts'
import { airtelMoneyDoor } from './airtel-money/index.ts'
import { darajaDoor } from './daraja/index.ts'
import type { Door } from './door.ts'
import { gsmaMomoDoor } from './gsma-momo/index.ts'
import { infobipDoor } from './infobip/index.ts'
import { kannelDoor } from './kannel/index.ts'
import { createMtnMomoDoor } from './mtn-momo/index.ts'
import { pawapayDoor } from './pawapay/index.ts'
import { reloadlyDoor } from './reloadly/index.ts'
import { createSandboxDoor, type SandboxDoorOptions } from './sandbox/index.ts'
import { createSmppDoor } from './smpp/index.ts'
import { twilioDoor } from './twilio/index.ts'
import { vtpassDoor } from './vtpass/index.ts'

/** The simulated SMS providers. */
const smsDoors = (): Door[] => [africasTalkingDoor, twilioDoor, infobipDoor, kannelDoor, createSmppDoor()]

/** The simulated bill providers. */
const billDoors: readonly Door[] = [vtpassDoor, reloadlyDoor]

/** The simulated networks and providers: the sandbox's own, and one for each driver. */
export function openDoors(sandbox: SandboxDoorOptions): Door[] {
  const networks = [createMtnMomoDoor(), airtelMoneyDoor, darajaDoor, gsmaMomoDoor, pawapayDoor]
  return [createSandboxDoor(sandbox), ...networks, ...smsDoors(), ...billDoors]
}
