import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'

const reasons = [
  'cancelled',
  'wrong_pin',
  'insufficient_funds',
  'limit_reached',
  'payer_not_found',
  'payee_not_found',
  'not_allowed',
  'prompt_expired',
  'unreachable',
  'rejected',
  'expired',
  'failed',
] as const

/** Reason for a failed request, in plain words. A text that is no code comes from the network. */
export function describeReason(reason: string): string {
  const code = reasons.find((one) => one === reason)
  return code === undefined ? translateMessage(reason) : t(`home.failures.reasons.${code}`)
}
