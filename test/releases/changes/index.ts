import type { Answer, Asker } from '../answers.ts'
import { CHANGED_OBJECTS } from './objects.ts'

/*
 * How this version differs from released versions. When a migration renames a table, or a key of an answer follows its
 * column, add the name here; when objects of answers change, say it in objects.ts. The tests of releases need no other change.
 */

/** Renamed tables: the name in a release → the name now. */
const RENAMED_TABLES: Record<string, string> = {
  collection_hooks: 'acceptance_urls',
  collection_questions: 'acceptance_checks',
  collection_request_moves: 'collection_request_transitions',
  duplicate_keys: 'idempotency_keys',
  payment_moves: 'payment_transitions',
  receivers: 'connection_places',
  simulator_offers: 'simulator_validation_requests',
  switches: 'flags',
  texts: 'sms_messages',
}

/** Renamed commands, with their arguments: the words in a release → the words now. */
const RENAMED_COMMANDS: Record<string, string> = {}

/** Renamed keys of answers to the console and to commands, by the question that they answer: the key in a release → the key now. */
const RENAMED_KEYS: readonly { asker: Asker; question: RegExp; keys: Record<string, string> }[] = [
  { asker: 'command', question: /^(requests|collections) list/, keys: { asked: 'status_queries' } },
  { asker: 'command', question: /^payments list/, keys: { asked: 'network_calls' } },
  { asker: 'command', question: /^organizations approval list/, keys: { above: 'threshold' } },
  { asker: 'command', question: /^organizations hook questions/, keys: { tries: 'attempts' } },
  { asker: 'command', question: /^fees list/, keys: { least: 'min_fee', most: 'max_fee' } },
  { asker: 'command', question: /^plans list/, keys: { made: 'occurrence_count' } },
  { asker: 'command', question: /^bills list/, keys: { asked: 'status_queries' } },
  { asker: 'command', question: /^texts list/, keys: { why: 'purpose', tries: 'attempts' } },
  { asker: 'console', question: /^.settings/, keys: { above: 'threshold', least: 'min_fee', most: 'max_fee' } },
  { asker: 'console', question: /^.purchases/, keys: { asked: 'status_queries' } },
  { asker: 'console', question: /^.webhooks.health/, keys: { previous_until: 'previous_secret_expires' } },
  { asker: 'console', question: /timeline$/, keys: { prompted: 'prompt_sent', why: 'purpose' } },
  {
    asker: 'console',
    question: /^.webhooks.\d+.deliveries.\d+$/,
    keys: { answer_headers: 'response_headers', answer_body: 'response_body' },
  },
]

/** Tables (by their names in a release) whose number of rows the migrations change. */
export const CHANGED_BY_MIGRATIONS = ['migrations', 'accounts']

/** The name that a table of a release has now. */
export function currentTable(name: string): string {
  return RENAMED_TABLES[name] ?? name
}

/** The question and answer that replace those of a release. Only a change that CHANGELOG.md announces may stand here. */
export function currentAnswer(answer: Answer): Answer {
  const question = answer.asker === 'command' ? (RENAMED_COMMANDS[answer.question] ?? answer.question) : answer.question
  return { ...answer, question, answer: changeObjects(answer) }
}

function changeObjects({ asker, question, answer }: Answer): unknown {
  const renamed = RENAMED_KEYS.find((one) => one.asker === asker && one.question.test(question))?.keys ?? {}
  const changes = CHANGED_OBJECTS.filter((one) => one.question.test(question))
  return JSON.parse(JSON.stringify(answer), (_name, value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    const object = Object.fromEntries(Object.entries(value).map(([key, one]) => [renamed[key] ?? key, one]))
    return changes.reduce((changed, { change }) => change(changed) as Record<string, unknown>, object)
  })
}
