import { airtelMoneyDoor } from './airtel-money/index.ts'
import { darajaDoor } from './daraja/index.ts'
import type { Door } from './door.ts'
import { gsmaMomoDoor } from './gsma-momo/index.ts'
import { createMtnMomoDoor } from './mtn-momo/index.ts'
import { createSandboxDoor, type SandboxDoorOptions } from './sandbox/index.ts'

/** The simulated networks: the sandbox's own, and one for each network driver. */
export function openDoors(sandbox: SandboxDoorOptions): Door[] {
  return [createSandboxDoor(sandbox), createMtnMomoDoor(), airtelMoneyDoor, darajaDoor, gsmaMomoDoor]
}
