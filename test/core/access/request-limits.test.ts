import { expect, it } from 'vitest'
import { describeLimit } from '../../../src/core/access/request-limits.ts'

const settings = { READS_PER_MINUTE: 30, WRITES_PER_MINUTE: 3_000 }

it('says how the limit of a key is raised, and how that of an organization', () => {
  expect(describeLimit('read', 30, settings)).toBe(
    'This API key may send 30 read requests a minute. The operator raises this with READS_PER_MINUTE, or for a new key with --reads-per-minute.',
  )
  expect(describeLimit('write', 30_000, settings)).toBe(
    'All API keys of an organization may send 30,000 write requests a minute together. The operator raises this with ORGANIZATION_WRITES_PER_MINUTE.',
  )
})
