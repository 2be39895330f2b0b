/** What the simulated biller does with a sale. Waits are sandbox time, except `answers_after_ms`. */
export interface Play {
  /** Whether the sale is taken at all. */
  takes: boolean
  /** How the door answers: as it is, never, or with the page of a broken proxy. */
  answers: 'truly' | 'never' | 'broken'
  answers_after_ms: number
  /** Whether it also keeps silent when asked, as long as the sale is open. */
  silent_when_asked: boolean
  /** When it is known what becomes of it. */
  known_after_s: number
  refusal: string | null
}

const plain: Play = {
  takes: true,
  answers: 'truly',
  answers_after_ms: 0,
  silent_when_asked: false,
  known_after_s: 0,
  refusal: null,
}

/** In the order of the phone numbers that end in 000201, 000202 and so on. */
const plays: Readonly<Record<string, Partial<Play>>> = {
  success: {},
  decline: { refusal: 'declined' },
  'pending-success': { known_after_s: 5 },
  'pending-failure': { known_after_s: 5, refusal: 'declined' },
  'timeout-before': { takes: false, answers: 'never' },
  'timeout-after': { answers: 'never' },
  broken: { takes: false, answers: 'broken' },
  slow: { answers_after_ms: 3_000 },
  silent: { answers: 'never', silent_when_asked: true, known_after_s: 3_600 },
  blocked: { refusal: 'service_blocked' },
  'token-later': { known_after_s: 5 },
}

const names = Object.keys(plays)
const FIRST_NUMBER = 201

/** The scenario that was asked for by name, or else by the last six digits of the phone; success for everybody else. */
export function scenarioOf(name: string | null, phone: string): string {
  if (name !== null && Object.hasOwn(plays, name)) return name
  const digits = /000(\d{3})$/.exec(phone)?.[1]
  return names[Number(digits ?? 0) - FIRST_NUMBER] ?? 'success'
}

/** What the biller does in a scenario. */
export function playOf(scenario: string): Play {
  return { ...plain, ...plays[scenario] }
}
