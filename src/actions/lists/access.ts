import { ApiKeyView, countKeys, keyState, listKeys } from '../../core/access/api-keys.ts'
import { AuditEntry, auditedObjects, listAudit } from '../../core/access/audit.ts'
import { listMembers } from '../../core/access/organizations.ts'
import { listChanges } from '../../core/approvals/changes/changes.ts'
import { ControlChange, changeStates } from '../../core/approvals/changes/control-change.ts'
import { choice } from '../../core/fields.ts'
import { exactId, exactText, timestampFilter } from '../../core/filters.ts'
import { list, ownerOf } from './list.ts'

export const keyList = list({
  name: 'API keys',
  permission: 'manage_integrations',
  filters: {},
  view: ApiKeyView,
  source: 'primary',
  async read(db, asked) {
    const organization = ownerOf(asked)
    const [keys, count, members] = await Promise.all([
      listKeys(db, organization, asked.page),
      countKeys(db, organization),
      listMembers(db, organization),
    ])
    const names = new Map(members.map((member) => [member.id, member.name]))
    const rows = keys.map((key) => {
      const user_name = names.get(key.user) ?? null
      return { ...key, user_name, state: keyState(key, asked.now) }
    })
    return { rows, count }
  },
  console: { path: '/keys' },
}).withCommand({
  path: 'keys list',
  description: 'list the keys of one organization or of all, newest first',
  organization: 'each',
  limit: null,
  none: 'There are no keys yet. Create one with `npx kusanya keys create`.',
  columns: {
    id: 'id',
    organization: 'organization',
    user: 'user',
    name: 'name',
    key: (row) => `${row.prefix}…${row.last_four}`,
    state: 'state',
    permissions: ({ permissions, read_only }) => {
      const shown = permissions ? permissions.join(', ') || 'none' : "all of its user's"
      return read_only ? `${shown}, read-only` : shown
    },
    'expires (UTC)': 'expires',
    'last used (UTC)': 'last_used',
  },
})

export const changeList = list({
  name: 'changes of who may move money',
  permission: 'manage_organization',
  filters: {},
  people: { state: choice(changeStates).optional() },
  view: ControlChange,
  source: 'primary',
  read: (db, asked) => listChanges(db, asked.now, ownerOf(asked), asked.filters, asked.page),
  console: { path: '/control-changes' },
}).withCommand({
  path: 'organizations changes list',
  description: 'list the newest changes; pending ones wait for a second manager',
  organization: 'each',
  typed: { state: ['--state <state>', 'those in one state'] },
  limit: 'how many of each organization',
  none: 'There are no changes.',
  columns: {
    id: 'id',
    organization: 'organization',
    'created (UTC)': 'created',
    state: 'state',
    'asked by': (row) => row.author_name ?? 'an operator',
    change: 'description',
    'expires (UTC)': (row) => (row.state === 'pending' ? row.expires : null),
  },
})

/** The command line has its own (`audit list`): it reads the log of the installation, and objects as people name them. */
export const auditList = list({
  name: 'entries of the audit log',
  permission: 'manage_organization',
  filters: {},
  people: {
    user: exactId('Those of one user.'),
    key: exactId('Those of one API key.'),
    action: exactText('The action.', 'sign in'),
    object_type: choice(auditedObjects).optional(),
    object: exactId('Those about the object with this id.'),
    created_after: timestampFilter('Entries after this time.'),
    created_before: timestampFilter('Entries before this time.'),
  },
  view: AuditEntry,
  read: (db, asked) => listAudit(db, ownerOf(asked), asked.filters, asked.page),
  console: { path: '/audit' },
})
