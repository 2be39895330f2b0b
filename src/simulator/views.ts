import { formatAmount } from '../lib/money.ts'
import type { Simulator } from './simulator.ts'

/** Door as people and scripts see it. */
export type DoorView = Awaited<ReturnType<typeof describeDoors>>[number]

/** Describe the simulated networks: their addresses, credentials and switches. */
export async function describeDoors(simulator: Simulator) {
  return Promise.all(
    simulator.doors.map(async ({ code, name, kind = 'network', credentials, numbers, switches }) => {
      const values = await simulator.world(code).switches()
      return {
        code,
        name,
        kind,
        hosts: simulator.hostsOf(code),
        credentials,
        numbers,
        switches: Object.entries(switches).map(([key, one]) => ({ name: key, value: values[key]!, ...one })),
        calls: Object.fromEntries(simulator.calls(code)),
      }
    }),
  )
}

/** A prompt as people and scripts see it. */
export type PromptView = Awaited<ReturnType<typeof listPrompts>>[number]

/** The open prompts on one phone or on all. */
export async function listPrompts(simulator: Simulator, phone?: string) {
  const prompts = await simulator.prompts(phone)
  return prompts.map((prompt) => ({ ...prompt, amount: formatAmount(prompt.amount) }))
}
