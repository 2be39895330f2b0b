/** What the simulated biller does with a sale. Waits are sandbox time, except `answers_after_ms`. */
export interface BillerBehaviour {
  /** Whether the sale is taken at all. */
  accepts_sale: boolean
  /** How the door answers: as it is, never, or with the page of a broken proxy. */
  answer_mode: 'truly' | 'never' | 'broken'
  answer_delay_ms: number
  /** Whether it also keeps silent when asked, as long as the sale is open. */
  silent_on_check: boolean
  /** When it is known what becomes of it. */
  settled_after_s: number
  refusal: string | null
}

const defaultBehaviour: BillerBehaviour = {
  accepts_sale: true,
  answer_mode: 'truly',
  answer_delay_ms: 0,
  silent_on_check: false,
  settled_after_s: 0,
  refusal: null,
}

/** In the order of the phone numbers that end in 000201, 000202 and so on. */
const behavioursByScenario: Readonly<Record<string, Partial<BillerBehaviour>>> = {
  success: {},
  decline: { refusal: 'declined' },
  'pending-success': { settled_after_s: 5 },
  'pending-failure': { settled_after_s: 5, refusal: 'declined' },
  'timeout-before': { accepts_sale: false, answer_mode: 'never' },
  'timeout-after': { answer_mode: 'never' },
  broken: { accepts_sale: false, answer_mode: 'broken' },
  slow: { answer_delay_ms: 3_000 },
  silent: { answer_mode: 'never', silent_on_check: true, settled_after_s: 3_600 },
  blocked: { refusal: 'service_blocked' },
  'token-later': { settled_after_s: 5 },
}

const scenarioNames = Object.keys(behavioursByScenario)
const FIRST_NUMBER = 201

/** The scenario that was asked for by name, or else by the last six digits of the phone; success for everybody else. */
export function scenarioOf(name: string | null, phone: string): string {
  if (name !== null && Object.hasOwn(behavioursByScenario, name)) return name
  const digits = /000(\d{3})$/.exec(phone)?.[1]
  return scenarioNames[Number(digits ?? 0) - FIRST_NUMBER] ?? 'success'
}

/** What the biller does in a scenario. */
export function billerBehaviourOf(scenario: string): BillerBehaviour {
  return { ...defaultBehaviour, ...behavioursByScenario[scenario] }
}
