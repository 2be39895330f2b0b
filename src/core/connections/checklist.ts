import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { type DiskSpace, measureSpace } from '../../lib/disk-space.ts'
import { secondFactorOf } from '../access/second-factors.ts'
import {
  type ChecklistName,
  type ChecklistValues,
  type ChecklistVariant,
  writeFound,
  writeTodo,
} from './checklist-texts.ts'
import { builtInSlugs } from './sandbox-networks.ts'

/** Item of the checklist: required before real money moves, or recommended. */
export interface ChecklistItem {
  /** Name for programs: it stays the same when the texts change. */
  name: string
  /** `open`: without it no money moves, or not safely. `advice`: look at it, and decide. */
  state: 'done' | 'open' | 'advice'
  /** Variant of the item's `found` sentence, and the values it names, for other languages. */
  variant: string
  values: ChecklistValues
  /** Finding in words. */
  found: string
  /** Commands to type for it, in this order, if any. */
  commands: readonly string[]
  /** Task in words; null when there is none. */
  todo: string | null
}

/** Facts from the settings and the machine. */
export interface Installation {
  mode: 'sandbox' | 'live'
  /** PUBLIC_URL, if it is set; `is_public_https`: true if the internet can reach it over https. */
  public_url: string | null
  is_public_https: boolean
  /** True if the service trusts the proxy in front of it. */
  trusts_proxy: boolean
  has_mail: boolean
  has_sms: boolean
  collection_currencies: readonly string[]
  /** The folder of the embedded PostgreSQL; null with a PostgreSQL of one's own. */
  data_folder: string | null
  /** The disk of the data; null where it is not known. */
  disk: DiskSpace | null
  /** The codes of the drivers and their environments in which real money moves, as `driver:environment`. */
  live_environments: readonly string[]
}

interface Counts {
  organizations: number
  organizations_without_owner: string[]
  organizations_with_one_manager: string[]
  managers_without_factor: string[]
  wallets: number
  empty_wallets: string[]
  foreign_currencies: string[]
  keys: number
  drafts: string[]
  active: string[]
  sms_connections: number
  not_passed: string[]
  wallets_without_place: string[]
  collecting_places: number
  currencies_without_rule: string[]
  fees: number
}

/** Reads the checklist for going live, done and missing, in working order. */
export async function readChecklist(db: Reader, installation: Installation): Promise<ChecklistItem[]> {
  const counts = await readCounts(db, installation)
  return [
    ...organizationItems(counts),
    ...walletItems(counts, installation),
    ...connectionItems(counts, installation),
    ...controlItems(counts),
    ...installationItems(counts, installation),
  ]
}

/** Sentence of an item, with the values it names. */
type Sentence<Name extends ChecklistName> = readonly [ChecklistVariant<Name>, ChecklistValues?]

function write<Name extends ChecklistName>(
  name: Name,
  state: ChecklistItem['state'],
  [variant, values = {}]: Sentence<Name>,
  commands: readonly string[],
): ChecklistItem {
  const found = writeFound(name, variant, values)
  return state === 'done'
    ? { name, state, variant, values, found, commands: [], todo: null }
    : { name, state, variant, values, found, commands, todo: writeTodo(name, commands) }
}

/**
 * Builds an item.
 * @param isDone true if there is nothing to do. The first sentence is for that case, the second one for the other
 */
function item<Name extends ChecklistName>(
  name: Name,
  isDone: boolean,
  [done, missing]: readonly [Sentence<Name>, Sentence<Name>],
  commands: readonly string[],
  otherwise: 'open' | 'advice' = 'open',
): ChecklistItem {
  return isDone ? write(name, 'done', done, []) : write(name, otherwise, missing, commands)
}

function organizationItems(counts: Counts): ChecklistItem[] {
  const { organizations, organizations_without_owner: bare, keys } = counts
  return [
    item('organization', organizations > 0, [['done', { count: organizations }], ['missing']], ['npx kusanya setup']),
    item(
      'owner',
      organizations > 0 && bare.length === 0,
      [['done'], bare.length > 0 ? ['missing', { organizations: bare }] : ['none']],
      ['npx kusanya users create --permissions all', 'npx kusanya users password'],
    ),
    item('api_key', keys > 0, [['done'], ['missing']], ['npx kusanya keys create --name webshop'], 'advice'),
  ]
}

function walletItems(counts: Counts, { collection_currencies }: Installation): ChecklistItem[] {
  const { wallets, empty_wallets, foreign_currencies } = counts
  return [
    item('wallet', wallets > 0, [['done', { count: wallets }], ['missing']], ['npx kusanya accounts create UGX']),
    item(
      'wallet_funds',
      wallets > 0 && empty_wallets.length === 0,
      [['done'], empty_wallets.length > 0 ? ['missing', { wallets: empty_wallets }] : ['all_missing']],
      ['npx kusanya accounts fund <account> <amount>'],
    ),
    item(
      'collection_currencies',
      foreign_currencies.length === 0,
      [
        ['done', { currencies: collection_currencies }],
        ['missing', { currencies: foreign_currencies }],
      ],
      [],
    ),
  ]
}

function connectionItems(counts: Counts, installation: Installation): ChecklistItem[] {
  const { active, drafts, not_passed, wallets_without_place: bare, collecting_places, wallets } = counts
  const { public_url, is_public_https } = installation
  const is_used = active.length > 0
  return [
    item(
      'connection',
      is_used,
      [['done', { connections: active }], drafts.length > 0 ? ['drafts_only', { connections: drafts }] : ['missing']],
      drafts.length > 0
        ? [`npx kusanya connections test ${drafts[0]}`, `npx kusanya connections resume ${drafts[0]}`]
        : ['npx kusanya connections add'],
    ),
    item(
      'connection_tested',
      is_used && not_passed.length === 0,
      [['done'], is_used ? ['missing', { connections: not_passed }] : ['none']],
      [`npx kusanya connections test ${not_passed[0] ?? '<slug>'}`],
    ),
    item(
      'places',
      wallets > 0 && collecting_places > 0 && bare.length === 0,
      [['done'], bare.length > 0 ? ['missing', { wallets: bare }] : ['all_missing']],
      ['npx kusanya connections places add <slug> <account> <number>'],
    ),
    item(
      'callback_address',
      is_public_https,
      [['done', { url: public_url ?? '' }], public_url === null ? ['missing'] : ['not_public', { url: public_url }]],
      ['npx kusanya connections callbacks <slug>'],
    ),
  ]
}

function controlItems(counts: Counts): ChecklistItem[] {
  const {
    managers_without_factor: bare,
    organizations_with_one_manager: alone,
    currencies_without_rule: free,
    fees,
  } = counts
  const has_organization = counts.organizations > 0
  return [
    item(
      'second_factor',
      has_organization && bare.length === 0,
      [['done'], bare.length > 0 ? ['missing', { users: bare }] : ['all_missing']],
      ['npx kusanya organizations second-factor'],
    ),
    item(
      'second_manager',
      has_organization && alone.length === 0,
      [['done'], alone.length > 0 ? ['missing', { organizations: alone }] : ['all_missing']],
      ['npx kusanya users create --permissions view,manage_organization'],
      'advice',
    ),
    item(
      'approval_rules',
      counts.wallets > 0 && free.length === 0,
      [['done'], free.length > 0 ? ['missing', { currencies: free }] : ['all_missing']],
      ['npx kusanya organizations approval', 'npx kusanya organizations limits'],
      'advice',
    ),
    item('fees', fees > 0, [['done'], ['missing']], ['npx kusanya fees set'], 'advice'),
  ]
}

function installationItems({ sms_connections }: Counts, installation: Installation): ChecklistItem[] {
  const { data_folder: folder, public_url, trusts_proxy, has_mail, has_sms, disk } = installation
  const sends_sms = has_sms || sms_connections > 0
  return [
    write('backups', 'advice', folder === null ? ['own'] : ['embedded', { folder }], []),
    item('sms', sends_sms, [['done'], ['missing']], ['npx kusanya connections add'], 'advice'),
    item('mail', has_mail, [['done'], ['missing']], [], 'advice'),
    item('proxy', public_url === null || trusts_proxy, [['done'], ['missing']], [], 'advice'),
    item('disk', disk === null || disk.level === 'enough', [['done'], disk ? lackOfSpace(disk) : ['low']], []),
  ]
}

function lackOfSpace(space: DiskSpace): Sentence<'disk'> {
  const { folder, level } = space
  return [level === 'full' ? 'full' : 'low', { folder, ...measureSpace(space) }]
}

/** Permissions whose holders need a second factor. */
const MOVING = ['initiate_payments', 'approve_payments', 'manage_organization']

async function readCounts(db: Reader, installation: Installation): Promise<Counts> {
  const { live_environments, mode, collection_currencies } = installation
  const counts_here =
    mode === 'live' ? sql`c.driver || ':' || c.environment = any(${live_environments}::text[])` : sql.always
  const manages = sql`u.kind = 'person' and 'manage_organization' = any(m.permissions)`
  const is_wallet = sql`a.kind in ('local', 'cross_border') and a.status = 'active'`
  const wallet_name = sql`a.name || ' (' || a.id || ')'`
  const managers = sql`(select count(*) from memberships m join users u on u.id = m."user" where m.organization = o.id and ${manages})`
  const [counts] = await db<Counts[]>`
    select
      (select count(*) from organizations) as organizations,
      array(select o.name from organizations o where ${managers} = 0 order by o.id) as organizations_without_owner,
      array(select o.name from organizations o where ${managers} = 1 order by o.id) as organizations_with_one_manager,
      array(select distinct u.email from memberships m join users u on u.id = m."user"
        where u.kind = 'person' and m.permissions && ${MOVING}::text[] and not ${secondFactorOf('u')}) as managers_without_factor,
      (select count(*) from accounts a where ${is_wallet}) as wallets,
      array(select ${wallet_name} from accounts a where ${is_wallet} and a.balance <= 0 order by a.id) as empty_wallets,
      array(select distinct a.currency from accounts a
        where ${is_wallet} and a.currency <> all(${collection_currencies}::text[])) as foreign_currencies,
      (select count(*) from api_keys where revoked is null) as keys,
      array(select c.slug from connections c where c.state = 'draft' and c.kind = 'network' and ${counts_here} order by c.id) as drafts,
      array(select c.slug from connections c where c.state = 'active' and c.kind = 'network' and ${counts_here} order by c.id) as active,
      (select count(*) from connections c where c.state = 'active' and c.kind = 'sms' and ${counts_here}) as sms_connections,
      array(select c.slug from connections c where c.state = 'active' and c.slug <> all(${builtInSlugs}::text[]) and ${counts_here}
        and (c.last_test is null or exists (select from jsonb_array_elements(c.last_test) t
          where t->>'outcome' in ('failed', 'unknown'))) order by c.id) as not_passed,
      array(select ${wallet_name} from accounts a where ${is_wallet} and not exists (
        select from connection_places p join connections c on c.slug = p.connection
        where p.account = a.id and c.state <> 'removed' and ${counts_here}) order by a.id) as wallets_without_place,
      (select count(*) from connection_places p join connections c on c.slug = p.connection
        where p.collects and c.state <> 'removed' and ${counts_here}) as collecting_places,
      array(select distinct a.currency from accounts a where ${is_wallet}
        and not exists (select from approval_rules r where r.organization = a.organization and r.currency = a.currency)
        and not exists (select from payment_limits l where l.organization = a.organization and l.currency = a.currency))
        as currencies_without_rule,
      (select count(*) from fees) as fees`
  return counts!
}
