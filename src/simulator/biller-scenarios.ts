/** Reaction of the simulated biller to a sale. Times are sandbox time, except `answer_delay_ms`. */
interface BillerBehaviour {
  /** True if the biller accepts the sale. */
  accepts_sale: boolean
  /** Answer of the server: normal, none, or the page of a broken proxy. */
  answer_mode: 'normal' | 'never' | 'broken'
  answer_delay_ms: number
  /** True if the biller does not answer status queries either while the sale is open. */
  silent_on_check: boolean
  /** Seconds until the sale succeeds or fails. */
  settled_after_s: number
  refusal: string | null
}

const defaultBehaviour: BillerBehaviour = {
  accepts_sale: true,
  answer_mode: 'normal',
  answer_delay_ms: 0,
  silent_on_check: false,
  settled_after_s: 0,
  refusal: null,
}

/** Entries stand in the order of the phone numbers that end in 000201, 000202 and so on. */
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

/** The scenario with this name, or else the one of the phone's last six digits, or else success. */
export function scenarioOf(name: string | null, phone: string): string {
  if (name !== null && Object.hasOwn(behavioursByScenario, name)) return name
  const digits = /000(\d{3})$/.exec(phone)?.[1]
  return scenarioNames[Number(digits ?? 0) - FIRST_NUMBER] ?? 'success'
}

export function billerBehaviourOf(scenario: string): BillerBehaviour {
  return { ...defaultBehaviour, ...behavioursByScenario[scenario] }
}
