import { z } from 'zod'

/** Result of a test notification. */
export const TestResult = z.object({
  /**
   * Reason for the failure, as `last_failure` of a delivery: such as `timeout`, or the status of the response. Null for
   * success.
   */
  failure: z.string().nullable(),
  status: z.int().nullable(),
  duration_ms: z.int(),
  remote_address: z.string().nullable(),
  request_headers: z.record(z.string(), z.string()),
  request_body: z.string(),
  /** The first 4 kB of the answer; null without an answer. */
  response_body: z.string().nullable(),
})
export type TestResult = z.output<typeof TestResult>
