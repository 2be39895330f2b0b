import { findingStates, KeptFinding, listFindings } from '../../core/books/findings.ts'
import { getRun, listRuns, ReconciliationRun } from '../../core/books/runs.ts'
import { listUnassigned, UnassignedPayment, unassignedStates } from '../../core/connections/unassigned-payments.ts'
import { choice } from '../../core/fields.ts'
import { exactText } from '../../core/filters.ts'
import { findingKinds } from '../../core/ledger/reconciliation.ts'
import {
  Attestation,
  attestationStates,
  getAttestation,
  listAttestations,
} from '../../core/manual-settlements/attestation.ts'
import { list, ownerOf } from './list.ts'

export const runList = list({
  name: 'reconciliations',
  permission: 'view',
  filters: {},
  view: ReconciliationRun,
  read: (db, asked) => listRuns(db, ownerOf(asked), asked.page),
  one: { find: (db, asked) => getRun(db, ownerOf(asked), asked.id), decides: true },
  console: { path: '/reconciliations' },
})

export const findingList = list({
  name: 'differences of a reconciliation',
  permission: 'view',
  filters: {},
  people: { kind: choice(findingKinds).optional(), state: choice(findingStates).optional() },
  view: KeptFinding,
  read: async (db, asked) => listFindings(db, await getRun(db, ownerOf(asked), asked.id), asked.filters, asked.page),
  console: { path: '/reconciliations/:id/findings' },
})

export const attestationList = list({
  name: 'attestations',
  permission: 'view',
  filters: {},
  people: { state: choice(attestationStates).optional() },
  view: Attestation,
  read: (db, { organization, filters, page }) => listAttestations(db, { organization, ...filters }, page),
  one: { find: (db, { id, organization }) => getAttestation(db, id, organization), decides: true },
  console: { path: '/attestations' },
}).withCommand({
  path: 'orders attestations',
  description: 'list attestations',
  organization: 'all',
  typed: { state: ['--state <state>', 'those in one state'] },
  limit: 'how many',
  none: 'There are no attestations.',
  columns: {
    id: 'id',
    'created (UTC)': 'created',
    order: 'reference',
    kind: 'kind',
    outcome: 'outcome',
    'remote id': 'remote_id',
    currency: 'currency',
    amount: 'amount',
    statement: 'statement',
    by: 'author_name',
    state: 'state',
    'decided by': 'decided_by_name',
  },
})

/** Money without an account belongs to no organization yet. */
export const unassignedList = list({
  name: 'money without an account',
  permission: 'manage_organization',
  is_operators: true,
  filters: {},
  people: {
    state: choice(unassignedStates).optional(),
    network: exactText('Those of one network.', 'sandbox'),
    receiver: exactText('Those to one till or short code.', '123456'),
    currency: exactText('Those in one currency.', 'UGX'),
  },
  view: UnassignedPayment,
  source: 'statements',
  read: (db, { filters, page }) => listUnassigned(db, filters, page),
  console: { path: '/unassigned' },
}).withCommand({
  path: 'collections unassigned',
  description: 'list money for a receiver or in a currency without an account, newest first',
  typed: {
    state: ['--state <state>', 'those in one state; the default is unassigned'],
    network: ['--network <code>', 'only one network'],
    receiver: ['--receiver <number>', 'those to one till or short code'],
    currency: ['--currency <code>', 'those in one currency'],
  },
  preset: { state: 'unassigned' },
  limit: 'how many',
  help: `
Such money is in no books until it is assigned:
$ npx kusanya collections assign 3 25                # by hand
$ npx kusanya accounts receiver 25 sandbox 123456    # with all later money to this till`,
  none: 'There is no such money.',
  columns: {
    id: 'id',
    'paid (UTC)': 'payment_date',
    network: 'network',
    receiver: 'receiver',
    phone: 'phonenumber',
    currency: 'currency',
    amount: 'amount',
    state: 'state',
    collection: 'collection',
    reference: 'reference',
    "network's id": 'remote_transaction_id',
  },
})
